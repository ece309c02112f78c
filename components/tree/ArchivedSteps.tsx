/** Steps of a task that have left the live world: found by member and words, each opens at its address. A lazy file. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useStepTitle } from '@/client/stepTitle'
import { type Paging, usePages } from '@/client/useFetched'
import { Button } from '@/components/ui/Button'
import { OptionalSelect } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { TimeText } from '@/components/ui/marks/Time'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { FaultState, Loading } from '@/components/ui/States'
import type { StepPage } from '@/lib/wire'
import type { Who } from '@/lib/wire/rows'

type ArchivedStepsProps = { task: string; members: readonly Who[]; onClose: () => void }

/** ms after the last key before the server is asked. */
const TYPING_MS = 250
const PAGING: Paging<StepPage> = {
  cursor: 'after',
  next: ({ next }) => next,
  append: (held, { steps, next }) => ({ steps: [...held.steps, ...steps], next }),
}

export default function ArchivedSteps({ task, members, onClose }: ArchivedStepsProps) {
  const t = useTranslations('inspector.archived')
  const titleOf = useStepTitle()
  const [agent, setAgent] = useState<string | null>(null)
  const [text, setText] = useState('')
  const query = new URLSearchParams({ archived: 'yes', ...(agent === null ? {} : { agent }), text: text.trim() })
  const list = usePages(`/api/tasks/${task}/steps?${query}`, PAGING, { pauseMs: TYPING_MS })
  const { value, fault, more } = list
  const names = new Map(members.map((who) => [who.id, who.name]))
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={t('title')}>
      <div className="grid gap-3 pb-3 md:grid-cols-2">
        <OptionalSelect<string>
          label={t('member')}
          none={t('everyone')}
          value={agent}
          options={members.map((who) => ({ value: who.id, label: who.name }))}
          onChange={setAgent}
        />
        <TextField label={t('text')} value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      {list.isLoading && !value?.steps.length ? (
        <Loading lines={6} className="px-0!" />
      ) : (
        <>
          {value === null || value.steps.length > 0 || fault !== null ? null : (
            <p className="py-3 text-t2">{t(value.next === null ? 'none' : 'noneYet')}</p>
          )}
          <ul aria-label={t('title')} className="flex flex-col">
            {value?.steps.map((step) => (
              <li key={step.id} className="flex min-w-0 items-center gap-2 border-b border-line py-1.5 text-table">
                <StatusChip state={step.state === 'failed' ? 'failed' : 'done'} raw={step.state} />
                <Link href={pathTo('step', { taskId: task, stepId: step.id })} className="link cut min-w-0 grow">
                  {titleOf(step)}
                </Link>
                <span className="shrink-0 text-meta text-t2">{names.get(step.agent)}</span>
                <TimeText at={step.endedAt ?? step.createdAt} className="shrink-0 text-meta text-t3" />
              </li>
            ))}
          </ul>
          {fault !== null ? (
            <FaultState title={t('broken')} fault={fault} onRetry={more ?? list.reload} />
          ) : more === null ? null : (
            <Button className="mt-3" isDisabled={list.isLoading} onClick={more}>
              {t('more')}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}
