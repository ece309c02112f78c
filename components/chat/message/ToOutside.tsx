/** Receivers in other systems that have not got the message yet, or never will. */
import { CircleX, Hourglass } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Bubble } from '../fns/lines'
import type { TaskWorld } from '../useTaskWorld'

export default function ToOutside({ bubble, task }: { bubble: Bubble; task: TaskWorld }) {
  const t = useTranslations('chat')
  const lines = bubble.messages.flatMap((message) =>
    message.receivers.flatMap((id) => {
      const { kind, name } = task.who(id)
      const delivery = task.deliveries[id]?.[message.id]
      if (kind !== 'outside' || (delivery?.state !== 'queued' && delivery?.state !== 'failed')) return []
      return [{ id, name, delivery }]
    }),
  )
  return lines.map(({ id, name, delivery }) => (
    <p key={id} data-state={delivery.state} className="mt-1 flex items-center gap-1.5 text-meta text-t2">
      {delivery.state === 'queued' ? (
        <Hourglass className="size-3.5 shrink-0 text-waiting" />
      ) : (
        <CircleX className="size-3.5 shrink-0 text-failed" />
      )}
      <span className="min-w-0 break-words">
        {delivery.state === 'queued'
          ? t('outside.queued', { who: name })
          : t('outside.failed', { who: name, why: delivery.note ?? '' })}
      </span>
    </p>
  ))
}
