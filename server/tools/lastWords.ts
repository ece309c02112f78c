const LONGEST_LINE = 500

/** A line reader that keeps one line: enough to say why a server is gone, nothing that grows. */
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
