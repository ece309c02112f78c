/** Steps of a task that have left the live world: found by member and words, each opens at its address. A lazy file. */
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '@/client/api'
import { Link, pathTo } from '@/client/nav'
import { Button } from '@/components/ui/Button'
import { Select } from '@/components/ui/Choice'
import { Dialog } from '@/components/ui/Dialog'
import { ErrorState, Loading } from '@/components/ui/States'
import { StatusChip } from '@/components/ui/StatusChip'
import { TextField } from '@/components/ui/TextField'
import { TimeText } from '@/components/ui/Time'
import type { StepPage } from '@/lib/wire'
import type { Who } from '@/lib/wire/rows'

type ArchivedStepsProps = { task: string; members: readonly Who[]; onClose: () => void }
type Steps = StepPage['steps']
type Held = { of: string; steps: Steps; next: string | null; why: string | null }

/** ms after the last key before the server is asked. */
const TYPING_MS = 250
const EVERYONE = ''

export default function ArchivedSteps({ task, members, onClose }: ArchivedStepsProps) {
  const t = useTranslations('inspector.archived')
  const [agent, setAgent] = useState(EVERYONE)
  const [text, setText] = useState('')
  const { held, more, again } = useArchivedSteps(task, agent, text)
  const names = new Map(members.map((who) => [who.id, who.name]))
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={t('title')}>
      <div className="grid gap-3 pb-3 md:grid-cols-2">
        <Select
          label={t('member')}
          value={agent}
          options={[
            { value: EVERYONE, label: t('everyone') },
            ...members.map((who) => ({ value: who.id, label: who.name })),
          ]}
          onChange={setAgent}
        />
        <TextField label={t('text')} value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      {held === null ? (
        <Loading lines={6} className="px-0!" />
      ) : held.why !== null ? (
        <ErrorState title={t('broken')} onRetry={again}>
          {held.why}
        </ErrorState>
      ) : (
        <>
          {held.steps.length === 0 && held.next === null ? <p className="py-3 text-t2">{t('none')}</p> : null}
          <ul aria-label={t('title')} className="flex flex-col">
            {held.steps.map((step) => (
              <li key={step.id} className="flex min-w-0 items-center gap-2 border-b border-line py-1.5 text-table">
                <StatusChip state={step.state === 'failed' ? 'failed' : 'done'} raw={step.state} />
                <Link href={pathTo('step', { taskId: task, stepId: step.id })} className="link cut min-w-0 grow">
                  {step.intention || step.executor}
                </Link>
                <span className="shrink-0 text-meta text-t2">{names.get(step.agent)}</span>
                <TimeText at={step.endedAt ?? step.createdAt} className="shrink-0 text-meta text-t3" />
              </li>
            ))}
          </ul>
          {held.next === null ? null : (
            <Button className="mt-3" onClick={more}>
              {t('more')}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}

/** out: held null: the first page of what is wanted is on its way */
function useArchivedSteps(task: string, agent: string, text: string) {
  const [held, setHeld] = useState<Held | null>(null)
  const query = new URLSearchParams({ archived: 'yes', ...(agent === EVERYONE ? {} : { agent }), text: text.trim() })
  const wanted = `/api/tasks/${task}/steps?${query}`
  const ask = (after: string | null, isWanted: () => boolean): void => {
    const address = after === null ? wanted : `${wanted}&after=${encodeURIComponent(after)}`
    void call<StepPage>('GET', address).then((came) => {
      if (!isWanted()) return
      setHeld((old) => {
        const before = old?.of === wanted && after !== null ? old.steps : []
        return came.ok
          ? { of: wanted, steps: [...before, ...came.value.steps], next: came.value.next, why: null }
          : { of: wanted, steps: before, next: after, why: came.fault.message }
      })
    })
  }
  // Joins the server: what is archived is in no view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` says the same for the same address.
  useEffect(() => {
    let isWanted = true
    const timer = setTimeout(() => ask(null, () => isWanted), TYPING_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [wanted])
  return {
    held: held?.of === wanted ? held : null,
    more: () => ask(held?.next ?? null, () => true),
    again: () => ask(null, () => true),
  }
}
