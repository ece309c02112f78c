/** The number of steps at each node, by the journal and by pending starts, and the node for the next step. */
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/team/agents'

/** A chain of steps moves to a node with so many fewer steps; with one fewer the two would only swap. */
const WORTH_MOVING = 2

/** in: self: the deciding node, which always accepts steps and has the workspace */
export function openPlaces(self: string) {
  /** In order of arrival; of nodes with the same number the first is used. */
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
    /** The node accepts steps; without the workspace only those that do not need it. */
    add: (node: string, hasFiles: boolean = true): void => void takers.set(node, hasFiles),
    remove: (node: string): void => void (node !== self && takers.delete(node)),
    has: (node: string): boolean => takers.has(node),
    /** Whether a node lacks the workspace, so that the needs of a step matter. */
    differ: (): boolean => [...takers.values()].includes(false),
    /**
     * The node for the agent's next step: the one with the fewest. The step is counted there from now on.
     *
     * in      from: the node of its last step; needsFiles: it uses the workspace
     */
    choose(agent: AgentId, from?: string, needsFiles: boolean = false): string {
      const node = best(from, needsFiles)
      move(agent, node)
      return node
    },
    /** The node of the agent's step in this world. */
    look,
    onEntries(entries: Entry[], world: World): void {
      for (const { event } of entries) if ('step' in event && 'agent' in event) look(event.agent, world)
    },
  }
}

export type StepPlaces = ReturnType<typeof openPlaces>
