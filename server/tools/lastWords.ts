const LONGEST_LINE = 500

/** Keeps the last line of a server's stderr, of bounded length, to explain why the server ended. */
export class LastWords {
  private unfinished = ''
  private line: string | undefined
  private ending: string | undefined

  /** Take a piece of stderr; gives the lines that it completed. */
  push(chunk: Buffer): string[] {
    const pieces = (this.unfinished + chunk.toString('utf8')).split(/\r?\n/)
    this.unfinished = (pieces.pop() ?? '').slice(-LONGEST_LINE)
    const lines = pieces.map((line) => line.trim().slice(0, LONGEST_LINE)).filter((line) => line !== '')
    this.line = lines.at(-1) ?? this.line
    return lines
  }

  setEnding(ending: string): void {
    this.ending ??= ending
  }

  lastLine(): string | undefined {
    return this.unfinished.trim() || this.line
  }

  last(): string | undefined {
    const line = this.lastLine()
    if (line === undefined) return this.ending
    return this.ending === undefined ? line : `${this.ending}; it last said: ${line}`
  }
}
