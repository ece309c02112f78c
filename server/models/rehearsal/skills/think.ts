/** Owns: think: the facts gathered, or the result as a document, from the history or from what was handed over. */

import { findingsOf, jobOf, text, wordsOf } from '../common'
import type { Prompt } from '../readPrompt'
import { gatheredText, reportText } from '../report'

export function think(prompt: Prompt): string {
  const job = jobOf(prompt)
  const words = wordsOf(prompt, job)
  if (job === null) return text('think', words.quickUnknown)
  const findings = findingsOf(prompt, job)
  return text('think', job.do === 'gather' ? gatheredText(findings, job, words) : reportText(findings, job, words))
}
