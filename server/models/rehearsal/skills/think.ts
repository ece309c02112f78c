import { findingsOf, jobOf, stepJob, tagged, wordsFor } from '../common'
import { findingsFrom } from '../findings'
import { withoutBlock } from '../job'
import { parseRequest } from '../parseRequest'
import type { RehearsalPrompt } from '../readPrompt'
import { gatheredText, reportText, shortResult } from '../report'

export function playThink(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  if (job === null) return tagged('result', words.quickUnknown)
  const findings = findingsOf(prompt, job)
  return tagged('result', job.do === 'gather' ? gatheredText(findings, job, words) : reportText(findings, job, words))
}

export function playQuickThink(prompt: RehearsalPrompt): string {
  const words = wordsFor(prompt, stepJob(prompt))
  const request = parseRequest(withoutBlock(prompt.step.text), null, words.pasted)
  if (request.op === null || request.pasted.length === 0) return tagged('quick_think', words.quickUnknown)
  const job = { ...request, op: request.op, where: [] }
  return tagged('quick_think', shortResult(findingsFrom([], job, []), job, words))
}
