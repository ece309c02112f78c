/** Largest message of a server, in bytes. A result is one message. */
export const MESSAGE_LIMIT_BYTES = 8 * 1024 * 1024

/** Lines of one server-sent event: each costs memory. */
export const MOST_EVENT_LINES = 100_000

/** A longer message closes the connection, as it may never end. */
export const RUNAWAY_LIMIT_BYTES = 64 * 1024 * 1024

export const CALL_TIME_LIMIT_MS = 60_000
/** Progress reports renew a call's time limit, up to this in total. */
export const LONGEST_CALL_MS = 30 * 60_000
/** Progress reports that are kept with the result. */
export const MOST_PROGRESS = 100
export const CONNECT_TIME_LIMIT_MS = 20_000

export const LONGEST_TIMER_MS = 2_147_483_647

/** Error code for an answer that our transports dropped for its size. In the implementation range of JSON-RPC. */
export const DROPPED_FOR_SIZE = -32_090

/** Error code for an answer that is malformed or did not arrive completely. */
export const ANSWER_BROKEN = -32_091

/** `8 MiB`, `512 KiB` */
export function sizeInWords(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`
}

/** `60 s`, `250 ms` */
export function timeInWords(durationMs: number): string {
  return durationMs >= 1000 ? `${Math.round(durationMs / 100) / 10} s` : `${durationMs} ms`
}
