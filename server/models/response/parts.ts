/** The texts of a message, however a server divides it. */
import { isJsonObject } from '@/lib/json'

export type MessageTexts = { text: string; reasoning: string; refusal: string }

const THINKING = [
  'thinking',
  'reasoning',
  'thought',
  'reasoning_text',
  'reasoning.text',
  'summary_text',
  'reasoning.summary',
]
const DEEPEST = 4

/** in: the content of a message: a text, a part, a list of parts; anything else holds no text */
export function messageTexts(content: unknown): MessageTexts {
  const texts = { text: '', reasoning: '', refusal: '' }
  take(content, 'text', texts, 0)
  return texts
}

function take(content: unknown, as: keyof MessageTexts, texts: MessageTexts, depth: number): void {
  if (depth > DEEPEST) return
  if (typeof content === 'string') texts[as] += content
  else if (Array.isArray(content)) for (const part of content) take(part, as, texts, depth + 1)
  else if (isJsonObject(content)) {
    const { type, thought } = content
    const isThinking = thought === true || (typeof type === 'string' && THINKING.includes(type))
    const own = isThinking ? 'reasoning' : type === 'refusal' ? 'refusal' : as
    const inner =
      content[type === 'refusal' ? 'refusal' : isThinking && content.thinking !== undefined ? 'thinking' : 'text']
    take(inner ?? content.content ?? (isThinking ? content.summary : undefined), own, texts, depth + 1)
  }
}
