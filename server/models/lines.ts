/**
 * Bytes of a stream → its lines, and lines → the data of server-sent events.
 *
 * Owns: characters and lines that are split over pieces. Not here: what a line means (openai.ts, ollama.ts).
 */

import { ModelError } from './model'

/** No wire format has longer ones; a stream without line breaks must not fill the memory. */
const LONGEST_LINE = 4_194_304

/**
 * Lines without their end: LF, CRLF or CR. What follows the last line break is a line too, unless it is empty.
 *
 * faults  MODEL_CUT for a line of more than 4 MiB
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let held = ''
  for await (const piece of bytes) {
    held += decoder.decode(piece, { stream: true })
    // A CR at the very end may be the first half of CRLF: it stays until more comes.
    const isHalf = held.endsWith('\r')
    const whole = (isHalf ? held.slice(0, -1) : held).split(/\r\n|\r|\n/)
    held = `${whole.pop() ?? ''}${isHalf ? '\r' : ''}`
    if (held.length > LONGEST_LINE) throw new ModelError('MODEL_CUT', 'the server sent a line without an end', false)
    yield* whole
  }
  held = `${held}${decoder.decode()}`.replace(/\r$/, '')
  if (held !== '') yield held
}

/** The data of each server-sent event; comments, names and ids are passed over. A last one without its blank line counts. */
export async function* eventsOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of lines) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n')
      data = []
    } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
  }
  if (data.length > 0) yield data.join('\n')
}
