/** Drafts, in the form of page and server. Pure. */
import { isSameValue } from '../json'

/** Receivers, a type, a choice, files, a form: JSON values by name. */
export type AttachedDraft = Readonly<Record<string, unknown>>
export type WrittenText = { text: string; more: AttachedDraft }

export const NOTHING_WRITTEN: WrittenText = { text: '', more: {} }

/** These hold user input; the other names only say how the text is meant. */
const FILLED = ['files', 'form', 'choice', 'number']

/** Whether there is anything that its writer would miss. */
export const isWritten = ({ text, more }: WrittenText): boolean => text !== '' || FILLED.some((name) => name in more)

/** Nothing at all: neither a text nor a choice. */
export const isBlank = ({ text, more }: WrittenText): boolean => text === '' && Object.keys(more).length === 0

/** Equal in their texts and in what is attached, in any order of its names. */
export const isSameWritten = (one: WrittenText, other: WrittenText): boolean =>
  one.text === other.text && isSameValue(one.more, other.more)

/** in: change: names to set; null takes one away */
export const besideWith = (more: AttachedDraft, change: AttachedDraft): AttachedDraft =>
  Object.fromEntries(
    Object.entries({ ...more, ...change }).filter(([, value]) => value !== null && value !== undefined),
  )

/** The other text of a draft; null: none. */
export function draftTextIn(more: AttachedDraft, name: string): string | null {
  const value = more[name]
  return typeof value === 'string' ? value : null
}
