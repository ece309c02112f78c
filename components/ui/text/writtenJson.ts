/** JSON as it is written: numbers keep their digits (3.10, 1e400, -0), names their order, and a name that comes twice comes twice. */

/** What is shown: a value, or a JSON text with its numbers and names as they are written. */
export type ShownJson = { value: unknown } | { text: string }

/** A number, a list or an object of a JSON text. text: as written; entries: what is in it, [] of a number */
export class Written {
  constructor(
    readonly kind: 'number' | 'list' | 'object',
    readonly text: string,
    readonly entries: [string, WrittenValue][] = [],
  ) {}
}
export type WrittenValue = string | boolean | null | Written

/** undefined: the text is no JSON, or nests too deep to be shown as a tree. */
export function readWrittenJson(text: string): WrittenValue | undefined {
  try {
    // What follows relies on the text being JSON.
    JSON.parse(text)
    return new Reader(text).value()
  } catch {
    return undefined
  }
}

const SPACE = /[\s,:]*/y
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy
const NUMBER = /-?[\d.]+(?:[eE][+-]?\d+)?/y

class Reader {
  private at = 0
  constructor(private readonly text: string) {}

  value(): WrittenValue {
    const sign = this.next()
    const start = this.at
    switch (sign) {
      case '{':
      case '[': {
        const entries = this.entries(sign === '{' ? '}' : ']')
        return new Written(sign === '{' ? 'object' : 'list', this.text.slice(start, this.at), entries)
      }
      case '"':
        return this.string()
      case 't':
      case 'f':
      case 'n':
        return this.word(sign)
      default:
        return new Written('number', this.take(NUMBER))
    }
  }

  private entries(end: '}' | ']'): [string, WrittenValue][] {
    const entries: [string, WrittenValue][] = []
    this.at += 1
    while (this.next() !== end) {
      const name = end === '}' ? this.string() : String(entries.length)
      entries.push([name, this.value()])
    }
    this.at += 1
    return entries
  }

  private string(): string {
    this.next()
    return String(JSON.parse(this.take(STRING)))
  }

  private word(first: 't' | 'f' | 'n'): boolean | null {
    this.at += first === 'f' ? 5 : 4
    return first === 'n' ? null : first === 't'
  }

  /** The next sign that is no space or separator. */
  private next(): string | undefined {
    this.take(SPACE)
    return this.text[this.at]
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? ''
    this.at += found.length
    return found
  }
}
