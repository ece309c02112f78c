/** “Queued: Coder reads it after this step (position 2)”: what I sent to an agent that is busy. Nothing once it is read. */
import { ListEnd } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLog } from '@/client'
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { Who } from '@/lib/wire/rows'
import { queuePlace } from './fns/queue'

export function QueuedFor({ agent, message }: { agent: Who & { id: AgentId }; message: MessageId }) {
  const t = useTranslations('chat')
  const { position, isRunning, isPaused } = useLog(`agent:${agent.id}`, (world) => ({
    position: queuePlace(world, agent.id, message),
    isRunning: (world.work[agent.id]?.running ?? null) !== null,
    isPaused: (world.agents[agent.id]?.paused ?? null) !== null,
  }))
  if (position === null || (position === 1 && !isRunning && !isPaused)) return null
  return (
    <p className="mt-1 flex items-center gap-1.5 text-meta text-t2">
      <ListEnd aria-hidden className="size-3.5 shrink-0 text-t3" />
      {isPaused ? t('queuedPaused', { who: agent.name, position }) : t('queued', { who: agent.name, position })}
    </p>
  )
}
