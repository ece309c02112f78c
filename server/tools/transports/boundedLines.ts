import { excessOf, type JsonExcess } from '@/server/shared/boundedJson'
import { MESSAGE_LIMIT_BYTES, RUNAWAY_LIMIT_BYTES, sizeInWords } from '../limits'
import { TopLevelId } from './topLevelId'

const NEWLINE = 0x0a

export type LineExcess = 'size' | 'lines' | JsonExcess

export type LineOptions = {
  /** Called for each dropped line with its JSON-RPC id, if found, and the exceeded limit. */
  onTooLarge: (id: number | null, why: LineExcess) => void
  /** false: the whole stream is one line (a JSON body may contain line breaks). */
  isSplit?: boolean
  limitBytes?: number
  runawayBytes?: number
}

/**
 * Lines of a stream; a line above a limit (bytes, depth, values) is dropped, and the stream continues.
 *
 * in      push(chunk), then end() once
 * out     complete lines without newline; end() gives an unfinished last line, or null
 * faults  an Error when one line exceeds the runaway limit: it may never end
 */
export class BoundedLines {
  private held: Uint8Array[] = []
  private size = 0
  private tooLarge: TopLevelId | null = null
  private readonly limitBytes: number
  private readonly runawayBytes: number

  constructor(private readonly options: LineOptions) {
    this.limitBytes = options.limitBytes ?? MESSAGE_LIMIT_BYTES
    this.runawayBytes = options.runawayBytes ?? RUNAWAY_LIMIT_BYTES
  }

  push(chunk: Uint8Array): Buffer[] {
    const lines: Buffer[] = []
    let start = 0
    while (this.options.isSplit !== false) {
      const end = chunk.indexOf(NEWLINE, start)
      if (end === -1) break
      this.hold(chunk.subarray(start, end))
      const line = this.take()
      if (line) lines.push(line)
      start = end + 1
    }
    this.hold(chunk.subarray(start))
    return lines
  }

  end(): Buffer | null {
    return this.size > 0 ? this.take() : null
  }

  private hold(piece: Uint8Array): void {
    this.size += piece.length
    if (this.tooLarge) this.tooLarge.read(piece)
    else {
      this.held.push(piece)
      if (this.size > this.limitBytes) {
        this.tooLarge = TopLevelId.of(this.held)
        this.held = []
      }
    }
    if (this.size > this.runawayBytes) {
      throw new Error(`sent one message of more than ${sizeInWords(this.runawayBytes)} without an end`)
    }
  }

  private take(): Buffer | null {
    const { tooLarge } = this
    const line = Buffer.concat(this.held)
    this.held = []
    this.size = 0
    this.tooLarge = null
    const excess = tooLarge ? 'size' : excessOf(line)
    if (excess === null) return line
    this.options.onTooLarge((tooLarge ?? TopLevelId.of([line])).id(), excess)
    return null
  }
}
