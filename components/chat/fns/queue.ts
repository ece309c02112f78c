/** Where a message stands in an agent's queue. Pure. */
import type { AgentId, MessageId } from '@/lib/mas/ids'
import { stepIn } from '@/lib/mas/ownSteps'
import type { World } from '@/lib/mas/records'

/**
 * in      the agent's own view: its work and its steps
 * out     the place, from 1; null: it is not in the queue, or was read already
 */
export function queuePlace(
  { work, steps }: Pick<World, 'work' | 'steps'>,
  agent: AgentId,
  message: MessageId,
): number | null {
  const todo = work[agent]?.todo ?? []
  const at = todo.findIndex(({ task, step }) => stepIn(steps[task]?.[agent], step)?.cause.message === message)
  return at < 0 ? null : at + 1
}

/** Somebody asked for it to be read first. */
export const isPrioritised = (
  { work, steps }: Pick<World, 'work' | 'steps'>,
  agent: AgentId,
  message: MessageId,
): boolean =>
  (work[agent]?.todo ?? []).some(({ task, step }) => {
    const one = stepIn(steps[task]?.[agent], step)
    return one?.cause.message === message && one.hurried === true
  })
