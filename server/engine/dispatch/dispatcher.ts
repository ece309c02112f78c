/** Starts the next step of each agent that has work, at the chosen node. Idle agents cost nothing. */
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId, SYSTEM_TASK, type TaskId } from '@/lib/mas/ids'
import { selectNextStep } from '@/lib/mas/members'
import type { StepRecord, World } from '@/lib/mas/records'
import type { CommitAnswer } from '../port'
import type { StepPlaces } from './places'

type DispatcherParts = {
  world: () => World
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  newId: () => string
  places: StepPlaces
  /** Whether its step uses the workspace. */
  needsFiles: (step: StepRecord) => boolean
  onMistake: (error: unknown, what: string) => void
}

export function createDispatcher({ world, commit, newId, places, needsFiles, onMistake }: DispatcherParts) {
  const starting = new Set<AgentId>()
  /** Also true when the journal accepts nothing more from this process. */
  let isOver = false

  function wake(agent: AgentId): void {
    if (isOver || starting.has(agent)) return
    const next = selectNextStep(world(), agent)
    if (next === null) return
    starting.add(agent)
    start(next)
      .catch((error) => onMistake(error, `agent ${agent}`))
      .finally(() => {
        starting.delete(agent)
        // It was refused because another change came first, or there is more work now.
        wake(agent)
      })
  }

  async function start(next: StepRecord): Promise<void> {
    const { id: step, agent } = next
    const node = places.choose(agent, undefined, needsFiles(next))
    const command = { type: 'startStep', step, agent, node, epoch: world().epoch } as const
    const answer = await commit({ id: newId(), by: 'system:runner', command })
    if (answer.ok) return
    places.look(agent, world())
    if (answer.fault.code === 'STORE_BROKEN' || answer.fault.code === 'STOPPING') isOver = true
  }

  return {
    /** Entries were confirmed: start the steps of agents that have work now. */
    onEntries(entries: Entry[], next: World): void {
      for (const agent of namedAgents(entries, next)) wake(agent)
    },
    /** Check every agent once, after a start. */
    wakeAll(): void {
      for (const agent of Object.keys(world().agents)) wake(asId<AgentId>(agent))
    },
    /** Start nothing any more. */
    stop(): void {
      isOver = true
    },
  }
}

/** The agents that may have work after these entries. */
function namedAgents(entries: Entry[], world: World): Set<AgentId> {
  const agents = new Set<AgentId>()
  for (const { event } of entries) {
    if ('agent' in event) agents.add(event.agent)
    if (event.type === 'task.resumed') for (const member of groupOf(world, event.task)) agents.add(member)
    // The asker may have waited for this.
    if (event.type === 'message.delivery') {
      const sender = world.messages[event.task]?.[event.message]?.sender ?? SYSTEM_TASK
      if (sender !== SYSTEM_TASK) agents.add(sender)
    }
    if (event.type === 'request.answered' || event.type === 'request.ended') {
      const asker = world.requests[event.task]?.[event.request]?.asker ?? SYSTEM_TASK
      if (asker !== SYSTEM_TASK) agents.add(asker)
    }
    if (event.type === 'budget.lifted') {
      for (const agent of goingOn(world, event.task, event.of)) agents.add(agent)
    }
  }
  return agents
}

/** The agents stopped at a limit: one, those of a task, or all (the base task means the daily limit). */
const goingOn = (world: World, task: TaskId, of: AgentId | null): AgentId[] =>
  of !== null ? [of] : task === world.baseTask ? (Object.keys(world.agents) as AgentId[]) : groupOf(world, task)

const groupOf = (world: World, task: TaskId): AgentId[] => world.tasks[task]?.group ?? []
