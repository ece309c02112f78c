/** How a request ended, why an answer was refused, and what changed since a request was opened. */
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { Link, pathTo } from '@/client/nav'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TimeText } from '@/components/ui/marks/Time'
import { AlertText } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { Change } from '@/lib/mas/asks/requests'
import type { Decision } from '@/lib/mas/records'
import type { RequestShown } from '../shown'
import type { AnswerSending } from '../useAnswering'

const OUTCOME = {
  answer: 'answeredBy',
  approve: 'approvedBy',
  approve_edited: 'approvedEditedBy',
  refuse: 'refusedBy',
  done: 'doneBy',
  cannot: 'cannotBy',
} as const satisfies Record<Decision, string>

/** Only these are drawn green. */
const isYes = (decision: Decision): boolean => decision !== 'refuse' && decision !== 'cannot'

const ENDED = { released: 'releasedWhy', expired: 'expiredWhy', superseded: 'withdrawnWhy' } as const

/** "Answered by Ana · 10:44" and the answer itself; or how else it ended; nothing while it is open. */
export function RequestOutcome({ shown: { request, answeredBy } }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const { state, answer } = request
  if (state === 'open' || state === 'claimed') return null
  if (state === 'answered') {
    return (
      <div className="mt-2">
        <p
          className={cx(
            'flex flex-wrap items-center gap-1.5 text-meta',
            isYes(answer?.decision ?? 'answer') ? 'text-done' : 'text-failed',
          )}
        >
          {answeredBy ? <Avatar who={answeredBy} size={20} /> : null}
          <b>{t(OUTCOME[answer?.decision ?? 'answer'], { who: answeredBy?.name ?? '—' })}</b>
          {answer ? <TimeText at={answer.at} isClock className="text-t3" /> : null}
        </p>
        {answer && answer.text.trim() !== '' ? (
          <p className="mt-1 max-w-[68ch] break-words whitespace-pre-wrap text-t2">{answer.text}</p>
        ) : null}
        <Correction request={request} />
      </div>
    )
  }
  return (
    <p className="mt-2 text-meta text-t2">
      <b>{t(ENDED[state], { reason: request.endReason ?? t('noReason') })}</b>
    </p>
  )
}

/** An answer cannot be taken back, since its asker works with it; a mistake is corrected by a message. */
function Correction({ request: { kind, answer, message, task } }: Pick<RequestShown, 'request'>) {
  const t = useTranslations('request')
  const me = useMe()?.person.agent_id
  if (kind !== 'answer' || message === null || answer?.by !== me) return null
  return (
    <Link href={`${pathTo('task', { taskId: task })}?reply=${message}`} className="link mt-1 inline-block text-meta">
      {t('correct')}
    </Link>
  )
}

export function FailedLine({ sending }: { sending: AnswerSending }) {
  const t = useTranslations('error')
  const faultWords = useFaultWords()
  const text = sending.state === 'failed' ? faultWords(sending.fault, t('textKept')) : null
  return <AlertText text={text} className="mt-1.5 text-meta" />
}

/** What changed since the request was opened. It can still be answered. */
export function ChangedBar({ changes }: { changes: readonly Change[] }) {
  const t = useTranslations('request')
  return (
    <div className="my-2 rounded-control border border-dashed border-wait-line bg-waiting-b px-2.5 py-1.5 text-table text-waiting">
      <b>{t('changed')}</b>{' '}
      {changes.length === 0 ? t('changedHow') : changes.map((one) => t(`change.${one}`)).join(' ')}
    </div>
  )
}
