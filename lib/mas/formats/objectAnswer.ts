/** An answer that is one object whose keys are the tags, written with tags again, for the parser of all answers. */
import { fieldsIn, jsonValueOf } from '../../json'
import { withNumbersKept } from '../../jsonNumbers'
import type { Json } from '../records'
import { ANSWER_TAGS, escapeBareTags } from './escape'
import { dropReasoning, stripFence } from './tags'

const OBJECT_KEYS = [...ANSWER_TAGS, 'more_history'] as const
/** The first key of a requested object: what a model considers before it answers. It is no part of the answer. */
export const NOTES_KEY = 'notes'

/** The whole text of a model with a tag for each filled key, without its notes; a text that is no object of such keys as it is. */
export function tagsOfObject(text: string): string {
  // A number that parsing would change is kept as a text, which the schema of a tool takes or refuses.
  const kept = withNumbersKept(stripFence(dropReasoning(text, false)))
  const held = Object.entries(fieldsIn(kept === null ? null : jsonValueOf(kept.text)))
  const said = held.filter(([key, value]) => key !== NOTES_KEY && value !== null && value !== '')
  if (said.length === 0) return text
  const blocks = said.map(([key, value]) => {
    const name = OBJECT_KEYS.find((one) => one === key)
    return name === undefined ? null : `<${name}>\n${escapeBareTags(contentOf(name, value))}\n</${name}>`
  })
  return blocks.every((block) => block !== null) ? blocks.join('\n') : text
}

function contentOf(name: (typeof OBJECT_KEYS)[number], value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(withoutNulls(value))
  const inner = value.trim()
  // Some models write the tag once more inside its key.
  const isWrapped = inner.startsWith(`<${name}>`) && inner.endsWith(`</${name}>`)
  return isWrapped ? inner.slice(name.length + 2, -name.length - 3) : value
}

/** A key that must be there and says nothing is null. What a tool gets stays as it is. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, held]): [string, Json][] =>
      held === null ? [] : [[key, key === 'arguments' ? held : withoutNulls(held)]],
    ),
  )
}
