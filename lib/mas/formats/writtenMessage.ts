/** The text of a message while its answer is still being written: only what a person reads of it, never its form. */
import { withoutAnchors } from '../cited'
import { skipJson } from './blocks'
import { unescapeTags } from './escape'
import { isForm } from './references'
import { afterThoughts } from './tags'
import { JSON_ESCAPES } from './tolerantJson'

/** in: the next piece of the answer. out: what can be said of the message now; '' while nothing can */
export type MessageReader = (piece: string) => string

/** Where the message begins: the tag, or an object whose first key, behind its notes, is the tag. */
const OPENING =
  /^\s*(?:<send_message>\s*\{|\{\s*(?:"notes"\s*:\s*(?:null|"(?:[^"\\]|\\.)*")\s*,\s*)?"send_message"\s*:\s*\{)/
/** A possible beginning of an anchor or of an escaped tag at the end of the text: it is held back until more follows. */
const UNFINISHED = /(?: ?\[(?:c(?:i(?:t(?:_[\d:]{0,20})?)?)?)?| ?<[^>]{0,80}| |[\uD800-\uDBFF])$/

/** The beginning of a text that may be a reference, or a form instead of words: nothing is said of it before its end. */
const MAYBE_FORM = /^\s*(?:`{1,3}[^\n`]*(?:\n\s*)?)?(?:\[\s*)?(?:\{|$)/

/** Characters of an answer that are read; the rest comes with the whole message, which has at most 64 KiB. */
export const MOST_READ = 256 * 1024

/**
 * Read an answer to `send_message` piece by piece.
 *
 * It is read only where it begins with the tag, or with thoughts that have ended: words before the tag may be thoughts whose
 * beginning the server left out, and a message in them a draft. Where it is no strict JSON it stops; the whole message comes later.
 *
 * out     the pieces joined are the beginning of the message's text, without sources, escapes, tags and other keys
 */
export function readWrittenMessage(): MessageReader {
  let answer = ''
  let said = 0
  return (piece) => {
    if (answer.length >= MOST_READ) return ''
    answer += piece
    const text = messageIn(answer)
    const next = text.slice(said)
    said = text.length
    return next
  }
}

/**
 * What is final of the message in an answer so far. It is read from its beginning for each piece: all pieces of 2,000 characters
 * take 2 ms, those of 64 KiB 1.7 s, in the minutes in which they are written.
 */
function messageIn(answer: string): string {
  const written = afterThoughts(answer) ?? ''
  const begin = messageBegin(written, OPENING.exec(written)?.[0].length ?? null)
  if (begin === null) return ''
  const raw = matchAt(TEXT, written, begin)?.[0] ?? ''
  const text = raw.replace(ESCAPE, (_, hex: string | undefined, mark: string) =>
    hex === undefined ? (JSON_ESCAPES[mark] ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const isClosed = written.charAt(begin + raw.length) === '"'
  if (isClosed ? isForm(text) : MAYBE_FORM.test(text)) return ''
  return unescapeTags(withoutAnchors(isClosed ? text : text.replace(UNFINISHED, '')))
}

const MEMBER = /\s*"((?:[^"\\]|\\.)*)"\s*:\s*/y
const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+/y
/** The inside of a string, up to its end or to what is no escape of JSON, or not yet. */
const TEXT = /[^"\\]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\]*)*/y
const ESCAPE = /\\(?:u([\da-fA-F]{4})|(.))/g

/** in: from: behind the brace of the object. out: where the text of its own key `message` begins; null: nowhere, or not yet */
function messageBegin(text: string, from: number | null): number | null {
  for (let at = from; at !== null; ) {
    const member = matchAt(MEMBER, text, at)
    if (member === null) return null
    at += member[0].length
    if (member[1] === 'message') return text.charAt(at) === '"' ? at + 1 : null
    const inner = skipJson(text, at)
    const end = inner.isWhole ? inner.at : at + (matchAt(SCALAR, text, at)?.[0].length ?? 0)
    const comma = matchAt(/\s*,/y, text, end)
    at = end === at || comma === null ? null : end + comma[0].length
  }
  return null
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
