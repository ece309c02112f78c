/** Answering for a model, for operators and developers: the waiting calls, and one with its prompt and answer. */
import { Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { taskTitle } from '@/client/readersWords'
import { useFetched } from '@/client/useFetched'
import { HelpLink } from '@/components/help/HelpLink'
import { cx } from '@/components/ui/cx'
import { Elapsed } from '@/components/ui/marks/Time'
import { EmptyState, FaultState, Skeleton } from '@/components/ui/States'
import type { ByHandAnswer, ByHandCall } from '@/lib/wire'
import { OpenCallForm } from './OpenCallForm'

const EVERY_MS = 3_000

/** The calls end with the process, so no view holds them: the list is polled. */
function useOpenCalls() {
  const fetched = useFetched<ByHandAnswer>('/api/by_hand')
  const { reload } = fetched
  useEffect(() => {
    // Joins the server: polls while the page is visible, and at once when it becomes visible.
    const look = (): void => {
      if (document.visibilityState === 'visible') reload()
    }
    const timer = setInterval(look, EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [reload])
  return fetched
}

export function ByHandPart() {
  const t = useTranslations('byHand')
  const { answer, reload } = useOpenCalls()
  const [chosen, setChosen] = useState<string | null>(null)
  if (answer === null) return <Skeleton lines={4} />
  if (!answer.ok) return <FaultState title={t('failed')} fault={answer.fault} onRetry={reload} />
  const { calls } = answer.value
  const open = calls.find(({ id }) => id === chosen) ?? calls[0]
  return (
    <section aria-label={t('title')}>
      <h2 className="text-question font-bold">{t('title')}</h2>
      <p className="mb-3 text-t2">{t('why')}</p>
      {open === undefined ? (
        <EmptyState title={t('none')} icon={<Wrench />} action={<HelpLink part="docs" />}>
          {t('noneWhy')}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4">
          <ul aria-label={t('waiting')} className="border-y border-line">
            {calls.map((call) => (
              <li key={call.id}>
                <CallButton call={call} isOpen={call.id === open.id} onOpen={() => setChosen(call.id)} />
              </li>
            ))}
          </ul>
          <OpenCallForm key={open.id} call={open} onDone={reload} />
        </div>
      )}
    </section>
  )
}

function CallButton({ call, isOpen, onOpen }: { call: ByHandCall; isOpen: boolean; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={onOpen}
      className={cx(
        'flex h-row w-full items-center gap-2 px-2 text-left text-table touch:h-13',
        isOpen ? 'bg-hover font-medium' : 'hover:bg-hover',
      )}
    >
      <span className="cut min-w-0">{[call.agent, call.skill].filter((part) => part !== '').join(' · ')}</span>
      <span className="cut min-w-0 grow text-t3">{call.task ? taskTitle(call.task.name) : null}</span>
      <Elapsed since={call.since} className="shrink-0 text-meta text-t3" />
    </button>
  )
}
