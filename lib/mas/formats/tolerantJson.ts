/** Reads JSON as models write it. A truncated text is refused: closing it would turn half an answer into a whole one. */
import { isNumberChanged } from '../../jsonNumbers'
import type { Json } from '../records'
import type { Fixup } from './fixups'

type TolerantReading =
  | { ok: true; value: Json; end: number; fixups: Set<Fixup> }
  | { ok: false; reason: string; at: number }

const DEEPEST = 100

/**
 * in      the text; where to begin (space and comments before the value are passed over)
 * out     the value, the first character after it, and its fixups; or why not. Linear in the text.
 */
export function readTolerantJson(text: string, from: number): TolerantReading {
  const reader = new Reader(text, from)
  try {
    const value = reader.value(0)
    return { ok: true, value, end: reader.at, fixups: reader.fixups }
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message, at: error.at }
    throw error
  }
}

/** Whether a value is nested deeper than anything that an answer needs. */
export function isTooDeep(value: Json): boolean {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : []))
  }
  return false
}

class Unreadable extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

/** The closing marks of a string, by its opening mark. */
const CLOSES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '＂': '＂',
  '“': '“”',
  '”': '“”',
  '„': '“”',
  '‘': '‘’',
  '’': '‘’',
}
/** Characters of a string that need no special handling. */
const PLAIN = /[^"'`＂“”„‘’\\\p{Cc}]+/uy
const SPACE = /[\s\uFEFF\u200B]/
const LETTER = /[\p{L}\p{N}]/u
const KEY = /[\p{L}_$][\p{L}\p{N}_$-]*/uy
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.])/uy
const LITERALS: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  TRUE: true,
  FALSE: false,
  NULL: null,
}
/** The characters that JSON allows after a backslash, and the character that each pair means. */
export const JSON_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class Reader {
  readonly fixups = new Set<Fixup>()

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): Json {
    if (depth > DEEPEST) throw this.error(`nested deeper than ${DEEPEST}`)
    this.skip()
    const mark = this.text.charAt(this.at)
    if (mark === '{' || mark === '｛') return this.object(depth)
    if (mark === '[' || mark === '［') return this.list(depth)
    if (CLOSES[mark] !== undefined) return this.string()
    const number = this.match(NUMBER)
    if (number !== null) {
      if (isNumberChanged(number))
        throw this.error(`the number ${number.slice(0, 40)} has too many digits: write it as a text`)
      return Number(number)
    }
    const word = this.match(WORD)
    if (word === null) throw this.error(mark === '' ? 'it breaks off' : `${JSON.stringify(mark)} cannot begin a value`)
    const literal = Object.hasOwn(LITERALS, word) ? LITERALS[word] : undefined
    if (literal === undefined) throw this.error(`the text ${word.slice(0, 40)} stands without quotes`)
    if (word !== 'true' && word !== 'false' && word !== 'null') this.fixups.add('json_literals')
    return literal
  }

  private object(depth: number): Json {
    this.open('{')
    const entries = new Map<string, Json>()
    for (let first = true; ; first = false) {
      if (this.closes('}', '｝', first)) return Object.fromEntries(entries)
      const key = this.key()
      this.skip()
      const colon = this.text.charAt(this.at)
      if (colon !== ':' && colon !== '：') throw this.error(`a colon is missing after the key ${key.slice(0, 40)}`)
      if (colon === '：') this.fixups.add('json_punctuation')
      this.at += 1
      const value = this.value(depth + 1)
      const before = entries.get(key)
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value)) {
        throw this.error(`the key ${key.slice(0, 40)} stands twice with different values`)
      }
      entries.set(key, value)
    }
  }

  private list(depth: number): Json {
    this.open('[')
    const items: Json[] = []
    for (let first = true; ; first = false) {
      if (this.closes(']', '］', first)) return items
      items.push(this.value(depth + 1))
    }
  }

  private open(plain: string): void {
    if (this.text.charAt(this.at) !== plain) this.fixups.add('json_punctuation')
    this.at += 1
  }

  /** Moves past the comma before the next item (false), or past the closing mark (true). */
  private closes(plain: string, wide: string, first: boolean): boolean {
    const from = this.at
    this.skip()
    const isEnd = (mark: string): boolean => mark === plain || mark === wide
    const mark = this.text.charAt(this.at)
    if (isEnd(mark)) return this.close(mark, wide)
    if (first) return false
    if (mark === ',' || mark === '，') {
      if (mark === '，') this.fixups.add('json_punctuation')
      this.at += 1
      this.skip()
      const next = this.text.charAt(this.at)
      if (!isEnd(next)) return false
      this.fixups.add('json_commas')
      return this.close(next, wide)
    }
    const isNewLine = this.text.slice(from, this.at).includes('\n')
    const before = this.text.charAt(from - 1)
    if ((isNewLine && CLOSES[mark] !== undefined) || (mark === '{' && before === '}')) {
      this.fixups.add('json_commas')
      return false
    }
    throw this.error(mark === '' ? 'it breaks off' : `a comma or ${plain} is missing`)
  }

  private close(mark: string, wide: string): true {
    if (mark === wide) this.fixups.add('json_punctuation')
    this.at += 1
    return true
  }

  private key(): string {
    if (CLOSES[this.text.charAt(this.at)] !== undefined) return this.string()
    const key = this.match(KEY)
    if (key === null) throw this.error(this.at >= this.text.length ? 'it breaks off' : 'a key is missing')
    this.fixups.add('json_keys')
    return key
  }

  /** A string. A quote inside it that only text can follow is part of it, if such quotes come in pairs. */
  private string(): string {
    const mark = this.text.charAt(this.at)
    if (mark === '"' && this.text.startsWith('"""', this.at)) return this.longString()
    const closes = CLOSES[mark] ?? mark
    if (mark !== '"') this.fixups.add('json_quotes')
    const began = this.at
    let told = ''
    let inner = 0
    for (this.at += 1; ; ) {
      told += this.match(PLAIN) ?? ''
      const next = this.text.charAt(this.at)
      if (next === '') throw new Unreadable(`a string is not closed: ${this.near(began)}`, began)
      if (next === '\\') {
        told += this.escape()
        continue
      }
      if (closes.includes(next)) {
        if (isApostrophe(this.text, this.at, next)) {
          // Part of a word.
        } else if (this.canEnd(this.at + 1)) {
          if (inner % 2 === 1)
            throw new Unreadable(`a quote inside a string is not escaped: ${this.near(began)}`, began)
          this.at += 1
          return told
        } else {
          inner += 1
          this.fixups.add('json_inner_quotes')
        }
      } else if (next < ' ') {
        this.fixups.add('json_newlines')
      }
      told += next
      this.at += 1
    }
  }

  /** """…""", as Python writes long texts. */
  private longString(): string {
    const end = this.text.indexOf('"""', this.at + 3)
    const inside = end < 0 ? '' : this.text.slice(this.at + 3, end)
    if (inside === '' || inside.includes('\\')) throw this.error('three quotes begin no string')
    this.fixups.add('json_quotes')
    this.at = end + 3
    return inside
  }

  private escape(): string {
    const mark = this.text.charAt(this.at + 1)
    if (mark === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6)
      if (!/^[\da-fA-F]{4}$/.test(digits)) throw this.error('\\u needs four hexadecimal digits')
      this.at += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const plain = Object.hasOwn(JSON_ESCAPES, mark) ? JSON_ESCAPES[mark] : undefined
    if (plain === undefined && mark !== "'" && mark !== '`') {
      throw this.error(`\\${mark} is no escape of JSON; a backslash is written \\\\`)
    }
    if (plain === undefined) this.fixups.add('json_escapes')
    this.at += 2
    return plain ?? mark
  }

  /** Whether a string may end before this place: what follows is structure, or on a new line a next string. */
  private canEnd(from: number): boolean {
    let at = from
    while (SPACE.test(this.text.charAt(at))) at += 1
    const next = this.text.charAt(at)
    if (next === '' || ',}]:，｝］：#'.includes(next)) return true
    if (next === '/' && '/*'.includes(this.text.charAt(at + 1) || ' ')) return true
    return CLOSES[next] !== undefined && this.text.slice(from, at).includes('\n')
  }

  /** Space and comments. */
  private skip(): void {
    for (;;) {
      while (this.at < this.text.length && SPACE.test(this.text.charAt(this.at))) this.at += 1
      const isLine = this.text.charAt(this.at) === '#' || this.text.startsWith('//', this.at)
      if (!isLine && !this.text.startsWith('/*', this.at)) return
      const end = this.text.indexOf(isLine ? '\n' : '*/', this.at)
      if (end < 0 && !isLine) throw this.error('a comment is not closed')
      this.at = end < 0 ? this.text.length : end + (isLine ? 1 : 2)
      this.fixups.add('json_comments')
    }
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? null
    if (found !== null) this.at += found.length
    return found
  }

  private near = (at: number): string => JSON.stringify(this.text.slice(at, at + 40))

  private error(what: string): Unreadable {
    const near = this.text.slice(this.at, this.at + 20)
    return new Unreadable(near === '' ? what : `${what} (at ${JSON.stringify(near)})`, this.at)
  }
}

const isApostrophe = (text: string, at: number, mark: string): boolean =>
  (mark === "'" || mark === '’') && LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at + 1))
