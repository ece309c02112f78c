/** The composer, or the sentence that says why there is none: the task is over, or I am not in it. */
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { TaskWorld } from './useTaskWorld'

export function WhyNotWrite({ task: { task, me }, children }: { task: TaskWorld; children: ReactNode }) {
  const t = useTranslations('chat')
  if (task === null) return null
  const isOver = task.state === 'finished' || task.state === 'failed'
  const reason = isOver ? t('over') : task.group.includes(me) ? null : t('notMember')
  if (reason === null) return children
  return (
    <p className="flex shrink-0 items-center gap-2 border-t border-line px-5 py-3 text-t2 max-md:px-4">
      <Lock aria-hidden className="size-4 text-t3" />
      {reason}
    </p>
  )
}
