import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { useOnWords } from '@/components/tasks/progress'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import type { AgentRecord, WorkingState, WorkRecord } from '@/lib/mas/records'
import type { AgentRow, Chip } from '@/lib/wire'

/** People have no working state: the number of their open requests is shown instead. */
export function AgentState({ row, isNarrow }: { row: AgentRow; isNarrow?: boolean }) {
  const t = useTranslations('agents')
  const onWords = useOnWords()
  if (row.who.kind === 'human' && row.chip === 'idle') {
    return (
      <span className="text-meta text-t3">
        {row.queue === 0 ? t('nothingAsked') : t('asked', { count: row.queue })}
      </span>
    )
  }
  return (
    <StatusChip
      state={row.chip}
      raw={row.paused ? 'paused' : row.state}
      isNarrow={isNarrow}
      on={onWords(row.waitsFor)}
      detail={row.paused ? t('pausedBy', { who: row.paused.by.name }) : undefined}
      since={row.since}
      className="max-w-full"
    />
  )
}

type AgentChipProps = {
  agent: AgentRecord
  work: WorkRecord
  /** null: the reader has no list of all. */
  row: AgentRow | null
  chip: Chip
  state: WorkingState
}

/** The state of one agent by its own records. A person who is idle has none. */
export function AgentChip({ agent, work, row, chip, state }: AgentChipProps) {
  const t = useTranslations('agents')
  const onWords = useOnWords()
  if (agent.kind === 'human' && chip === 'idle') return null
  return (
    <StatusChip
      state={chip}
      raw={agent.paused ? 'paused' : state}
      on={onWords(row?.waitsFor ?? [])}
      detail={agent.paused && row?.paused ? t('pausedBy', { who: row.paused.by.name }) : undefined}
      since={agent.paused?.at ?? work.locks[0]?.at ?? row?.since ?? null}
    />
  )
}

export function NowCell({ row }: { row: AgentRow }) {
  const { now } = row
  if (!now) return <span className="text-t3">—</span>
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <StepIcon skill={now.executor} className="size-3.5 shrink-0 text-t3" />
      <Link
        href={`${pathTo('tree', { taskId: now.task })}?inspect=StepState_${now.step}`}
        title={`${now.intention} · ${taskTitle(now.taskName)}`}
        className="cut relative hover:underline"
      >
        {now.intention}
      </Link>
    </span>
  )
}

export function TasksCell({ row }: { row: AgentRow }) {
  const [first, ...others] = row.tasks
  if (!first) return <span className="text-t3">—</span>
  return (
    <span className="flex min-w-0 items-center gap-1" title={row.tasks.map((task) => taskTitle(task.name)).join(' · ')}>
      <Link href={pathTo('task', { taskId: first.id })} className="cut relative hover:underline">
        {taskTitle(first.name)}
      </Link>
      {others.length > 0 ? <span className="shrink-0 text-t3">+{others.length}</span> : null}
    </span>
  )
}
