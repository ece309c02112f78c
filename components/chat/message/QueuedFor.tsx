/** “Queued: Coder reads it after this step (position 2)”, until the agent has read the message. */
import { ListEnd } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { useMe } from '@/client/account/session'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { readNowAct } from '@/components/operate/acts'
import { ServerButton } from '@/components/ui/ServerButton'
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import type { Who } from '@/lib/wire/rows'

/**
 * in      the agent's own view: its work and its steps
 * out     the place, from 1, and whether somebody asked for it to be read first; null: it is not in the queue, or was read already
 */
export function placeInQueue(
  { work, steps }: Pick<World, 'work' | 'steps'>,
  agent: AgentId,
  message: MessageId,
): { position: number; isNext: boolean } | null {
  const queue = (work[agent]?.todo ?? []).map(({ task, step }) => stepIn(steps[task]?.[agent], step))
  const at = queue.findIndex((step) => step?.cause.message === message)
  return at < 0 ? null : { position: at + 1, isNext: queue[at]?.prioritized === true }
}

type QueuedForProps = {
  agent: Who & { id: AgentId }
  message: MessageId
  /** It was sent while the agent was paused, and is delivered when the agent resumes. */
  isHeld: boolean
}

export default function QueuedFor({ agent, message, isHeld }: QueuedForProps) {
  const t = useTranslations('chat')
  const isOperator = useMe()?.person.access === 'operator'
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const { position, isNext, isRunning, isPaused } = useRecords(`agent:${agent.id}`, (world) => ({
    ...(placeInQueue(world, agent.id, message) ?? { position: null, isNext: false }),
    isRunning: (world.work[agent.id]?.running ?? null) !== null,
    isPaused: (world.agents[agent.id]?.paused ?? null) !== null,
  }))
  const isInQueue = position !== null && (position > 1 || isRunning || isPaused)
  if (!isInQueue && !(isHeld && isPaused)) return null
  const who = agent.name
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-t2">
      <p className="flex items-center gap-1.5">
        <ListEnd className="size-3.5 shrink-0 text-t3" />
        {isNext
          ? t('readNow.next', { who })
          : position === null
            ? t('queuedHeld', { who })
            : isPaused
              ? t('queuedPaused', { who, position })
              : t('queued', { who, position })}
      </p>
      {isOperator && !isNext ? (
        <ServerButton
          look="quiet"
          onClick={() =>
            setAsked({
              title: t('readNow.title', { who }),
              what: t('readNow.what', { who }),
              action: t('readNow.action'),
              act: readNowAct(agent.id, message),
              done: t('readNow.done', { who }),
            })
          }
        >
          {t('readNow.do', { who })}
        </ServerButton>
      ) : null}
      <ActDialog asked={asked} onClose={() => setAsked(null)} />
    </div>
  )
}
