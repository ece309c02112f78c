/** What the chips of tasks and stages say, from the rows of the overview: the same in table, head, list and inspector. */
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { useMe } from '@/client/account/session'
import { taskTitle } from '@/client/readersWords'
import { type ChipState, chipStateOf, StatusChip, type StatusChipProps } from '@/components/ui/marks/StatusChip'
import type { StageRecord } from '@/lib/mas/records'
import type { OverviewRow, Stuck, Who } from '@/lib/wire'

/** "you", "Ana", "you and 2 more", "3 members"; undefined: nobody. */
export function useOnWords(): (on: readonly Who[]) => string | undefined {
  const t = useTranslations()
  const me = useMe()?.person.agent_id
  return (on) => {
    if (on.length === 0) return undefined
    if (on.some((who) => who.id === me))
      return on.length === 1 ? t('common.you') : t('progress.youAnd', { count: on.length - 1 })
    return on.length === 1 ? on[0]?.name : t('progress.members', { count: on.length })
  }
}

/** What stops a task, as a chip says it: for whom it waits, why it is blocked, in which other task its agent is held. */
function useStop(): (stuck: Stuck) => Pick<StatusChipProps, 'on' | 'detail' | 'since'> {
  const t = useTranslations('progress')
  const onWords = useOnWords()
  return ({ why, on, elsewhere, since }) => {
    const detail = [
      why === null ? '' : t(`why.${why}`),
      elsewhere === null ? '' : t('heldIn', { who: elsewhere.who.name, task: taskTitle(elsewhere.taskName) }),
    ].filter((part) => part !== '')
    return { on: onWords(on), detail: detail.length === 0 ? undefined : detail.join(' · '), since }
  }
}

type TaskChipProps = { row: OverviewRow; isPlain?: boolean; className?: string }

const isStopped = (chip: ChipState): boolean => chip === 'waiting' || chip === 'blocked'

/** The state of a task with whom it waits for; isPlain: the state alone. */
export function TaskChip({ row, isPlain = false, className }: TaskChipProps) {
  const stopOf = useStop()
  const { chip, stuck, state, createdAt, endedAt } = row
  return (
    <StatusChip
      state={chip}
      raw={state}
      since={chip === 'running' && !row.base ? createdAt : null}
      ms={endedAt === null ? null : endedAt - createdAt}
      {...(stuck !== null && isStopped(chip) && !isPlain ? stopOf(stuck) : {})}
      className={className}
    />
  )
}

/** The chip of a stage: the running one's comes with the row of its task. One that was sent back is no failure. */
export function useStageChip(task: string | null): (stage: StageRecord) => ChipState {
  const row = useRow('overview', task)
  return ({ id, state, replacedBy }) => {
    if (row?.stage?.id === id) return row.stage.chip
    return state === 'failed' && (replacedBy ?? null) !== null ? 'redone' : chipStateOf(state)
  }
}

/** What blocks it; nothing when it is not blocked. */
export function StuckCell({ row }: { row: OverviewRow }) {
  const stopOf = useStop()
  const { stuck } = row
  if (stuck === null) return null
  switch (stuck.kind) {
    case 'waiting':
    case 'blocked':
      return (
        <span title={stuck.what} className="flex min-w-0">
          <StatusChip state={stuck.kind} raw={row.state} {...stopOf(stuck)} className="max-w-full" />
        </span>
      )
    case 'failed':
      return (
        <span title={stuck.what} className="cut block text-failed">
          {stuck.what}
        </span>
      )
  }
}
