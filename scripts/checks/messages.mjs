// The console says everything in English and 中文. Owns: proving that both files have the same keys and the same placeholders.
import { existsSync, readFileSync } from 'node:fs'
import { inRoot } from '../lib/paths.mjs'

export const name = 'messages: en and zh say the same things'

/** @returns {string[]} one line per key that is missing, empty or takes other values */
export function check(read = readMessages) {
  const en = read('en')
  const zh = read('zh')
  if (en === undefined && zh === undefined) return []
  const left = flatten(en ?? {})
  const right = flatten(zh ?? {})
  const problems = []
  for (const [key, text] of left) {
    if (!right.has(key)) problems.push(`messages/zh.json lacks ${key}`)
    else if (placeholders(text) !== placeholders(right.get(key))) {
      problems.push(`${key}: en takes {${placeholders(text)}}, zh takes {${placeholders(right.get(key))}}`)
    }
  }
  for (const key of right.keys()) if (!left.has(key)) problems.push(`messages/en.json lacks ${key}`)
  for (const [file, texts] of [
    ['en', left],
    ['zh', right],
  ]) {
    for (const [key, text] of texts)
      if (String(text).trim() === '') problems.push(`messages/${file}.json: ${key} is empty`)
  }
  return problems
}

function readMessages(language) {
  const file = inRoot('messages', `${language}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function flatten(value, prefix = '') {
  if (typeof value !== 'object' || value === null) return new Map([[prefix, value]])
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, prefix === '' ? key : `${prefix}.${key}`)]),
  )
}

/** Names of the ICU arguments of a text, sorted: `{name}`, `{count, plural, one {# day} other {# days}}`. */
export function placeholders(text) {
  const names = new Set()
  readMessage(String(text), 0, names)
  return [...names].sort().join(', ')
}

/** Read a message from `at` to its end or to the brace that closes it; gives back where it stopped. */
function readMessage(text, at, names) {
  let place = at
  while (place < text.length && text[place] !== '}') {
    place = text[place] === '{' ? readArgument(text, place + 1, names) : place + 1
  }
  return place
}

/** Read `name}` or `name, kind, branch {message} …}`; gives back the place after its closing brace. */
function readArgument(text, at, names) {
  const head = /^\s*(\w+)\s*/.exec(text.slice(at))
  if (head === null) return at
  names.add(head[1])
  let place = at + head[0].length
  while (place < text.length && text[place] !== '}') {
    place = text[place] === '{' ? readMessage(text, place + 1, names) + 1 : place + 1
  }
  return place + 1
}
