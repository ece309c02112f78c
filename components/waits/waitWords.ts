import { useTranslations } from 'use-intl'
import { taskTitle } from '@/client/readersWords'
import { useNames } from '@/components/request'
import type { ChipState } from '@/components/ui/marks/StatusChip'
import type { WaitRow } from '@/lib/wire'

/** A wait that only an operator can end is blocked. */
export const waitChipOf = (row: WaitRow): ChipState => (row.isBlocked ? 'blocked' : 'waiting')

/** Why it does not end by itself: "in a circle", "Coder is paused"; undefined while somebody can still answer. */
export function useWhyStuck(): (row: WaitRow) => string | undefined {
  const t = useTranslations('waits')
  return (row) => {
    if (row.state === 'circle') return t('inCircle')
    if (row.why === null) return undefined
    return t(`why.${row.why}`, { who: row.forWhom[0]?.name ?? '—' })
  }
}

/** "stage 2, stage 1 of Price page and Tester": a stage of another task has its name. */
export function useHoldsUp(): (row: WaitRow) => string {
  const t = useTranslations('waits')
  const names = useNames()
  return (row) =>
    names([
      ...row.holdsUp.stages.map(({ task, taskName, number }) =>
        task === row.task ? t('stage', { number }) : t('stageOf', { task: taskTitle(taskName), number }),
      ),
      ...row.holdsUp.agents.map((who) => who.name),
    ])
}
