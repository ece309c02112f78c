/** The answer as an event stream: states of the sender's message, then messages of the conversation. */
import type { ServerResponse } from 'node:http'
import type { AdapterContext } from '../adapter'
import { isOver, watchState } from './messageState'
import type { TakenMessage } from './receive'

const BEAT_MS = 15_000
/** Later answers are sent to the sender's own address. */
const LONGEST_MS = 10 * 60_000

/** Answer with a stream: `received`, `status` for each state, `delta` and `message` of each answer, `end`. */
export function streamAnswers(
  context: AdapterContext,
  response: ServerResponse,
  taken: TakenMessage,
  received: unknown,
): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  const write = (event: string, data: string): boolean => {
    if (response.writableEnded || response.destroyed) return false
    response.write(`event: ${event}\ndata: ${data}\n\n`)
    return true
  }
  write('received', JSON.stringify(received))
  let stopBeat = (): void => {}

  const look = (): void => {
    if (isOver(context.engine.world(), taken)) end('answered')
  }
  const stopStream = context.streams.listen(taken.conversation, {
    message: (envelope) => write('message', envelope),
    delta: (delta) => void write('delta', JSON.stringify(delta)),
  })
  context.reached(({ conversation }) => conversation === taken.conversation)
  const stopWatching = watchState(context, taken, (status) =>
    write('status', JSON.stringify({ message_id: taken.messageId, status })),
  )
  const stopLooking = context.engine.onDecision(look)
  const stopLimit = context.schedule(() => end('later'), LONGEST_MS)
  const beat = (): void => {
    if (!response.destroyed) response.write(': beat\n\n')
    stopBeat = context.schedule(beat, BEAT_MS)
  }
  stopBeat = context.schedule(beat, BEAT_MS)

  /** later: the answer is sent to the sender's own address. */
  function end(reason: 'answered' | 'later'): void {
    close()
    write('end', JSON.stringify({ conversation_id: taken.shared, reason }))
    response.end()
  }
  function close(): void {
    stopStream()
    stopWatching()
    stopLooking()
    stopLimit()
    stopBeat()
  }
  response.on('close', close)
  look()
}
