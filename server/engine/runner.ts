/** Runs agents: each takes its next step, runs it, and returns the outcome as one command. Idle agents cost nothing. */
import type { Envelope, NewBody } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId, SYSTEM_TASK, type TaskId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { selectNextStep, selectStep } from '@/lib/mas/selectors/agents'
import type { Ephemeral } from '@/lib/wire/views'
import type { Bodies } from '../store'
import { openBodyCaches } from './bodyCache'
import type { CommitAnswer } from './port'
import { openReadAhead } from './readAhead'
import { openRequestWatch } from './requestWatch'
import type { ProgramParts } from './stepPrograms'
import { openStepRuns } from './stepRuns'

type RunnerParts = ProgramParts & {
  epoch: () => number
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  bodies: Pick<Bodies, 'get'>
  onMistake: (error: unknown, what: string) => void
}

interface Runner {
  /** Entries were confirmed: wake who has work now, abort what is over. */
  onEntries(entries: Entry[], world: World): void
  /** Look at every agent once, after start-up. */
  wakeAll(): void
  textOf(step: string): { attempt: number; text: string } | null
  /** The streaming text so far of all steps. */
  texts(): Ephemeral[]
  /** Whole texts that steps asked for are read again when one needs them. */
  forgetTexts(): void
  /** Abort what runs and wait for it; nothing is started any more. */
  stop(): Promise<void>
}

export function createRunner(parts: RunnerParts): Runner {
  const { world, commit, newId } = parts
  const busy = new Map<AgentId, Promise<void>>()
  const caches = openBodyCaches(parts.bodies, parts.clock)
  const watch = openRequestWatch(world)
  const ahead = openReadAhead()
  const steps = openStepRuns(parts, { put, caches, watch, ahead, next: () => (isStopped ? null : self()) })
  let isStopped = false
  /** The journal accepts nothing more from this process. */
  let isOver = false

  function wake(agent: AgentId): void {
    if (isStopped || isOver || busy.has(agent) || selectNextStep(world(), agent) === null) return
    const work = runAgent(agent)
      .catch((error) => parts.onMistake(error, `agent ${agent}`))
      .finally(() => {
        busy.delete(agent)
        // Work that came while this run was closing.
        wake(agent)
      })
    busy.set(agent, work)
  }

  async function runAgent(agent: AgentId): Promise<void> {
    for (;;) {
      const step = isStopped ? null : selectNextStep(world(), agent)
      if (!step) return
      const started = await put({ type: 'startStep', step: step.id, agent, ...self() })
      // Refused: something came first; the entries of whatever it was wake this agent again.
      if (!started.ok) return
      // Each outcome begins the next step in the same decision, so that a chain takes one commit for each step.
      for (let begun = begunHere(agent); begun !== null; ) {
        const isKept: boolean = await steps.run(begun.step, begun.attempt)
        begun = isKept ? begunHere(agent) : null
      }
    }
  }

  const self = (): { node: string; epoch: number } => ({ node: parts.node, epoch: parts.epoch() })

  /** The step of this agent that was begun for this process. Between two steps that is the one to run now. */
  function begunHere(agent: AgentId): { step: StepRecord; attempt: number } | null {
    const ref = world().work[agent]?.running
    const step = ref ? selectStep(world(), ref.task, agent, ref.step) : null
    if (step?.state !== 'running' || step.attempt === null || step.attempt.node !== parts.node) return null
    return { step, attempt: step.attempt.number }
  }

  async function put(command: Envelope['command'], bodies: NewBody[] = []): Promise<CommitAnswer> {
    const answer = await commit({ id: newId(), by: 'system:runner', command, bodies })
    if (answer.ok) caches.stored(bodies)
    else if (answer.fault.code === 'STORE_BROKEN' || answer.fault.code === 'STOPPING') isOver = true
    return answer
  }

  return {
    onEntries(entries, next) {
      watch.onEntries(entries, next)
      steps.abortEnded(next)
      for (const agent of namedAgents(entries, next)) wake(agent)
    },
    wakeAll() {
      for (const agent of Object.keys(world().agents)) wake(asId<AgentId>(agent))
    },
    textOf: steps.textOf,
    texts: steps.texts,
    forgetTexts: caches.forgetTexts,
    async stop() {
      isStopped = true
      ahead.stop()
      steps.abortAll()
      await Promise.allSettled(busy.values())
    },
  }
}

/** The agents that these entries may have given work. */
function namedAgents(entries: Entry[], world: World): Set<AgentId> {
  const agents = new Set<AgentId>()
  for (const { event } of entries) {
    if ('agent' in event) agents.add(event.agent)
    if (event.type === 'task.resumed') for (const member of groupOf(world, event.task)) agents.add(member)
    // The asker may have been waiting for this to be settled.
    if (event.type === 'message.receipt') {
      const sender = world.messages[event.task]?.[event.message]?.sender ?? SYSTEM_TASK
      if (sender !== SYSTEM_TASK) agents.add(sender)
    }
    if (event.type === 'budget.extended' || event.type === 'budget.lifted') {
      for (const agent of goingOn(world, event.task, event.of)) agents.add(agent)
    }
  }
  return agents
}

/** The agents stopped at a limit: one, those of a task, or all (the base task stands for the day). */
const goingOn = (world: World, task: TaskId, of: AgentId | null): AgentId[] =>
  of !== null ? [of] : task === world.baseTask ? (Object.keys(world.agents) as AgentId[]) : groupOf(world, task)

const groupOf = (world: World, task: TaskId): AgentId[] => world.tasks[task]?.group ?? []
