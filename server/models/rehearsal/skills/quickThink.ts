import { stepJob, tagged, wordTokens } from '../common'
import { findingsFrom } from '../findings'
import { withoutBlock } from '../job'
import type { RehearsalPrompt } from '../readPrompt'
import { shortResult } from '../report'
import { parseRequest } from '../wish'

export function playQuickThink(prompt: RehearsalPrompt): string {
  const words = wordTokens(prompt, stepJob(prompt))
  const wish = parseRequest(withoutBlock(prompt.step.text), null, words.pasted)
  if (wish.op === null || wish.pasted.length === 0) return tagged('quick_think', words.quickUnknown)
  const job = { ...wish, op: wish.op, where: [] }
  return tagged('quick_think', shortResult(findingsFrom([], job, []), job, words))
}
