/** The running steps of this process: each runs to its end and is recorded, or is aborted when it has ended in the world. */
import type { Envelope, NewBody } from '@/lib/mas/commands/command'
import { asId, type StepId } from '@/lib/mas/ids'
import { plainOutcome, type StepOutcome } from '@/lib/mas/outcome'
import type { StepRecord, World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/selectors/agents/agents'
import type { Ephemeral } from '@/lib/wire/views'
import { errorMessage } from '@/server/shared/errors'
import { attemptKey } from '../dispatch/attemptKey'
import type { CommitAnswer } from '../port'
import type { BodyCaches } from './bodyCache'
import type { ReadAhead } from './readAhead'
import type { RequestWatch } from './requestWatch'
import { openStepPrograms, type ProgramParts, type Running } from './stepPrograms'

type StepRunParts = ProgramParts & { onMistake: (error: unknown, what: string) => void }

type OfRunner = {
  put: (command: Envelope['command'], bodies?: NewBody[], id?: string) => Promise<CommitAnswer>
  caches: BodyCaches
  watch: RequestWatch
  ahead: ReadAhead
  /** Starts the agent's next step together with an outcome; null: none. */
  next: () => { node: string; epoch: number } | null
}

export function openStepRuns(parts: StepRunParts, { put, caches, next, ...watching }: OfRunner) {
  const running = new Map<StepId, Running>()
  const program = openStepPrograms(parts, { put, ...watching })

  /** The command id of an outcome is made from the attempt, so an attempt has one outcome at all nodes. */
  async function finish(step: StepRecord, attempt: number, outcome: StepOutcome, made?: NewBody[]): Promise<false> {
    const near = { task: step.task, agent: step.agent }
    const command = { type: 'finishStep', step: step.id, near, attempt, outcome, goOn: next() } as const
    await put(command, made, `outcome:${attemptKey(step.id, attempt)}`)
    return false
  }

  return {
    /** Resolves when its outcome is in the world, or it was aborted. out: whether it asked people; if nobody must be asked, it continues */
    async run(step: StepRecord, attempt: number): Promise<boolean> {
      const mine: Running = { step, attempt, abort: new AbortController(), text: '', isDone: false }
      running.set(step.id, mine)
      try {
        const bodies = caches.open()
        const end = await program(mine, bodies)
        if (mine.abort.signal.aborted) return false
        // Requests of a tool end with its step.
        mine.isDone = step.type !== 'tool'
        if (end.held) return (await put({ type: 'holdStep', step: step.id, attempt, call: end.call }, bodies.made)).ok
        return await finish(step, attempt, end.outcome, bodies.made)
      } catch (error) {
        if (mine.abort.signal.aborted) return false
        parts.onMistake(error, `step ${step.id}`)
        return await finish(step, attempt, brokenOutcome(error))
      } finally {
        running.delete(step.id)
      }
    },
    /** Abort the runs whose attempt has ended in this world. */
    abortEnded(world: World): void {
      for (const { step, attempt, abort, isDone } of running.values()) {
        if (isDone) continue
        const now = selectStep(world, step.task, step.agent, step.id)
        if (now?.state !== 'running' || now.attempt?.number !== attempt) abort.abort(new Error('the step is over'))
      }
    },
    abortAll(): void {
      for (const { abort } of running.values()) abort.abort(new Error('the engine stops'))
    },
    textOf(step: string): { attempt: number; text: string } | null {
      const mine = running.get(asId<StepId>(step))
      return mine ? { attempt: mine.attempt, text: mine.text } : null
    },
    texts: (): Ephemeral[] =>
      [...running.values()].map(({ step, attempt, text }) => ({
        kind: 'text',
        task: step.task,
        agent: step.agent,
        step: step.id,
        attempt,
        at: 0,
        text,
      })),
  }
}

/** The code of the step failed: the step fails instead of hanging. */
const brokenOutcome = (error: unknown): StepOutcome => {
  const reason = errorMessage(error)
  return { ...plainOutcome(reason), state: 'failed', reason }
}
