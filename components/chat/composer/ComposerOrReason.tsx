/** The composer, or why there is none (the task is over, or the reader is no member) with the unsent draft. */
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useHasDraft } from '@/client'
import { useMoment } from '@/client/moment'
import { ServerButton } from '@/components/ui/ServerButton'
import { isTaskOver } from '@/lib/mas/statuses'
import { UnsentText } from '../lazy'
import type { TaskWorld } from '../useTaskWorld'

export function ComposerOrReason({ task: { task, me }, children }: { task: TaskWorld; children: ReactNode }) {
  const t = useTranslations()
  const isThen = useMoment() !== null
  if (task === null) return null
  const isOver = isTaskOver(task)
  const reason =
    task.opened !== undefined
      ? t('chat.opened.reason')
      : isThen
        ? t('common.atMoment')
        : isOver
          ? t('chat.over')
          : task.group.includes(me)
            ? null
            : t('chat.notMember')
  if (reason === null) return children
  return (
    <div className="shrink-0 border-t border-line px-5 py-3 max-md:px-4">
      <p className="flex items-center gap-2 text-t2">
        <Lock className="size-4 text-t3" />
        {reason}
        {isThen ? (
          <ServerButton look="primary" className="ml-auto">
            {t('chat.send')}
          </ServerButton>
        ) : null}
      </p>
      <UnsentDraft place={`task:${task.id}`} />
    </div>
  )
}

/** A draft that can no longer be sent here. A lazy part: few have one. */
export const UnsentDraft = ({ place }: { place: string }) => (useHasDraft(place) ? <UnsentText place={place} /> : null)
