/** What callers of the models rely on: lookup by name, honest refusals, the price. */
import { describe, expect, it } from 'vitest'
import { modelAt } from '@/test/modelCalls'
import { openModelPeer } from '@/test/modelPeer'
import { writtenBy } from '@/test/modelWires'
import { ModelError, type ModelPiece, openModels } from './index'

const models = () => openModels({ models: { default: { provider: 'person' }, big: { provider: 'openai-compatible' } } })
const collect = async (call: AsyncIterable<ModelPiece>): Promise<ModelPiece[]> => {
  const pieces: ModelPiece[] = []
  for await (const piece of call) pieces.push(piece)
  return pieces
}
const signal = () => new AbortController().signal
const codeOf = async (work: () => Promise<unknown>): Promise<string> =>
  work().then(
    () => 'nothing was thrown',
    (error: unknown) => (error instanceof ModelError ? `${error.code}: ${error.message}` : String(error)),
  )

describe('the configured models', () => {
  it('are one and the same for each name; an unknown name is refused', async () => {
    const all = models()
    expect(all.get('default')).toBe(all.get('default'))
    expect(await codeOf(async () => all.get('nobody'))).toBe('MODEL_REFUSED: no model nobody is configured')
    expect(await codeOf(async () => all.get('constructor'))).toContain('MODEL_REFUSED')
  })

  it('may lack what its provider needs: only its use says so', async () => {
    const model = models().get('big')
    expect(await codeOf(async () => collect(model.call([], { signal: signal() })))).toBe(
      'MODEL_REFUSED: model big: has no base_url',
    )
  })
})

it('[R667] a price that is configured counts instead of the known one, also when it is 0', async () => {
  const wire = writtenBy('anthropic')
  const peer = await openModelPeer((_, response) => void response.end(wire.text('ok') + wire.counted()))
  const costOf = async (more: object) => {
    const model = modelAt(`${peer.url}${wire.base}`, { provider: 'anthropic', model: 'claude-haiku-5-5', ...more })
    const end = (await collect(model.call([{ role: 'user', content: 'x' }], { signal: signal() }))).at(-1)
    return end?.type === 'end' ? end.usage.costUsd : null
  }
  expect(await costOf({})).toBeCloseTo((30 * 0.1 + 60 * 0.01 + 10 * 0.125 + 20 * 0.5) / 1_000_000, 12)
  expect(await costOf({ price: { input: 0, output: 0 } })).toBe(0)
  expect(await costOf({ model: 'another' })).toBeNull()
  await peer.close()
})
