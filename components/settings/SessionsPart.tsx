/** Where the member is signed in: browser, address, times; ending one, or all others. */
import { useTranslations } from 'use-intl'
import { endMyOtherSessions, endMySession, mySessionsPath } from '@/client/account/api'
import type { ApiResult } from '@/client/api'
import { pageClock } from '@/client/clock'
import { useApiQuery } from '@/client/queries'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { FaultState, Skeleton } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatClock } from '@/lib/format'
import { browserIn } from '@/lib/format/browserIn'
import type { MySession, MySessions, SessionsEnded } from '@/lib/wire'
import { Setting } from './Setting'
import { useSignOut } from './useSignOut'

export function SessionsPart() {
  const t = useTranslations('settings')
  const faultWords = useFaultWords()
  const { signOut, question } = useSignOut()
  const { data, error, refetch } = useApiQuery<MySessions>(mySessionsPath)
  const done = (ending: Promise<ApiResult<SessionsEnded>>): void =>
    void ending.then((got) => {
      if (got.ok) showToast('done', t('sessionsEnded', { count: got.value.ended }))
      else showToast('error', faultWords(got.fault))
    })
  return (
    <Setting name={t('mySessions')} hint={t('mySessionsWhy')}>
      {error !== null ? (
        <FaultState title={t('sessionsFailed')} fault={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <>
          <ul aria-label={t('mySessions')} className="flex flex-col">
            {data.sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={() => (session.isThis ? signOut() : done(endMySession(session.id)))}
              />
            ))}
          </ul>
          {data.sessions.length > 1 ? (
            <ServerButton className="mt-3" onClick={() => done(endMyOtherSessions())}>
              {t('endOthers')}
            </ServerButton>
          ) : null}
        </>
      )}
      {question}
    </Setting>
  )
}

function SessionRow({ session, onEnd }: { session: MySession; onEnd: () => void }) {
  const t = useTranslations('settings')
  const how = useTimeStyle()
  const clock = (at: number): string => formatClock(at, { ...how, now: pageClock.now() })
  const { browser, address, since, lastSeen, isThis } = session
  const name = browserIn(browser) ?? t('browserUnknown')
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-b-0" data-kind="session">
      <div className="min-w-0 grow">
        <p className="cut text-table font-medium" title={browser ?? undefined}>
          {name}
          {isThis ? <span className="ml-2 font-normal text-t2">{t('thisSession')}</span> : null}
        </p>
        <p className="text-meta text-t3">
          {t('sessionAbout', { address: address ?? t('addressUnknown'), since: clock(since), seen: clock(lastSeen) })}
        </p>
      </div>
      <ServerButton aria-label={t('endSessionOf', { browser: name, since: clock(since) })} onClick={onEnd}>
        {t('endSession')}
      </ServerButton>
    </li>
  )
}
