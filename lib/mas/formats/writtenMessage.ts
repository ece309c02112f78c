/** The text of a message while its answer is still being written: only what a person reads of it, never its form. */
import { withoutAnchors } from '../cited'
import { unescapeTags } from './escape'
import { isOnlyThoughts } from './tags'
import { JSON_ESCAPES } from './tolerantJson'

/** in: the next piece of the answer. out: what can be said of the message now; '' while nothing can */
export type MessageReader = (piece: string) => string

/** Where the message begins: the tag, or an object whose first key is the tag. */
const OPENINGS = [/^\s*<send_message>\s*\{/, /^\s*\{\s*"send_message"\s*:\s*\{/]
/** A message begins within so many characters, or not at all. */
const OPENING_CHARACTERS = 200
/** A possible beginning of an anchor or of an escaped tag at the end of the text: it is held back until more follows. */
const UNFINISHED = /(?: ?\[(?:c(?:i(?:t(?:_[\d:]{0,20})?)?)?)?| ?<[^>]{0,80}| |[\uD800-\uDBFF])$/

type State = 'before' | 'object' | 'message' | 'over'

/**
 * Read an answer to `send_message` piece by piece.
 *
 * It is read only where it begins with the tag, or with thoughts that have ended: words before the tag may be thoughts whose
 * beginning the server left out, and a message in them a draft. Where it is no strict JSON it stops; the whole message comes later.
 *
 * out     the pieces joined are the beginning of the message's text, without sources, escapes, tags and other keys
 */
export function readWrittenMessage(): MessageReader {
  let state: State = 'before'
  let head = ''
  const object = openObject()
  const string = openString()
  let held = ''

  function begin(piece: string): string {
    head += piece
    if (isOnlyThoughts(head)) return ''
    const answer = afterThoughts(head)
    const opening = OPENINGS.map((one) => one.exec(answer)?.[0]).find((found) => found !== undefined)
    if (opening === undefined) {
      if (answer.trimStart().length > OPENING_CHARACTERS) state = 'over'
      return ''
    }
    state = 'object'
    head = ''
    return answer.slice(opening.length)
  }

  /** The final part of the text; the rest is held back. */
  function say(text: string, isLast: boolean): string {
    held += text
    const sure = isLast ? held.length : held.length - (UNFINISHED.exec(held)?.[0].length ?? 0)
    const said = held.slice(0, sure)
    held = held.slice(sure)
    return unescapeTags(withoutAnchors(said))
  }

  return (piece) => {
    let rest = piece
    if (state === 'before') rest = begin(rest)
    if (state === 'object') {
      const found = object(rest)
      if (found === 'over') state = 'over'
      else if (found !== null) {
        state = 'message'
        rest = rest.slice(found)
      }
    }
    if (state !== 'message') return ''
    const { text, end } = string(rest)
    if (end !== null) state = 'over'
    // Of an invalid string only the final part is given.
    return say(text, end === 'closed')
  }
}

/** The answer without the reasoning block at its beginning. */
function afterThoughts(answer: string): string {
  const block = /^\s*<(think|thinking|thoughts?|reasoning|seed:think|scratchpad|analysis)>/i.exec(answer)
  if (block?.[1] === undefined) return answer
  const close = `</${block[1].toLowerCase()}>`
  return answer.slice(answer.toLowerCase().indexOf(close) + close.length)
}

/** Walks an object's keys to its key `message`. out: null: more is needed; a number: where the text begins; 'over': none. */
function openObject(): (piece: string) => number | 'over' | null {
  let depth = 1
  let isInString = false
  let isEscaped = false
  let word = ''
  /** A key of the object itself is expected, was read, or its value is. */
  let place: 'key' | 'colon' | 'value' | 'behind' = 'key'
  let key = ''
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const mark = piece[at] ?? ''
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (mark === '\\') isEscaped = true
        else if (mark === '"') {
          isInString = false
          if (depth === 1 && place === 'key') {
            key = word
            place = 'colon'
          } else if (depth === 1) place = 'behind'
          continue
        }
        word = word.length < 100 ? word + mark : word
        continue
      }
      if (/\s/.test(mark)) continue
      if (depth === 1 && place === 'colon') {
        if (mark !== ':') return 'over'
        place = 'value'
        continue
      }
      if (mark === '"') {
        if (depth === 1 && place === 'value' && key === 'message') return at + 1
        if (depth === 1 && place === 'behind') return 'over'
        isInString = true
        word = ''
        continue
      }
      if (depth === 1 && place === 'key') return 'over'
      if (depth === 1 && place === 'value' && key === 'message') return 'over'
      if (mark === '{' || mark === '[') depth += 1
      else if (mark === '}' || mark === ']') {
        depth -= 1
        if (depth === 0) return 'over'
        if (depth === 1) place = 'behind'
      } else if (mark === ',' && depth === 1) place = 'key'
    }
    return null
  }
}

/** end: the string is closed, or it is none; null: more of it comes. */
function openString(): (piece: string) => { text: string; end: 'closed' | 'broken' | null } {
  let sequence = ''
  return (piece) => {
    let text = ''
    for (const mark of piece.split('')) {
      if (sequence === '') {
        if (mark === '"') return { text, end: 'closed' }
        if (mark === '\\') sequence = mark
        else text += mark
        continue
      }
      sequence += mark
      if (sequence === '\\u') continue
      if (!sequence.startsWith('\\u')) {
        const meant = JSON_ESCAPES[mark]
        if (meant === undefined) return { text, end: 'broken' }
        text += meant
        sequence = ''
      } else if (!/^\\u[\da-f]{0,4}$/i.test(sequence)) return { text, end: 'broken' }
      else if (sequence.length === 6) {
        text += String.fromCharCode(Number.parseInt(sequence.slice(2), 16))
        sequence = ''
      }
    }
    return { text, end: null }
  }
}
