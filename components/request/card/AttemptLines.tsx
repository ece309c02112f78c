/** Attempts to reach people, a dated line each. "Sent" is not "seen", which the delivery says. */
import { useTranslations } from 'use-intl'
import { TimeText, useClockText } from '@/components/ui/marks/Time'
import type { AttemptRecord } from '@/lib/mas/records'

/** in: who: null in the row of the receiver themselves */
export function AttemptLine({ attempt, who }: { attempt: AttemptRecord; who: string | null }) {
  const t = useTranslations('reach')
  const clock = useClockText()
  const { channel, outcome, until, note, at } = attempt
  const came =
    outcome === 'held' && until !== null
      ? t('came.heldUntil', { clock: clock(until) })
      : t(`came.${outcome}`, { why: note ?? '' })
  return (
    <span data-attempt={`${channel} ${outcome}`} className="block text-meta text-t3">
      <TimeText at={at} isClock />{' '}
      {who === null
        ? t('triedHere', { how: t(`how.${channel}`), came })
        : channel === 'next'
          ? t('triedNext', { who })
          : t('tried', { who, how: t(`how.${channel}`), came })}
    </span>
  )
}

type AttemptListProps = { attempts: readonly AttemptRecord[] | undefined; nameOf: (attempt: AttemptRecord) => string }

export function AttemptList({ attempts, nameOf }: AttemptListProps) {
  const t = useTranslations('reach')
  if (!attempts || attempts.length === 0) return null
  return (
    <details className="mt-2 text-meta">
      <summary className="cursor-pointer text-t2">{t('attempts')}</summary>
      {attempts.map((attempt) => (
        <AttemptLine key={attempt.id} attempt={attempt} who={nameOf(attempt)} />
      ))}
    </details>
  )
}
