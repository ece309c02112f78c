import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FetchLike, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { excessOf } from '@/server/shared/boundedJson'
import { MESSAGE_LIMIT_BYTES, MOST_EVENT_LINES, RUNAWAY_LIMIT_BYTES, sizeInWords } from '../limits'
import { BoundedLines, type LineOptions } from './boundedLines'
import { brokenAnswer, droppedForSize, readMessages } from './messages'
import { TopLevelId } from './topLevelId'

/**
 * in      answer: passes a message to the protocol in place of a dropped or broken one; send: the underlying fetch
 * out     event streams are passed on event by event, and events above a limit dropped; other bodies are dropped whole. Messages
 *         in them are those that readMessages understood
 * why     an event stream that ends early and cannot be resumed (no event id) would leave its call waiting
 */
export function boundedFetch(answer: (message: JSONRPCMessage) => void, send: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await send(url, init)
    const askedId = requestId(init?.body)
    // Whether a server speaks the stateless revision is not waited for where it only accepts the question.
    if (response.status === 202 && typeof askedId === 'string') answer(brokenAnswer(askedId, 'it gave no answer'))
    if (!response.body || response.status < 200) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const isRead = response.ok && (isStream || askedId !== null)
    const body = boundedBody(response.body, { isStream, isRead, askedId, answer })
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
  }
}

/** isRead: it holds messages. */
type BodyOptions = {
  isStream: boolean
  isRead: boolean
  askedId: RequestId | null
  answer: (message: JSONRPCMessage) => void
}

function boundedBody(body: ReadableStream<Uint8Array>, options: BodyOptions): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const onTooLarge: LineOptions['onTooLarge'] = (id, why) => {
    const waiting = id ?? options.askedId
    if (waiting !== null) options.answer(droppedForSize(waiting, why))
  }
  const lines = new BoundedLines({ isSplit: options.isStream, onTooLarge })
  const ends = options.isStream ? new LineEnds() : null
  const events = options.isStream ? new BoundedEvents({ onTooLarge }) : null
  // Has no effect on a call with an answer: the protocol forgets its id.
  const breakOff = () => {
    if (events?.isResumable === false && options.askedId !== null) {
      options.answer(brokenAnswer(options.askedId, 'its answer broke off'))
    }
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        // A pull that enqueues nothing is not repeated by the stream, so this loops until there is a chunk or the end.
        for (let isFed = false; !isFed; ) {
          const { done, value } = await reader.read()
          // Otherwise everything received would be processed in one turn of the event loop.
          await nextTurn()
          const piece = done || ends === null ? value : ends.unified(value)
          for (const line of piece === undefined ? [lines.end()] : lines.push(piece)) {
            const whole = line === null || events === null ? line : events.push(line)
            if (whole === null) continue
            controller.enqueue(options.isRead ? understood(whole, options) : whole)
            isFed = true
          }
          if (!done) continue
          controller.close()
          // The parser of the stream is still processing the last message.
          setTimeout(breakOff, 100).unref()
          return
        }
      } catch (error) {
        controller.error(error)
        breakOff()
        await reader.cancel().catch(() => {})
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** A body or an event whose messages are as the protocol has them; unchanged when they are none. */
function understood(whole: Buffer, { isStream, askedId }: BodyOptions): Buffer {
  const wholeText = whole.toString('utf8').replace(/^\uFEFF/, '')
  const lines = isStream ? wholeText.split('\n') : []
  const isData = (line: string): boolean => line.startsWith('data:')
  const text = isStream
    ? lines
        .filter(isData)
        .map((line) => line.slice(5))
        .join('\n')
    : wholeText
  const messages = readMessages(text, askedId).flatMap((read) => {
    if (read.kind === 'noise') return []
    return [JSON.stringify(read.kind === 'message' ? read.message : brokenAnswer(read.id, read.why))]
  })
  if (messages.length === 0) return whole
  if (!isStream) return Buffer.from(messages.length === 1 ? messages.join() : `[${messages.join()}]`)
  const others = lines.filter((line) => line !== '' && !isData(line)).map((line) => `${line}\n`)
  return Buffer.from(messages.map((message) => `${others.join('')}data: ${message}\n\n`).join(''))
}

function requestId(body: unknown): RequestId | null {
  if (typeof body !== 'string') return null
  // Bodies for sign-in servers are JSON or a form.
  const { id, method } = fieldsIn(jsonValueOf(body))
  return (typeof id === 'number' || typeof id === 'string') && method !== undefined ? id : null
}

const NEWLINE = Buffer.from('\n')
const LINE_FEED = 0x0a
const COLON = 0x3a
const CARRIAGE_RETURN = 0x0d

/** Lines of an event stream may end in CR, LF or both: here all end in LF. */
class LineEnds {
  private isAfterReturn = false

  unified(chunk: Uint8Array): Uint8Array {
    if (!this.isAfterReturn && !chunk.includes(CARRIAGE_RETURN)) return chunk
    const unified = Buffer.alloc(chunk.length)
    let size = 0
    for (const byte of chunk) {
      const isSecond = byte === LINE_FEED && this.isAfterReturn
      this.isAfterReturn = byte === CARRIAGE_RETURN
      if (isSecond) continue
      unified[size] = byte === CARRIAGE_RETURN ? LINE_FEED : byte
      size += 1
    }
    return unified.subarray(0, size)
  }
}

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
    // A single line was checked when it was read.
    const excess = tooLarge?.why ?? (held.length > 1 ? excessOf(Buffer.concat(held.map(dataOf))) : null)
    if (excess !== null) {
      this.options.onTooLarge((tooLarge?.id ?? idIn(held)).id(), excess)
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

const idIn = (lines: readonly Buffer[]): TopLevelId => TopLevelId.of(lines.map(dataOf))
