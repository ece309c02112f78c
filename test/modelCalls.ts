/** Calls of a model at a test's own server. */
import { ModelError, type ModelPiece, ofVariables, openModels, type Turn } from '@/server/models'
import type { ProviderModelConfig } from '@/server/models/providers'

export const TURNS: Turn[] = [
  { role: 'system', content: 'You are brief.' },
  { role: 'user', content: 'Say it.' },
]
export const ANSWER = '<summary>三份价格表，两处不一致 🍎</summary>'
export const modelAt = (url: string, more: Partial<ProviderModelConfig> = {}, secrets: Record<string, string> = {}) =>
  openModels({
    models: { real: { provider: 'openai-compatible', baseUrl: url, model: 'peer', contextTokens: 4_000, ...more } },
    secret: ofVariables((name) => secrets[name]),
    now: () => Date.parse('2026-11-21T10:00:00Z'),
  }).get('real')

export const signal = () => new AbortController().signal
export async function collect(
  call: AsyncIterable<ModelPiece>,
): Promise<{ text: string; pieces: number; end: ModelPiece | null }> {
  let text = ''
  let pieces = 0
  let end: ModelPiece | null = null
  for await (const piece of call) {
    if (piece.type === 'end') end = piece
    else {
      text += piece.text
      pieces += 1
    }
  }
  return { text, pieces, end }
}
export async function faultOf(call: AsyncIterable<ModelPiece>): Promise<ModelError> {
  try {
    await collect(call)
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
  throw new Error('the call gave an answer')
}
