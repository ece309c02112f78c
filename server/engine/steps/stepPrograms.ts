/** The code of one step: its skill with a model, or its tool, with the engine functions that it may use. */
import type { Envelope, NewBody } from '@/lib/mas/commands/command'
import type { StepOutcome } from '@/lib/mas/outcome'
import type { ModelCall, StepRecord, World } from '@/lib/mas/records'
import type { Ephemeral } from '@/lib/wire/views'
import type { FileWatch, OutgoingFiles } from '../../files'
import type { Models } from '../../models/model'
import type { BodyCache, RunSkill } from '../../skills/port'
import { abilitiesList, prepareCall, type ToolCall, type ToolPool } from '../../tools'
import { attemptKey } from '../dispatch/attemptKey'
import type { CommitAnswer } from '../port'
import type { ReadAhead } from './readAhead'
import type { RequestWatch } from './requestWatch'
import { runTool, type ToolEnd } from './runTool'
import { toolServerRequests } from './toolServerRequests'

/** A running step. isDone: its skill has returned the outcome: nothing is left to abort. */
export type Running = { step: StepRecord; attempt: number; abort: AbortController; text: string; isDone: boolean }

export type ProgramParts = {
  node: string
  world: () => World
  runSkill: RunSkill
  models: Models
  pool: ToolPool
  files?: FileWatch | undefined
  outgoing?: OutgoingFiles | undefined
  now: () => number
  /** Measures durations only, ms. */
  clock: () => number
  newId: () => string
  onText: (note: Extract<Ephemeral, { kind: 'text' }>) => void
}

type OfRunner = {
  put: (command: Envelope['command'], bodies?: NewBody[]) => Promise<CommitAnswer>
  watch: RequestWatch
  ahead: ReadAhead
}

/** out: runs a step to its end, in memory; the caller records the outcome */
export function openStepPrograms(
  parts: ProgramParts,
  { put, watch, ahead }: OfRunner,
): (mine: Running, bodies: BodyCache) => Promise<ToolEnd> {
  const { world, newId } = parts

  const skill = (mine: Running, bodies: BodyCache): Promise<StepOutcome> => {
    const { step, attempt, abort } = mine
    const { outgoing } = parts
    return parts.runSkill({
      world: world(),
      step,
      now: parts.now(),
      attempt,
      model: parts.models.get(world().agents[step.agent]?.model ?? 'default'),
      bodies,
      abilities: (server) => abilitiesOf(server, abort.signal),
      ...(outgoing ? { filesAt: (paths) => outgoing(world(), step, paths) } : {}),
      doubtCall: (server, call) => doubtCall(server, call, abort.signal),
      signal: abort.signal,
      onText: (text) => hear(mine, text),
      async onCall(call: ModelCall) {
        mine.text = ''
        await put({ type: 'recordCall', step: step.id, call }, bodies.made)
      },
      newId,
      clock: parts.clock,
    })
  }

  /** Streaming text of a running step. */
  function hear(mine: Running, text: string): void {
    const { step, attempt } = mine
    const at = mine.text.length
    parts.onText({ kind: 'text', task: step.task, agent: step.agent, step: step.id, attempt, at, text })
    mine.text += text
  }

  const tool = (mine: Running, bodies: BodyCache) =>
    runTool({
      world: world(),
      step: mine.step,
      bodies,
      pool: parts.pool,
      ahead,
      signal: mine.abort.signal,
      onProgress: (text) => hear(mine, text),
      asks: toolServerRequests({
        step: mine.step,
        attempt: mine.attempt,
        // A person has no model.
        model: world().agents[mine.step.agent]?.model || 'default',
        models: parts.models,
        bodies,
        signal: mine.abort.signal,
        watch,
        put,
        newId,
        now: parts.now,
        clock: parts.clock,
      }),
      async onEffect() {
        const { step, attempt } = mine
        const key = attemptKey(step.id, attempt)
        const answer = await put({ type: 'startEffect', step: step.id, attempt, key, node: parts.node })
        if (!answer.ok) throw answer.fault
      },
      ...(parts.files ? { files: parts.files } : {}),
      async onFiles(found) {
        await put({ type: 'recordFiles', step: mine.step.id, ...found })
      },
    })

  async function abilitiesOf(server: string, signal: AbortSignal): Promise<string> {
    const answer = await parts.pool.describe(server, signal)
    return answer.ok ? abilitiesList(answer.description) : answer.message
  }

  /** The parameters of an unreachable server are unknown: its step says why it failed. */
  async function doubtCall(server: string, call: ToolCall, signal: AbortSignal): Promise<string | null> {
    const answer = await parts.pool.describe(server, signal)
    if (!answer.ok) return null
    const prepared = await prepareCall(answer.description, call)
    return prepared.ok ? null : prepared.message
  }

  return async (mine, bodies) =>
    mine.step.type === 'tool' ? tool(mine, bodies) : { held: false, outcome: await skill(mine, bodies) }
}
