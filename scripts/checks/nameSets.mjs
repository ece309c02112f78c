// The names of a closed set are written once, as an exported `as const` list or record: one that is added then reaches every place.
import { codeFiles, isTestFile, withoutComments } from './sources.mjs'

export const name = 'name sets: the names of a list are written once'

/**
 * Lists of which a part may not be written either, each with what to use in its place. A part of another list may be a
 * choice of its own: the states in which something ends.
 *
 * @type {Record<string, string>}
 */
export const WHOLE = {
  PROVIDERS: 'PROVIDER_NAMES or SERVER_PROVIDERS of lib/mas/setup/providers.ts',
  PROTOCOLS: 'PROTOCOL_TRAITS of lib/mas/outside/peerProtocols.ts',
  MESSAGE_TYPES: 'a Record<MessageType, …>, or needsReply of lib/mas/messages/records.ts',
}
/** Shorter sets have no name of their own: yes and no, on and off. */
const LEAST = 3
const LEAST_PART = 2

const LIST = /^export const (\w+)(?:: [^=\n]+)? = \[((?:\s*'[^'\n]*',?)+)\s*\] as const/gm
/** A record whose keys are the names; only those of WHOLE are read. */
const RECORD = /^export const (\w+) = \{\n((?: {2}[^\n]*\n)+)\} as const/gm
/** Names in an array, or in a union of types. */
const NAMES = /\[((?:\s*'[^'\n]*',?){2,})\s*\]|(?:\|\s*)?'[^'\n]*'(?:\s*\|\s*'[^'\n]*')+/g
const ELSEWHERE = /^(test|e2e|bench|scripts)\//

/** @returns {string[]} one line per copy of a list */
export function check(files = codeFiles(), whole = WHOLE) {
  const texts = files
    .filter(({ path }) => !isTestFile(path) && !ELSEWHERE.test(path))
    .map(({ path, text }) => ({ path, text: withoutComments(text) }))
  const lists = texts.flatMap(({ path, text }) => [
    ...[...text.matchAll(LIST)].map((match) => ({ list: match[1], path, names: namesIn(match[2]) })),
    ...[...text.matchAll(RECORD)]
      .filter((match) => match[1] in whole)
      .map((match) => ({ list: match[1], path, names: keysIn(match[2]) })),
  ])
  const unknown = Object.keys(whole).filter((one) => !lists.some(({ list }) => list === one))
  return [
    ...texts.flatMap(({ path, text }) => copiesIn(path, text, lists, whole)),
    ...unknown.map(
      (one) => `WHOLE in scripts/checks/nameSets.mjs names ${one}, which no file exports as a list of names`,
    ),
  ]
}

function copiesIn(path, text, lists, whole) {
  const own = [...text.matchAll(LIST)].map((match) => [match.index, match.index + match[0].length])
  return [...text.matchAll(NAMES)].flatMap((match) => {
    if (own.some(([from, to]) => match.index >= from && match.index < to)) return []
    const names = namesIn(match[0])
    const copied = lists.find(
      (one) =>
        names.every((word) => one.names.includes(word)) &&
        (names.length === one.names.length ? names.length >= LEAST : one.list in whole && names.length >= LEAST_PART),
    )
    if (copied === undefined) return []
    const line = text.slice(0, match.index).split('\n').length
    const instead = whole[copied.list] ?? copied.list
    return [`${path}:${line} writes names of ${copied.list} (${copied.path}) again: use ${instead}`]
  })
}

const keysIn = (rows) => [...rows.matchAll(/^ {2}(\w+):/gm)].map(([, word]) => word)
const namesIn = (text) => [...new Set([...text.matchAll(/'([^'\n]*)'/g)].map(([, word]) => word))]
