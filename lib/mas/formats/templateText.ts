/** The text of a template: names in braces are blanks. Pure. */
import type { TemplateField } from '../records'

/** A name: letters, digits, spaces, - and _; at most 40 characters. Other braces, as in JSON, are text. */
const BLANK = /\{([\p{L}\p{N}](?:[\p{L}\p{N} _-]{0,38}[\p{L}\p{N}])?)\}/gu

/** The names of the blanks, each once, in their order. */
export const blanksOf = (text: string): string[] => [
  ...new Set([...text.matchAll(BLANK)].flatMap(([, name]) => name ?? [])),
]

/** The fields of a text: what is known of each blank, and a text field for a new one. */
export const templateFieldsOf = (text: string, known: readonly TemplateField[]): TemplateField[] =>
  blanksOf(text).map(
    (name) => known.find((field) => field.name === name) ?? { name, kind: 'text', choices: [], required: true },
  )

/** Why these values do not fit; null: they do. A value of a field of kind file is the path or name of the file. */
export function unfitValue(
  fields: readonly TemplateField[],
  values: Readonly<Record<string, string>>,
): { field: string; why: 'missing' | 'choice' } | null {
  for (const { name, kind, choices, required } of fields) {
    const value = givenValue(values, name)
    if (value === '') {
      if (required) return { field: name, why: 'missing' }
    } else if (kind === 'choice' && !choices.includes(value)) return { field: name, why: 'choice' }
  }
  return null
}

/** The text with the values in its blanks; a value is never read for blanks itself. */
export const filledText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(BLANK, (_, name: string) => givenValue(values, name))

const givenValue = (values: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(values, name) ? (values[name] ?? '') : '').trim()
