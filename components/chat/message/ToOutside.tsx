/** Receivers in other systems that have not got the message yet, or never will. */

import { CircleX, Hourglass } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { outcomeFor } from '@/lib/mas/asks/outcomes'
import type { Bubble } from '../fns/lines'
import type { TaskWorld } from '../useTaskWorld'

export default function ToOutside({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  const t = useTranslations('chat')
  const lines = bubble.messages.flatMap((message) =>
    message.receivers.flatMap((id) => {
      const { kind, name } = task.who(id)
      const outcome = outcomeFor(task.sources, message, id)
      if (kind !== 'outside' || (outcome?.state !== 'queued' && outcome?.state !== 'failed')) return []
      return [{ id, name, outcome }]
    }),
  )
  return lines.map(({ id, name, outcome }) => (
    <p key={id} data-state={outcome.state} className="mt-1 flex items-center gap-1.5 text-meta text-t2">
      {outcome.state === 'queued' ? (
        <Hourglass className="size-3.5 shrink-0 text-waiting" />
      ) : (
        <CircleX className="size-3.5 shrink-0 text-failed" />
      )}
      <span className="min-w-0 break-words">
        {outcome.state === 'queued'
          ? t('outside.queued', { who: name })
          : t('outside.failed', { who: name, why: outcome.note ?? '' })}
      </span>
    </p>
  ))
}
