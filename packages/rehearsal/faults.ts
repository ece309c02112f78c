/** Injects faults into the calls of a model, for tests. Calls are counted from 1, in total and per agent. */
import { calledBy, type Model, ModelError, type ModelPiece, type Sleep, stopped } from '@/server/models/model'
import { parsePrompt } from './readPrompt'

/** The fault of the n-th call: of this agent (name or id), or of all together when none is named. */
export type PlannedFault = { call: number; kind: 'malformed' | 'slow' | 'rate_limited'; agent?: string | null }

const RETRY_AFTER_MS = 1_000
const SLOW_MS = 5_000

export function withFaults(model: Model, plan: readonly PlannedFault[], sleep: Sleep): Model {
  let all = 0
  const byAgent = new Map<string, number>()
  return calledBy(model, async function* (turns, options): AsyncGenerator<ModelPiece> {
    all += 1
    const agent = parsePrompt(turns).role
    const own = (byAgent.get(agent.id) ?? 0) + 1
    byAgent.set(agent.id, own)
    const kinds = plan
      .filter((fault) => (fault.agent ? isAgent(agent, fault.agent) && fault.call === own : fault.call === all))
      .map((fault) => fault.kind)
    if (kinds.includes('slow')) await sleep(SLOW_MS, options.signal)
    if (options.signal.aborted) throw stopped()
    if (kinds.includes('rate_limited'))
      throw new ModelError('MODEL_RATE_LIMITED', 'too many requests', true, RETRY_AFTER_MS)
    if (!kinds.includes('malformed')) return yield* model.call(turns, options)
    for await (const piece of model.call(turns, options)) {
      if (piece.type !== 'end') continue
      yield { type: 'text', text: 'An answer without the tag that was asked for.' }
      yield piece
    }
  })
}

const isAgent = (agent: { name: string; id: string }, wanted: string): boolean =>
  agent.id === wanted || agent.name.toLowerCase() === wanted.toLowerCase()
