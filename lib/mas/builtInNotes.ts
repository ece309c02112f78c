/** The notes of the built-in model: the blocks in which it keeps its plan and its outcome at the end of goals, texts and results. */
import { isJsonObject } from '../json'
import type { Json } from './records'

/** The first key tells them from foreign text that has the same tag. A preview may end within one. */
const NOTES = /\n?<\u2060*(job|job_result)>\{"(?:op|do|done)":[^<]*(?:<\u2060*\/\1>|$)/gu

/** The text as people and other systems read it. */
export function withoutNotes(text: string): string {
  const read = text.includes('<') ? text.replace(NOTES, '') : text
  return read === text ? text : read.trim()
}

/** The same for every text in a value. */
export function withoutNotesIn(value: Json): Json {
  if (typeof value === 'string') return withoutNotes(value)
  if (Array.isArray(value)) return value.map(withoutNotesIn)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutNotesIn(inner)]))
}

/** A text that a person changed, with the notes that the text before the change holds. */
export const withNotesOf = (text: string, before: string): string =>
  withoutNotes(before) === text ? before : text + (before.match(NOTES) ?? []).join('')
