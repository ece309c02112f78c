/** Runs the steps assigned to this node in the journal, one at a time per agent, and returns each outcome as one command. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Envelope, NewBody } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/team/agents'
import type { Bodies } from '../../store'
import { attemptKey } from '../dispatch/attemptKey'
import type { CommitAnswer } from '../port'
import { openBodyCaches } from './bodyCache'
import { openReadAhead } from './readAhead'
import { openRequestWatch } from './requestWatch'
import { openStepRuns, type StepRunParts } from './stepRuns'

type RunnerParts = StepRunParts & {
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  bodies: Pick<Bodies, 'get'>
  /** With several nodes, steps that start together take turns. On a single node they share a commit by ending together. */
  takesTurns: boolean
}

export function createRunner(parts: RunnerParts) {
  const { node, world, commit, newId } = parts
  const busy = new Map<AgentId, Promise<void>>()
  /** The newest attempt of each agent that was run here, or must not be. */
  const known = new Map<AgentId, string>()
  const caches = openBodyCaches(parts.bodies, parts.clock)
  const watch = openRequestWatch(world)
  const ahead = openReadAhead()
  const next = () => (takes() ? { node, epoch: world().epoch } : null)
  const steps = openStepRuns(parts, { put, caches, watch, ahead, next })
  const ownTurn = parts.takesTurns ? turns() : async () => {}
  let isRunning = false
  /** Only running steps are finished. */
  let isDraining = false
  let wasStarted = false

  const takes = (): boolean => isRunning && !isDraining

  function wake(agent: AgentId): void {
    if (!takes() || busy.has(agent) || begunHere(agent) === null) return
    const work = runAgent(agent)
      .catch((error) => parts.onMistake(error, `agent ${agent}`))
      .finally(() => {
        busy.delete(agent)
        // A step that was assigned while this run was closing.
        wake(agent)
      })
    busy.set(agent, work)
  }

  async function runAgent(agent: AgentId): Promise<void> {
    await ownTurn()
    // An outcome may start the next step in the same decision, so that a chain needs one commit per step.
    for (let begun = begunHere(agent); takes() && begun !== null; begun = begunHere(agent)) {
      known.set(agent, attemptKey(begun.step.id, begun.attempt))
      if (await steps.run(begun.step, begun.attempt)) known.delete(agent)
      await ownTurn()
    }
  }

  /** The agent's step that is assigned to this node and has not been run. */
  function begunHere(agent: AgentId): { step: StepRecord; attempt: number } | null {
    const ref = world().work[agent]?.running
    const step = ref ? selectStep(world(), ref.task, agent, ref.step) : null
    if (step?.state !== 'running' || step.attempt === null || step.attempt.node !== node) return null
    const attempt = step.attempt.number
    return known.get(agent) === attemptKey(step.id, attempt) ? null : { step, attempt }
  }

  /** in: id: a command id that is the same at every node; default: a new one */
  async function put(command: Envelope['command'], bodies: NewBody[] = [], id = newId()): Promise<CommitAnswer> {
    const answer = await commit({ id, by: 'system:runner', command, bodies })
    if (answer.ok) caches.stored(bodies)
    return answer
  }

  return {
    /** Called once: steps assigned before belong to an earlier process; only later ones are run. */
    start(): void {
      if (wasStarted) return
      wasStarted = true
      for (const agent of Object.keys(world().work) as AgentId[]) {
        const begun = begunHere(agent)
        if (begun !== null) known.set(agent, attemptKey(begun.step.id, begun.attempt))
      }
      isRunning = true
    },
    /** Entries were confirmed: run new steps of this node, abort ended ones. */
    onEntries(entries: Entry[], next: World): void {
      watch.onEntries(entries, next)
      steps.abortEnded(next)
      for (const { event } of entries) if (event.type === 'step.started' && event.node === node) wake(event.agent)
    },
    /** The attempts (`attemptKey`) that run here or will start; null: this node runs none, not yet or not any more. */
    inHand(): ReadonlySet<string> | null {
      if (!isRunning) return null
      return new Set(
        [...busy.keys()].flatMap((agent) => {
          const begun = isDraining ? null : begunHere(agent)
          return [known.get(agent) ?? [], begun ? attemptKey(begun.step.id, begun.attempt) : []].flat()
        }),
      )
    },
    textOf: steps.textOf,
    doingOf: steps.doingOf,
    /** The current streaming text of all steps, and what they do. */
    notes: steps.notes,
    /** Start no more steps. Resolves when the outcomes of running ones are in the world. */
    async drain(): Promise<void> {
      isDraining = true
      await Promise.allSettled(busy.values())
    },
    /** Drop complete texts from memory; they are read again when needed. */
    forgetTexts: caches.forgetTexts,
    forgetStored: caches.forgetStored,
    /** Abort running steps and wait for them; nothing runs afterwards. */
    async stop(): Promise<void> {
      wasStarted = true
      isRunning = false
      ahead.stop()
      steps.abortAll()
      await Promise.allSettled(busy.values())
    },
  }
}

export type Runner = ReturnType<typeof createRunner>

/** out: waits for a separate turn of the event loop: steps that start together would delay sockets with their prompts */
function turns(): () => Promise<void> {
  let free: Promise<unknown> = Promise.resolve()
  return async () => {
    const mine = free
    // Immediates of one turn run together: sockets are served between two turns.
    free = free.then(() => nextTurn()).then(() => nextTurn())
    await mine
  }
}
