/** Counts the calls of a run by one rule, so that systems can be compared without a model server. */
import { estimateTokens } from '@/lib/mas/formats'

/**
 * prompt   all that the server gets, in the order in which it reads it: functions or schema, system text, turns
 * answer   text and tool calls
 */
export type CountedCall = { agent: string; prompt: readonly string[]; answer: string }

/** Tokens are estimated (`estimateTokens`). `uncached` is part of `input`. */
export type PromptCount = { calls: number; characters: number; input: number; uncached: number; output: number }

/**
 * A prompt's cached part is the longest beginning, in characters, that an earlier prompt of the same agent has too. There is no
 * least length and no expiry, which differ between servers.
 *
 * in      the calls in their order
 */
export function countPrompts(calls: readonly CountedCall[]): PromptCount {
  const sum: PromptCount = { calls: calls.length, characters: 0, input: 0, uncached: 0, output: 0 }
  const earlier = new Map<string, string[]>()
  for (const { agent, prompt, answer } of calls) {
    const text = prompt.join('\n')
    const before = earlier.get(agent) ?? []
    const cached = Math.max(0, ...before.map((one) => sharedLength(one, text)))
    earlier.set(agent, [...before, text])
    sum.characters += text.length
    sum.input += estimateTokens(text)
    sum.uncached += estimateTokens(text.slice(cached))
    sum.output += estimateTokens(answer)
  }
  return sum
}

function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one[at] === other[at]) at += 1
  return at
}
