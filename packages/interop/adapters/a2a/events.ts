/** Events of a stream as text/event-stream. */
import type { ServerResponse } from 'node:http'
import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk'
import type { AdapterContext } from '../adapter'
import { INTERNAL_WORDS } from '../refusal'
import type { Binding } from './binding'

const BEAT_MS = 15_000

/** Rejects with what the first event throws, before anything is written. */
export async function sendEvents(
  { schedule, log }: Pick<AdapterContext, 'schedule' | 'log'>,
  response: ServerResponse,
  events: AsyncGenerator<unknown, void, undefined>,
  failure: (error: unknown) => ReturnType<Binding['failure']>,
): Promise<void> {
  const first = await events.next()
  response.writeHead(200, SSE_HEADERS)
  let stopBeat = (): void => {}
  const beat = (): void => {
    if (!response.destroyed) response.write(': beat\n\n')
    stopBeat = schedule(beat, BEAT_MS)
  }
  stopBeat = schedule(beat, BEAT_MS)
  try {
    if (!first.done) response.write(formatSSEEvent(first.value))
    for await (const event of events) response.write(formatSSEEvent(event))
  } catch (thrown) {
    log.error({ err: thrown, protocol: 'a2a' }, 'unexpected error in a request of another system')
    response.write(formatSSEErrorEvent(failure(new Error(INTERNAL_WORDS)).body))
  } finally {
    stopBeat()
    await events.return()
    response.end()
  }
}
