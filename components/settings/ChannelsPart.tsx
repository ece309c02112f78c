import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiResult, CallRefused } from '@/client'
import {
  browserName,
  dropBrowser,
  endpointHere,
  getChannels,
  type PushProblem,
  pushAbility,
  testChannel,
  turnOffPush,
  turnOnPush,
} from '@/client/notify/push'
import { invalidate, useApiQuery } from '@/client/queries'
import { TimeText } from '@/components/ui/marks/Time'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { CONFIGURED_CHANNELS, type ConfiguredChannel } from '@/lib/mas/records'
import type { MyChannels, PostChannelTest } from '@/lib/wire'
import { Setting } from './Setting'

const CHANNELS = '/api/me/channels'
type Channels = { mine: MyChannels; here: string | null }

async function fetchChannels(): Promise<ApiResult<Channels>> {
  const [answer, here] = await Promise.all([getChannels(), endpointHere().catch(() => null)])
  return answer.ok ? { ok: true, value: { mine: answer.value, here } } : answer
}

export function ChannelsPart() {
  const t = useTranslations('channels')
  const { data, error } = useApiQuery<Channels>(CHANNELS, { ask: fetchChannels })
  if (error !== null) return <Setting name={t('title')}>{t('broken')}</Setting>
  if (data === undefined) return null
  const { mine, here } = data
  const { times } = mine
  return (
    <>
      <Setting
        name={t('title')}
        hint={t('when', {
          seconds: Math.round(times.ownMs / 1_000),
          again: Math.round(times.againMs / 60_000),
          until: Math.round(times.untilMs / 60_000),
        })}
      >
        <p className="text-table">{t('why')}</p>
      </Setting>
      <PushSetting mine={mine} here={here} />
      {CONFIGURED_CHANNELS.toReversed().map((channel) => (
        <ConfiguredSetting key={channel} channel={channel} {...mine[channel]} />
      ))}
    </>
  )
}

function PushSetting({ mine, here }: Channels) {
  const t = useTranslations('channels')
  const faultWords = useFaultWords()
  const [ability, setAbility] = useState(pushAbility)
  const [why, setWhy] = useState<PushProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const known = here === null ? undefined : mine.browsers.find(({ endpoint }) => endpoint === here)
  const others = mine.browsers.filter((browser) => browser !== known)
  const act = (work: () => Promise<PushProblem | null>): void => {
    setBusy(true)
    void work().then((trouble) => {
      setAbility(pushAbility())
      setWhy(trouble)
      setBusy(false)
      // Of the server and of this browser.
      invalidate(CHANNELS)
    })
  }
  const turnOn = (): void => act(() => turnOnPush(mine.pushKey, browserName(navigator.userAgent)))
  const turnOff = (): void =>
    act(async () => {
      await turnOffPush()
      return null
    })
  return (
    <Setting name={t('push')} hint={ability === 'able' ? t('pushWhy') : undefined}>
      <p className="text-table" role="status">
        {ability !== 'able' ? t(`ability.${ability}`) : known ? t('pushOn') : t('pushOff')}
      </p>
      {why === null ? null : (
        <p className="mt-1 text-table text-failed">
          {typeof why === 'string' ? t(why) : t('pushFailed', { why: faultWords(why) })}
        </p>
      )}
      {ability === 'able' ? (
        <div className="mt-2 flex flex-wrap gap-2">
          {known ? (
            <>
              <TestButton test={{ channel: 'push', browser: known.id }} />
              <ServerButton isDisabled={isBusy} onClick={turnOff}>
                {t('turnOff')}
              </ServerButton>
            </>
          ) : (
            <ServerButton look="primary" isDisabled={isBusy} onClick={turnOn}>
              {t('turnOn')}
            </ServerButton>
          )}
        </div>
      ) : null}
      {others.length > 0 ? (
        <ul aria-label={t('others')} className="mt-3 flex flex-col gap-2">
          {others.map((browser) => (
            <OtherBrowser key={browser.id} browser={browser} />
          ))}
        </ul>
      ) : null}
    </Setting>
  )
}

function OtherBrowser({ browser }: { browser: MyChannels['browsers'][number] }) {
  const t = useTranslations('channels')
  const faultWords = useFaultWords()
  const [refusal, setRefusal] = useState<CallRefused | null>(null)
  const remove = async (): Promise<void> => {
    const answer = await dropBrowser(browser.id)
    setRefusal(answer.ok ? null : answer.fault)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
      <span>{browser.name}</span>
      <span className="text-t3">
        <TimeText at={browser.at} />
      </span>
      <TestButton test={{ channel: 'push', browser: browser.id }} of={browser.name} />
      <ServerButton look="quiet" aria-label={t('removeNamed', { name: browser.name })} onClick={() => void remove()}>
        {t('remove')}
      </ServerButton>
      <AlertText text={refusal && t('removeFailed', { why: faultWords(refusal) })} className="text-meta" />
    </li>
  )
}

/** Channels of the configuration: shown here, changed there. */
function ConfiguredSetting({ channel, state, to }: { channel: ConfiguredChannel } & MyChannels['email']) {
  const t = useTranslations('channels')
  return (
    <Setting name={t(channel)} hint={state === 'ready' ? undefined : t(`${channel}How`)}>
      <p className="text-table break-words">{t(`state.${state}`, { to: to ?? '' })}</p>
      {state === 'ready' ? (
        <div className="mt-2">
          <TestButton test={{ channel }} />
        </div>
      ) : null}
    </Setting>
  )
}

function TestButton({ test, of }: { test: PostChannelTest; of?: string }): ReactNode {
  const t = useTranslations('channels')
  const faultWords = useFaultWords()
  const [came, setCame] = useState<{ isSent: boolean; words: string } | 'busy' | null>(null)
  const run = (): void => {
    setCame('busy')
    void testChannel(test).then((answer) =>
      setCame(
        answer.ok
          ? { isSent: answer.value.ok, words: answer.value.words }
          : { isSent: false, words: faultWords(answer.fault) },
      ),
    )
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <ServerButton
        isDisabled={came === 'busy'}
        onClick={run}
        {...(of ? { 'aria-label': t('testNamed', { name: of }) } : {})}
      >
        {t('test')}
      </ServerButton>
      <span role="status" className="text-meta text-t2">
        {came === null
          ? ''
          : came === 'busy'
            ? t('testing')
            : came.isSent
              ? t('tested')
              : t('testFailed', { why: came.words })}
      </span>
    </span>
  )
}
