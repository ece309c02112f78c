/** Server-sent events of bounded size. All `data` lines of an event count as one message. */
import { excessOf } from '@/server/shared/boundedJson'
import type { LineOptions } from './boundedLines'
import { MESSAGE_LIMIT_BYTES, MOST_EVENT_LINES, RUNAWAY_LIMIT_BYTES, sizeInWords } from './limits'
import { TopLevelId } from './topLevelId'

const NEWLINE = Buffer.from('\n')
const COLON = 0x3a
const CARRIAGE_RETURN = 0x0d

/**
 * The events of a stream of lines; an event above a limit (bytes, depth, values) is dropped, and the stream continues.
 *
 * in      push(line), lines without their newline
 * out     a complete event with its newlines, when the line ends one; null: incomplete, or dropped
 * faults  an Error when one event exceeds the runaway limit
 */
export class BoundedEvents {
  /** Did an event have an id? Then the stream can be resumed. */
  isResumable = false
  private held: Buffer[] = []
  private size = 0
  private tooLarge: { id: TopLevelId; why: 'size' | 'lines' } | null = null
  private readonly limitBytes: number
  private readonly runawayBytes: number

  constructor(private readonly options: Pick<LineOptions, 'onTooLarge' | 'limitBytes' | 'runawayBytes'>) {
    this.limitBytes = options.limitBytes ?? MESSAGE_LIMIT_BYTES
    this.runawayBytes = options.runawayBytes ?? RUNAWAY_LIMIT_BYTES
  }

  push(line: Buffer): Buffer | null {
    // Comments belong to no event.
    if (line[0] === COLON) return null
    if (isEmpty(line)) return this.take()
    if (line.subarray(0, 3).toString() === 'id:') this.isResumable = true
    this.size += line.length + 1
    if (this.tooLarge) this.tooLarge.id.read(dataOf(line))
    else this.hold(line)
    if (this.size > this.runawayBytes)
      throw new Error(`sent one event of more than ${sizeInWords(this.runawayBytes)} without an end`)
    return null
  }

  private hold(line: Buffer): void {
    this.held.push(line)
    const why = this.size > this.limitBytes ? 'size' : this.held.length > MOST_EVENT_LINES ? 'lines' : null
    if (why === null) return
    this.tooLarge = { id: idIn(this.held), why }
    this.held = []
  }

  private take(): Buffer | null {
    const { held, tooLarge } = this
    this.held = []
    this.size = 0
    this.tooLarge = null
    if (tooLarge) {
      this.options.onTooLarge(tooLarge.id.id(), tooLarge.why)
      return null
    }
    // A single line was checked when it was read.
    const excess = held.length > 1 ? excessOf(Buffer.concat(held.map(dataOf))) : null
    if (excess !== null) {
      this.options.onTooLarge(idIn(held).id(), excess)
      return null
    }
    return Buffer.concat([...held.flatMap((line) => [line, NEWLINE]), NEWLINE])
  }
}

const isEmpty = (line: Buffer): boolean => line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN)

const NOTHING = Buffer.alloc(0)

/** The message bytes of a line. */
function dataOf(line: Buffer): Buffer {
  return line.subarray(0, 5).toString() === 'data:' ? line.subarray(5) : NOTHING
}

function idIn(lines: readonly Buffer[]): TopLevelId {
  const id = new TopLevelId()
  for (const line of lines) id.read(dataOf(line))
  return id
}
