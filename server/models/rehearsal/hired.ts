/** Work that an agent of another system does: what the history shows of what it said, and of what was asked for it. */
import type { Job } from './job'
import type { RehearsalPrompt, ShownStep } from './readPrompt'
import { ATTACHMENT } from './wish'
import type { Words } from './words'

/** The steps that took in a message of that agent or person. */
const tookIn = (items: readonly ShownStep[], name: string): ShownStep[] =>
  items.filter(
    ({ executor, state, intention }) =>
      executor === 'process_message' && state === 'finished' && intention.includes(name),
  )

/** The last that the hired agent said, and where its files are: its result once the wait for it is over; null: it never answered. */
export function hiredSaid({ history }: RehearsalPrompt, { hire }: Job, words: Words): string | null {
  const said = hire === null ? undefined : tookIn(history, hire.name).at(-1)?.text
  if (said === undefined) return null
  const saved = [...said.matchAll(ATTACHMENT)].flatMap(([, path]) => path ?? [])
  const text = said.replace(ATTACHMENT, '').trim()
  return saved.length === 0 ? text : `${text}\n${words.savedHere(saved)}`
}

/** What this person answered after they were asked that; null: they were not asked, or have not answered. */
export function answerAfter({ history }: RehearsalPrompt, question: string, name: string): string | null {
  const at = history.findLastIndex(
    ({ executor, state, result }) => executor === 'send_message' && state === 'finished' && result.includes(question),
  )
  return at < 0 ? null : (tookIn(history.slice(at + 1), name)[0]?.text ?? null)
}
