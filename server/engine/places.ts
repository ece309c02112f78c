/** How many steps each node runs, as the journal has it and as it was just asked for, and where the next one goes. */
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/selectors/agents'

/** A chain of steps moves where another node has so many fewer: with one fewer the two would only change places. */
const WORTH_MOVING = 2

type StepPlacesParts = {
  /** The node that decides: it always takes steps. */
  self: string
  /** Steps of this agent are run by the node that decides. */
  isPinned: (agent: AgentId) => boolean
}

export type StepPlaces = {
  /** That node takes steps. */
  add(node: string): void
  remove(node: string): void
  has(node: string): boolean
  /** The node for the agent's next step: the one that runs the least. It counts there from now on. in: from: where its last step ran */
  choose(agent: AgentId, from?: string): string
  /** Where the agent's step runs in this world. */
  look(agent: AgentId, world: World): void
  onEntries(entries: Entry[], world: World): void
}

export function openPlaces({ self, isPinned }: StepPlacesParts): StepPlaces {
  /** In the order they came; the first of those that run the same is taken. */
  const takers = new Set([self])
  const at = new Map<AgentId, string>()
  const counts = new Map<string, number>()
  const countOf = (node: string): number => counts.get(node) ?? 0

  function move(agent: AgentId, to: string | null): void {
    const from = at.get(agent) ?? null
    if (from === to) return
    if (from !== null) counts.set(from, countOf(from) - 1)
    if (to !== null) counts.set(to, countOf(to) + 1)
    if (to === null) at.delete(agent)
    else at.set(agent, to)
  }

  function best(agent: AgentId, from: string | undefined): string {
    if (takers.size === 1 || isPinned(agent)) return self
    let least = self
    for (const node of takers) if (countOf(node) < countOf(least)) least = node
    const stays = from !== undefined && takers.has(from) && countOf(from) - countOf(least) < WORTH_MOVING
    return stays ? from : least
  }

  function look(agent: AgentId, world: World): void {
    const running = world.work[agent]?.running
    const step = running ? selectStep(world, running.task, agent, running.step) : null
    move(agent, step?.attempt?.node ?? null)
  }

  return {
    add: (node) => void takers.add(node),
    remove: (node) => void (node !== self && takers.delete(node)),
    has: (node) => takers.has(node),
    choose(agent, from) {
      const node = best(agent, from)
      move(agent, node)
      return node
    },
    look,
    onEntries(entries, world) {
      for (const { event } of entries) if ('step' in event && 'agent' in event) look(event.agent, world)
    },
  }
}
