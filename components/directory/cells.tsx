import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { Avatar, useKindName } from '@/components/ui/marks/Avatar'
import { TimeText } from '@/components/ui/marks/Time'
import type { TaskLink, Who } from '@/lib/wire'

/** A member as a link to their profile; isRow: the row's own link. */
export function WhoLink({ who, isRow = false }: { who: Who; isRow?: boolean }) {
  const nameOf = useKindName()
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar who={who} size={24} />
      <Link
        data-row={isRow ? '' : undefined}
        href={pathTo('agent', { agentId: who.id })}
        aria-label={nameOf(who)}
        className={isRow ? 'cut font-medium text-t1 hover:underline' : 'cut hover:underline'}
      >
        {who.name || who.id}
      </Link>
    </span>
  )
}

/** An archived task is still found by its address. */
export function TaskCell({ task }: { task: TaskLink | null }) {
  const t = useTranslations('directory')
  if (task === null) return <span className="text-t3">—</span>
  const name = task.name === null ? undefined : taskTitle(task.name)
  return (
    <Link href={pathTo('task', { taskId: task.id })} className="cut block hover:underline" title={name}>
      {name ?? t('archivedTask')}
    </Link>
  )
}

export const Moment = ({ at }: { at: number | null }) =>
  at === null ? <span className="text-t3">—</span> : <TimeText at={at} />

export const Mono = ({ children }: { children: string }) => (
  <span data-literal className="cut block font-mono text-meta" title={children}>
    {children}
  </span>
)
