import { findingsOf, jobOf, tagged, wordTokens } from '../common'
import type { RehearsalPrompt } from '../readPrompt'
import { gatheredText, reportText } from '../report'

export function playThink(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordTokens(prompt, job)
  if (job === null) return tagged('result', words.quickUnknown)
  const findings = findingsOf(prompt, job)
  return tagged('result', job.do === 'gather' ? gatheredText(findings, job, words) : reportText(findings, job, words))
}
