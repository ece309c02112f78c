const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENERS = new Set([0x7b, 0x5b])
const CLOSERS = new Set([0x7d, 0x5d])
const COLON = 0x3a
const COMMA = 0x2c
const LONGEST_KEPT = 64

/**
 * Extracts the top-level `id` from a JSON object in chunks, storing nothing else.
 *
 * in      read(piece): the next bytes; bytes before the first brace are ignored
 * out     id(): the number once it was read; null: none, or another type
 * why     a dropped answer must still end its call, and `id` may follow a result of 20 MiB
 */
export class TopLevelId {
  private depth = 0
  private inString = false
  private isEscaped = false
  private isKey = false
  private key = ''
  private value = ''

  static of(pieces: readonly Uint8Array[]): TopLevelId {
    const id = new TopLevelId()
    for (const piece of pieces) id.read(piece)
    return id
  }

  read(piece: Uint8Array): void {
    for (const byte of piece) {
      if (this.inString) this.readInString(byte)
      else this.readOutside(byte)
    }
  }

  id(): number | null {
    return /^\d+$/.test(this.value) ? Number(this.value) : null
  }

  private readInString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === BACKSLASH) this.isEscaped = true
    else if (byte === QUOTE) this.inString = false
    else if (this.depth === 1 && this.isKey && this.key.length < LONGEST_KEPT) this.key += String.fromCharCode(byte)
  }

  private readOutside(byte: number): void {
    if (byte === QUOTE) {
      this.inString = true
      if (this.depth === 1 && this.isKey) this.key = ''
    } else if (OPENERS.has(byte)) {
      this.depth += 1
      this.isKey = this.depth === 1
    } else if (CLOSERS.has(byte)) {
      this.depth -= 1
    } else if (this.depth === 1 && byte === COLON) {
      this.isKey = false
    } else if (this.depth === 1 && byte === COMMA) {
      this.isKey = true
    } else if (
      this.depth === 1 &&
      !this.isKey &&
      this.key === 'id' &&
      this.value.length < LONGEST_KEPT &&
      byte > 0x20
    ) {
      this.value += String.fromCharCode(byte)
    }
  }
}
