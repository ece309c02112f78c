/**
 * The wire format of Ollama's own chat: one JSON object per line.
 *
 * Owns: its question and its stream. Not here: the call itself (client.ts).
 */

import { z } from 'zod'
import type { Frame, WireFormat } from './client'
import type { Turn } from './model'
import { parsed } from './openai'

const count = z.number().int().nonnegative().nullish().catch(null)

const lineShape = z.object({
  model: z.string().nullish(),
  message: z.object({ content: z.string().nullish(), thinking: z.string().nullish() }).nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: count,
  eval_count: count,
  error: z.string().nullish(),
})

export const ollamaFormat: WireFormat = {
  path: '/api/chat',
  question: (turns, settings) => ({
    model: settings.model,
    messages: turns.map(messageOf),
    stream: true,
    // Without it Ollama takes a small context of its own, and silently drops what does not fit.
    options: {
      num_ctx: settings.contextTokens,
      ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
    },
  }),
  async *frames(lines) {
    for await (const line of lines) if (line.trim() !== '') yield line
  },
  read(line) {
    const found = lineShape.safeParse(parsed(line))
    if (!found.success) return null
    const { model, message, done, done_reason, prompt_eval_count, eval_count, error } = found.data
    if (error) return { fault: line }
    const frame: Frame = {}
    if (message?.content) frame.text = message.content
    if (message?.thinking) frame.isAlive = true
    if (model) frame.version = model
    if (done) {
      frame.finish = done_reason === 'length' ? 'length' : 'stop'
      frame.counted = { prompt: prompt_eval_count ?? null, completion: eval_count ?? null, cached: null }
    }
    return frame
  },
}

/** It takes pictures only: a sound is left out, and the text says so. */
function messageOf({ role, content, media }: Turn): Record<string, unknown> {
  const images = media?.filter(({ kind }) => kind === 'image').map(({ base64 }) => base64) ?? []
  const sounds = (media?.length ?? 0) - images.length
  const text = sounds === 0 ? content : `${content}\n[${sounds} sounds that this model cannot hear]`
  return { role, content: text, ...(images.length > 0 ? { images } : {}) }
}
