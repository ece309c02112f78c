/** How many steps each node runs, as the journal has it and as it was just asked for, and where the next one goes. */
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/selectors/agents'

/** A chain of steps moves where another node has so many fewer: with one fewer the two would only change places. */
const WORTH_MOVING = 2

export type StepPlaces = {
  /** That node takes steps; without the files of the workspace only those that need none. */
  add(node: string, hasFiles?: boolean): void
  remove(node: string): void
  has(node: string): boolean
  /**
   * The node for the agent's next step: the one that runs the least. It counts there from now on.
   *
   * in      from: where its last step ran; needsFiles: of the workspace
   */
  choose(agent: AgentId, from?: string, needsFiles?: boolean): string
  /** Has a node no files, so that it matters what a step needs? */
  differ(): boolean
  /** Where the agent's step runs in this world. */
  look(agent: AgentId, world: World): void
  onEntries(entries: Entry[], world: World): void
}

/** in: self: the node that decides: it always takes steps, and has the files */
export function openPlaces(self: string): StepPlaces {
  /** In the order they came; the first of those that run the same is taken. */
  const takers = new Map([[self, true]])
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

  function best(from: string | undefined, needsFiles: boolean): string {
    if (takers.size === 1) return self
    let least = self
    const fits = (node: string): boolean => takers.has(node) && (!needsFiles || takers.get(node) === true)
    for (const node of takers.keys()) if (fits(node) && countOf(node) < countOf(least)) least = node
    const stays = from !== undefined && fits(from) && countOf(from) - countOf(least) < WORTH_MOVING
    return stays ? from : least
  }

  function look(agent: AgentId, world: World): void {
    const running = world.work[agent]?.running
    const step = running ? selectStep(world, running.task, agent, running.step) : null
    move(agent, step?.attempt?.node ?? null)
  }

  return {
    add: (node, hasFiles = true) => void takers.set(node, hasFiles),
    remove: (node) => void (node !== self && takers.delete(node)),
    has: (node) => takers.has(node),
    differ: () => [...takers.values()].includes(false),
    choose(agent, from, needsFiles = false) {
      const node = best(from, needsFiles)
      move(agent, node)
      return node
    },
    look,
    onEntries(entries, world) {
      for (const { event } of entries) if ('step' in event && 'agent' in event) look(event.agent, world)
    },
  }
}
