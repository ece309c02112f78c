/** The answer as an event stream: the states of the sender's message, then the messages of the conversation. */

import type { ServerResponse } from 'node:http'
import type { DeliveryRecord } from '@/lib/mas/outsideRecords'
import type { World } from '@/lib/mas/records'
import { isPending } from '@/lib/mas/selectors/outside'
import { hasOpenWork } from '@/lib/mas/selectors/outsideWork'
import { isSettled } from '@/lib/mas/statuses'
import type { AdapterContext } from '../adapter'
import type { TakenMessage } from './receive'

const BEAT_MS = 15_000
/** Longer answers go to the sender's own address. */
const LONGEST_MS = 10 * 60_000

/** Answer with a stream: `received`, `status` as the message fares, each `message` of the answer, `end`. */
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
  let told = ''
  let stopBeat = (): void => {}

  const look = (): void => {
    const state = stateOf(context.engine.world(), taken)
    if (state !== told) {
      told = state
      write('status', JSON.stringify({ message_id: taken.messageId, status: state }))
    }
    if (isOver(context.engine.world(), taken)) end('answered')
  }
  const stopStream = context.streams.listen(taken.conversation, (envelope) => write('message', envelope))
  const stopLooking = context.engine.onDecision(look)
  const stopLimit = context.schedule(() => end('later'), LONGEST_MS)
  const beat = (): void => {
    if (!response.destroyed) response.write(': beat\n\n')
    stopBeat = context.schedule(beat, BEAT_MS)
  }
  stopBeat = context.schedule(beat, BEAT_MS)

  /** later: the answer goes to the sender's own address. */
  function end(reason: 'answered' | 'later'): void {
    close()
    write('end', JSON.stringify({ conversation_id: taken.shared, reason }))
    response.end()
  }
  function close(): void {
    stopStream()
    stopLooking()
    stopLimit()
    stopBeat()
  }
  response.on('close', close)
  look()
}

const receiptOf = (world: World, { task, message }: TakenMessage) => {
  const record = task === null || message === null ? undefined : world.messages[task]?.[message]
  const [receiver] = record?.receivers ?? []
  return record && receiver !== undefined ? world.receipts[record.task]?.[receiver]?.[record.id] : undefined
}

/** A message that left the world was settled long ago. */
const stateOf = (world: World, taken: TakenMessage): string => receiptOf(world, taken)?.state ?? 'done'

/** The receipt is settled, the work that the message asked for is over, and no delivery of the conversation is pending. */
function isOver(world: World, taken: TakenMessage): boolean {
  const receipt = receiptOf(world, taken)
  if (receipt && !isSettled(receipt.state)) return false
  if (taken.task !== null && hasOpenWork(world, taken.task, taken.message)) return false
  return !Object.values(world.outbox).some((all: Record<string, DeliveryRecord>) =>
    Object.values(all).some((delivery) => delivery.conversation === taken.conversation && isPending(world, delivery)),
  )
}
