/** Work done by an agent of another system: its messages and the answers given to it, read from the history. */
import type { Job } from './job'
import { ATTACHMENT } from './parseRequest'
import { type RehearsalPrompt, tookIn } from './readPrompt'
import type { Words } from './words'

/** The hired agent's last message with its files, which is its result; null: it did not answer. */
export function hiredSaid({ history }: RehearsalPrompt, { hire }: Job, words: Words): string | null {
  const said = hire === null ? undefined : tookIn(history, hire.name).at(-1)?.text
  if (said === undefined) return null
  const saved = [...said.matchAll(ATTACHMENT)].flatMap(([, path]) => path ?? [])
  const text = said.replace(ATTACHMENT, '').trim()
  return saved.length === 0 ? text : `${text}\n${words.savedHere(saved)}`
}

/** This person's answer to that question; null: not asked, or not answered. */
export function answerAfter({ history }: RehearsalPrompt, question: string, name: string): string | null {
  const at = history.findLastIndex(
    ({ executor, state, result }) => executor === 'send_message' && state === 'finished' && result.includes(question),
  )
  return at < 0 ? null : (tookIn(history.slice(at + 1), name)[0]?.text ?? null)
}
