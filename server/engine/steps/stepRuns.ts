/** The running steps of this process: each runs to its end and is recorded, or is aborted when it has ended in the world. */
import type { Envelope, NewBody } from '@/lib/mas/commands/command'
import type { StepId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import { selectStep } from '@/lib/mas/team/agents'
import { errorMessage } from '@/server/shared/errors'
import type { FileWatch, OutgoingFiles } from '../../files'
import type { Models } from '../../models/model'
import type { BodyCache, RunSkill } from '../../skills/port'
import { abilitiesList, prepareCall, type ToolCall, type ToolPool } from '../../tools'
import { attemptKey } from '../dispatch/attemptKey'
import type { CommitAnswer } from '../port'
import type { BodyCaches } from './bodyCache'
import type { ReadAhead } from './readAhead'
import type { RequestWatch } from './requestWatch'
import { runTool, type ToolEnd } from './runTool'
import { firstDoingOf, openStepNotes, type StepNotesParts, type ToldStep } from './stepNotes'
import { toolServerRequests } from './toolServerRequests'

/** isDone: its skill has returned the outcome: nothing is left to abort. */
type Running = ToldStep & { abort: AbortController; isDone: boolean }

export type StepRunParts = StepNotesParts & {
  node: string
  world: () => World
  runSkill: RunSkill
  models: Models
  pool: ToolPool
  files?: FileWatch | undefined
  outgoing?: OutgoingFiles | undefined
  /** Measures durations only, ms. */
  clock: () => number
  newId: () => string
  onMistake: (error: unknown, what: string) => void
}

type OfRunner = {
  put: (command: Envelope['command'], bodies?: NewBody[], id?: string) => Promise<CommitAnswer>
  caches: BodyCaches
  watch: RequestWatch
  ahead: ReadAhead
  /** Starts the agent's next step together with an outcome; null: none. */
  next: () => { node: string; epoch: number } | null
}

export function openStepRuns(parts: StepRunParts, { put, caches, watch, ahead, next }: OfRunner) {
  const { node, world, models, pool, files, outgoing, now, clock, newId } = parts
  const running = new Map<StepId, Running>()
  const notes = openStepNotes(parts, running)

  async function runSkill(mine: Running, bodies: BodyCache): Promise<ToolEnd> {
    const { step, attempt, abort } = mine
    const outcome = await parts.runSkill({
      world: world(),
      step,
      now: now(),
      attempt,
      model: models.get(world().agents[step.agent]?.model ?? 'default'),
      bodies,
      abilities: (server) => abilitiesOf(pool, server, abort.signal),
      ...(outgoing ? { filesAt: (paths) => outgoing(world(), step, paths) } : {}),
      toolsOf: async (server) => {
        const answer = await pool.describe(server, abort.signal)
        return answer.ok ? answer.description.tools : []
      },
      doubtCall: (server, call) => doubtCall(pool, server, call, abort.signal),
      signal: abort.signal,
      onText: (text) => notes.hear(mine, text),
      onDoing: (doing) => notes.turnTo(mine, doing),
      async onCall(call) {
        mine.text = ''
        await put({ type: 'recordCall', step: step.id, call }, bodies.made)
      },
      newId,
      clock,
    })
    return { held: false, outcome }
  }

  function callTool(mine: Running, bodies: BodyCache): Promise<ToolEnd> {
    const { step, attempt, abort } = mine
    const { signal } = abort
    // A person has no model.
    const model = world().agents[step.agent]?.model || 'default'
    const onAsking = (isAsking: boolean) => notes.turnTo(mine, isAsking ? { what: 'person' } : firstDoingOf(step))
    const asking = { world, step, attempt, model, models, bodies, signal, watch, onAsking, put, newId, now, clock }
    return runTool({
      world: world(),
      step,
      bodies,
      pool,
      ahead,
      signal,
      onProgress: (text) => notes.hear(mine, text),
      asks: toolServerRequests(asking),
      async onEffect() {
        const key = attemptKey(step.id, attempt)
        const answer = await put({ type: 'startEffect', step: step.id, attempt, key, node })
        if (!answer.ok) throw answer.fault
      },
      ...(files ? { files } : {}),
      async onFiles(found) {
        await put({ type: 'recordFiles', step: step.id, ...found })
      },
    })
  }

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
      const mine = { step, attempt, abort: new AbortController(), text: '', doing: notes.firstOf(step), isDone: false }
      running.set(step.id, mine)
      try {
        notes.begin(mine)
        const bodies = caches.open()
        const end = await (step.type === 'tool' ? callTool : runSkill)(mine, bodies)
        if (mine.abort.signal.aborted) return false
        // Requests of a tool end with its step.
        mine.isDone = step.type !== 'tool'
        if (end.held) {
          return (await put({ ...end.until, step: step.id, attempt }, bodies.made)).ok
        }
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
    textOf: notes.textOf,
    doingOf: notes.doingOf,
    notes: notes.all,
  }
}

async function abilitiesOf(pool: ToolPool, server: string, signal: AbortSignal): Promise<string> {
  const answer = await pool.describe(server, signal)
  return answer.ok ? abilitiesList(answer.description) : answer.message
}

/** The parameters of an unreachable server are unknown: its step says why it failed. */
async function doubtCall(pool: ToolPool, server: string, call: ToolCall, signal: AbortSignal): Promise<string | null> {
  const answer = await pool.describe(server, signal)
  if (!answer.ok) return null
  const prepared = await prepareCall(answer.description, call)
  return prepared.ok ? null : prepared.message
}

/** The code of the step failed: the step fails instead of hanging. */
const brokenOutcome = (error: unknown): StepOutcome => {
  const reason = errorMessage(error)
  return { ...plainOutcome(reason), state: 'failed', reason }
}
