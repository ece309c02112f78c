/** The largest message that a server may send, in bytes; a result is one message. */
export const MESSAGE_LIMIT_BYTES = 8 * 1024 * 1024

/** Lines of one event (SSE): each takes memory, however short it is. */
export const MOST_EVENT_LINES = 100_000

/** A message longer than this ends the connection: it may never end. */
export const RUNAWAY_LIMIT_BYTES = 64 * 1024 * 1024

export const CALL_TIME_LIMIT_MS = 60_000
/** Each progress report renews the time limit of a call, up to this in all. */
export const LONGEST_CALL_MS = 30 * 60_000
/** How much of a call's progress is kept with its result. */
export const MOST_PROGRESS = 100
export const CONNECT_TIME_LIMIT_MS = 20_000

/** Largest delay that a timer takes. */
export const LONGEST_TIMER_MS = 2_147_483_647

/** Written by our transports in place of an answer that was dropped for its size. In the range that JSON-RPC leaves to implementations. */
export const DROPPED_FOR_SIZE = -32_090

/** Written by our transports in place of an answer that never came whole (not JSON-RPC, or the stream broke). */
export const ANSWER_BROKEN = -32_091

/** `8 MiB`, `512 KiB`: a limit as people read it. */
export function sizeInWords(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`
}

/** `60 s`, `250 ms`: a duration as people read it. */
export function timeInWords(durationMs: number): string {
  return durationMs >= 1000 ? `${Math.round(durationMs / 100) / 10} s` : `${durationMs} ms`
}
