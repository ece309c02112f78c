/** Owns: quick_think: the operation on the step's own text. */

import { stepJob, text, wordsOf } from '../common'
import { findingsFrom } from '../findings'
import { withoutBlock } from '../job'
import type { Prompt } from '../readPrompt'
import { shortResult } from '../report'
import { readWish } from '../wish'

export function quickThink(prompt: Prompt): string {
  const words = wordsOf(prompt, stepJob(prompt))
  const wish = readWish(withoutBlock(prompt.step.text), null, words.pasted)
  if (wish.op === null || wish.pasted.length === 0) return text('quick_think', words.quickUnknown)
  const job = { ...wish, op: wish.op, where: [] }
  return text('quick_think', shortResult(findingsFrom([], job, []), job, words))
}
