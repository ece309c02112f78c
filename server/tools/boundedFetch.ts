import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { BoundedEvents } from './boundedEvents'
import { BoundedLines, type LineOptions } from './boundedLines'
import { brokenAnswer, droppedForSize } from './messages'

/**
 * A fetch with bounded bodies.
 *
 * in      answer: passes a message to the protocol in place of a dropped or broken one; send: the underlying fetch
 * out     event streams are passed on event by event, and events above a limit dropped; other bodies are dropped whole
 * why     an event stream that ends early and cannot be resumed (no event id) would leave its call waiting
 */
export function boundedFetch(answer: (message: JSONRPCMessage) => void, send: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await send(url, init)
    if (!response.body || response.status < 200) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const askedId = requestId(init?.body)
    const body = boundedBody(response.body, { isStream, askedId, answer })
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
  }
}

type BodyOptions = { isStream: boolean; askedId: number | null; answer: (message: JSONRPCMessage) => void }

function boundedBody(body: ReadableStream<Uint8Array>, options: BodyOptions): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const onTooLarge: LineOptions['onTooLarge'] = (id, why) => {
    const waiting = id ?? options.askedId
    if (waiting !== null) options.answer(droppedForSize(waiting, why))
  }
  const lines = new BoundedLines({ isSplit: options.isStream, onTooLarge })
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
          for (const line of done ? [lines.end()] : lines.push(value)) {
            const piece = line === null || events === null ? line : events.push(line)
            if (piece === null) continue
            controller.enqueue(piece)
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

function requestId(body: unknown): number | null {
  if (typeof body !== 'string') return null
  // Bodies for sign-in servers are JSON or a form.
  const { id, method } = fieldsIn(jsonValueOf(body))
  return typeof id === 'number' && method !== undefined ? id : null
}
