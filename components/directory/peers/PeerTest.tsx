/** A test message to another system: it is really sent, and its delivery is shown as it happens. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { useMe } from '@/client/account/session'
import { Link, pathTo } from '@/client/nav'
import { useSendAct } from '@/components/operate/useSendAct'
import { TextField } from '@/components/ui/fields/TextField'
import { TimeText } from '@/components/ui/marks/Time'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { fieldsIn } from '@/lib/json'
import type { ExchangePage, PeerShown } from '@/lib/wire'
import { draftTextIn } from '@/lib/wire/drafts'
import { VerdictChip } from '../ExchangeRows'
import { useDirectoryPages } from '../useDirectoryPages'
import { draftPlace, testPeer } from './peerCalls'

type SentTest = { task: string; message: string }

export function PeerTest({ peer }: { peer: PeerShown }) {
  const t = useTranslations('directory')
  const person = useMe()?.person
  const isOne = !peer.uri.includes('*') && /^agent:\/\/[^/]+\/./.test(peer.uri)
  const draft = useDraft(`${draftPlace(peer)}.test`)
  const uri = draftTextIn(draft.more, 'to') ?? (isOne ? peer.uri : peer.uri.replace(/\/?\*.*$/, '').concat('/'))
  const text = draftTextIn(draft.more, 'says') ?? t('peer.testText', { who: person?.name ?? '' })
  const [sent, setSent] = useState<SentTest | null>(null)
  const { failure, isSending, send } = useSendAct()
  const canSend = peer.may.some((protocol) => protocol !== 'map')
  const submit = async (): Promise<void> => {
    if (isSending || !canSend) return
    await send(JSON.stringify([uri, text, sent?.message]), async (head) => {
      const answer = await testPeer(peer.id, uri.trim(), text, head)
      if (answer.ok) setSent(sentIn(answer.value.reply))
      return answer
    })
  }
  return (
    <form
      aria-label={t('peer.test')}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className="text-t2">{canSend ? t('peer.testWhat') : t('peer.testNo')}</p>
      <TextField
        label={t('peer.testTo')}
        value={uri}
        readOnly={isOne}
        spellCheck={false}
        onChange={(event) => draft.setMore({ to: event.target.value })}
      />
      <TextField
        label={t('peer.testSays')}
        value={text}
        onChange={(event) => draft.setMore({ says: event.target.value })}
      />
      <div>
        <ServerButton type="submit" isDisabled={isSending || !canSend} reason={canSend ? undefined : t('peer.testNo')}>
          {t('peer.testDo')}
        </ServerButton>
      </div>
      <AlertText text={failure} />
      {sent === null ? null : <Verdicts key={sent.message} sent={sent} />}
    </form>
  )
}

function Verdicts({ sent }: { sent: SentTest }) {
  const t = useTranslations('directory')
  const { data: page } = useDirectoryPages<ExchangePage>(
    `/api/directory/exchange?message=${encodeURIComponent(sent.message)}`,
  )
  const tries = page?.rows ?? []
  return (
    <div role="status" data-kind="test-verdict" className="rounded-control border border-line px-3 py-2 text-table">
      {tries.length === 0 ? <p>{t('peer.testWaits')}</p> : null}
      {tries.map((envelope) => (
        <p key={envelope.seq} className="flex min-w-0 flex-wrap items-center gap-x-3">
          <VerdictChip envelope={envelope} isWhole />
          <TimeText at={envelope.at} />
        </p>
      ))}
      <Link href={pathTo('task', { taskId: sent.task })} className="link">
        {t('peer.testTask')}
      </Link>
    </div>
  )
}

function sentIn(reply: unknown): SentTest | null {
  const { task, message } = fieldsIn(reply)
  return typeof task === 'string' && typeof message === 'string' ? { task, message } : null
}
