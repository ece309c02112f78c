/** Byte streams to lines. */
import { takingTurns } from '../shared/pieces'
import { ModelError } from './model'

/** Longer lines are refused: a stream without line breaks must not fill the memory. */
const LONGEST_LINE = 4_194_304

/** Lines ended by LF, CRLF or CR, and a last one without an end. Throws MODEL_CUT for a line of more than 4 MiB. */
export async function* decodeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const turn = takingTurns()
  // The beginning of the current line, as pieces: only new bytes are searched for its end.
  let held: string[] = []
  let length = 0
  let half = ''
  for await (const piece of bytes) {
    const text = half + decoder.decode(piece, { stream: true })
    // A CR at the end may be half of a CRLF: it is kept for the next piece.
    half = text.endsWith('\r') ? '\r' : ''
    const [first = '', ...others] = (half === '' ? text : text.slice(0, -1)).split(/\r\n|\r|\n/)
    held.push(first)
    length += first.length
    const last = others.pop()
    if (last !== undefined) {
      yield held.join('')
      for (const line of others) {
        yield line
        const pause = turn()
        if (pause) await pause
      }
      held = [last]
      length = last.length
    }
    if (length > LONGEST_LINE) throw new ModelError('MODEL_CUT', 'the server sent a line without an end', false)
    await turn()
  }
  const rest = held.join('') + decoder.decode()
  if (rest !== '' || half !== '') yield rest
}
