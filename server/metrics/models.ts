/** Metrics of model calls: outcomes, faults, tokens, cost, times. */
import type { Registry } from 'prom-client'
import type { Entry } from '@/lib/mas/events'
import type { ModelCall } from '@/lib/mas/records'
import { calledBy, type Model, ModelError, type ModelPiece, type Models } from '../models/model'
import { boundedNames, OTHER } from './labels'
import { metricsOf } from './metricsOf'

/** Seconds: from a cached answer to a long thought. */
const CALL_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300]

/** Adds what is counted of model calls. out: takes each entry. */
export function addModels(registry: Registry) {
  const metrics = metricsOf(registry)
  const labelNames = ['provider', 'model'] as const
  const calls = metrics.counter(
    'convene_model_calls_total',
    'Model calls that were recorded, by outcome (taken, repaired, failed, cut, cancelled).',
    [...labelNames, 'outcome'],
  )
  const errors = metrics.counter('convene_model_errors_total', 'Faults of model calls, by code.', [
    ...labelNames,
    'code',
  ])
  const tokens = metrics.counter(
    'convene_model_tokens_total',
    'Tokens of model calls as far as they are known (prompt, completion; cached is a part of prompt, reasoning of completion).',
    [...labelNames, 'direction'],
  )
  const cost = metrics.counter(
    'convene_model_cost_usd_total',
    'Cost of model calls in US dollars as far as it is known.',
    [...labelNames],
  )
  const firstToken = metrics.histogram(
    'convene_model_first_token_seconds',
    'Time from the sending of a call to the first piece of its answer.',
    CALL_BUCKETS,
    [...labelNames],
  )
  const whole = metrics.histogram(
    'convene_model_call_seconds',
    'Time from the sending of a call to its end.',
    CALL_BUCKETS,
    [...labelNames],
  )
  const bounded = boundedNames()
  /** As the last look at the model had it. */
  const providers = new Map<string, string>()
  const labelsOf = (name: string): { provider: string; model: string } => {
    const model = bounded(name)
    return { provider: providers.get(model) ?? OTHER, model }
  }

  function record(call: ModelCall): void {
    const labels = labelsOf(call.model)
    calls.inc({ ...labels, outcome: call.outcome })
    if (call.promptTokens) tokens.inc({ ...labels, direction: 'prompt' }, call.promptTokens)
    if (call.completionTokens) tokens.inc({ ...labels, direction: 'completion' }, call.completionTokens)
    if (call.cachedTokens) tokens.inc({ ...labels, direction: 'cached' }, call.cachedTokens)
    if (call.reasoningTokens) tokens.inc({ ...labels, direction: 'reasoning' }, call.reasoningTokens)
    if (call.costUsd) cost.inc(labels, call.costUsd)
    if (call.firstTokenMs !== null) firstToken.observe(labels, call.firstTokenMs / 1_000)
    whole.observe(labels, call.totalMs / 1_000)
  }

  function watched(model: Model): Model {
    providers.set(bounded(model.name), model.provider)
    const failed = (error: unknown): void =>
      errors.inc({ ...labelsOf(model.name), code: error instanceof ModelError ? error.code : 'INTERNAL' })
    return calledBy(model, (turns, options) => countedStream(model.call(turns, options), failed))
  }

  return {
    decided(entries: readonly Entry[]): void {
      for (const { event } of entries) if (event.type === 'model.called') record(event.call)
    },
    /** The same models; the faults of their calls are counted. */
    watch: (models: Models): Models => ({ get: (name) => watched(models.get(name)) }),
  }
}

/** The same stream; `failed` gets its fault, also of an answer that ends without its end piece. */
async function* countedStream(
  stream: AsyncIterable<ModelPiece>,
  failed: (error: unknown) => void,
): AsyncGenerator<ModelPiece> {
  let isEnded = false
  try {
    for await (const piece of stream) {
      isEnded = piece.type === 'end'
      yield piece
    }
  } catch (error) {
    failed(error)
    throw error
  }
  if (!isEnded) failed(new ModelError('MODEL_CUT', 'the answer broke off before its end', true))
}
