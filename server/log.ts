/** The log: lines of JSON in a file that is rotated by size. It never throws: lines that cannot be written are dropped and counted. */
import { appendFileSync, closeSync, fchmodSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Writable } from 'node:stream'
import pino, { type Logger } from 'pino'
import { createStream } from 'rotating-file-stream'

type LogOptions = {
  /** Epoch ms. */
  now?: () => number
  /** A file of the log is as long as this, for example 10M. */
  fileSize?: string
  /** Opens the output of lines; again after each failure. */
  openStream?: () => Writable
}

const FILE_SIZE = '10M'
/** Older files beside the one that is written: convene.log.1 to .5. */
const OLDER_FILES = 5
const MODE = 0o600
/** After a failure nothing is tried for this long. */
export const RETRY_MS = 5_000
/** More than this is not kept for a disk that is slow, characters. */
const MOST_WAITING = 4 * 1024 * 1024
/** Written at a time, so that no file grows much longer than it may, characters. */
const PIECE = 64 * 1024
const CLOSE_MS = 1_000

/** Opens the log, also one with wider rights. Throws errors of the file system, at the opening only. */
export function openLog(path: string, options: LogOptions = {}) {
  const file = openSync(path, 'a', MODE)
  try {
    fchmodSync(file, MODE)
  } finally {
    closeSync(file)
  }
  const writeSync = (text: string): void => {
    try {
      appendFileSync(path, text, { mode: MODE })
    } catch {
      // There is no place left to report it.
    }
  }
  let isClosed = false
  const lines = openLineQueue({
    now: options.now ?? Date.now,
    openStream:
      options.openStream ??
      (() =>
        createStream(basename(path), {
          path: dirname(path),
          size: options.fileSize ?? FILE_SIZE,
          rotate: OLDER_FILES,
          mode: MODE,
        })),
    onGap: (missing) => log.warn({ lines: missing }, 'log lines were lost'),
  })
  const log: Logger = pino(
    { level: 'info' },
    { write: (line: string) => (isClosed ? writeSync(line) : lines.add(line)) },
  )
  const flushSync = (): void => {
    const rest = lines.takeAll()
    if (rest !== '') writeSync(rest)
  }

  return {
    log,
    /** Lines lost since the start. */
    dropped: lines.dropped,
    /** Write what waits, now: the process is about to exit. */
    flushSync,
    /** Write what waits, and end; not longer than CLOSE_MS. Later lines are still written, at once. */
    async close(): Promise<void> {
      if (isClosed) return
      await within(CLOSE_MS, lines.end)
      isClosed = true
      flushSync()
    },
  }
}

/** Resolves when the work is done, or after that many ms. */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    work(),
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
    }),
  ])
  clearTimeout(timer)
}

type LineQueueParts = {
  now: () => number
  openStream: () => Writable
  /** It is written again, after so many lines were lost. */
  onGap: (missing: number) => void
}

/** Lines on their way to a stream. After a failure a new one is opened; what cannot be kept is dropped and counted. */
function openLineQueue({ now, openStream, onGap }: LineQueueParts) {
  let stream: Writable | null = null
  let waiting: string[] = []
  let waitingLength = 0
  /** Lines that the stream has now. */
  let written = 0
  let retryAt = Number.NEGATIVE_INFINITY
  let dropped = 0
  /** Not said in the log yet. */
  let unsaid = 0
  const watchers: (() => void)[] = []

  const drop = (lines: number): void => {
    dropped += lines
    unsaid += lines
  }

  /** out: lines that waited, the first ones, not much more than that many characters */
  function takeWaiting(most: number): string {
    let text = ''
    written = 0
    while (written < waiting.length && text.length < most) {
      text += waiting[written]
      written += 1
    }
    waiting = waiting.slice(written)
    waitingLength -= text.length
    return text
  }

  function fail(failed: Writable): void {
    if (failed !== stream) return
    stream = null
    retryAt = now() + RETRY_MS
    drop(written + waiting.length)
    takeWaiting(Number.POSITIVE_INFINITY)
    written = 0
    failed.destroy()
    settle()
  }

  function settle(): void {
    if (written > 0 || waiting.length > 0) return
    for (const watcher of watchers.splice(0)) watcher()
  }

  function pump(): void {
    if (written > 0 || waiting.length === 0) return
    stream ??= openNext()
    const used = stream
    used.write(takeWaiting(PIECE), (error) => {
      if (error) return fail(used)
      if (used !== stream) return
      written = 0
      if (unsaid > 0) {
        const lines = unsaid
        unsaid = 0
        onGap(lines)
      }
      pump()
      settle()
    })
  }

  function openNext(): Writable {
    const next = openStream()
    next.on('error', () => fail(next))
    return next
  }

  return {
    add(line: string) {
      if ((stream === null && now() < retryAt) || waitingLength + line.length > MOST_WAITING) return drop(1)
      waiting.push(line)
      waitingLength += line.length
      pump()
    },
    dropped: () => dropped,
    /** What waits; the stream gets none of it. */
    takeAll(): string {
      const rest = takeWaiting(Number.POSITIVE_INFINITY)
      written = 0
      return rest
    },
    /** Write what waits, and end the stream. */
    async end() {
      while (written > 0 || waiting.length > 0) await new Promise<void>((resolve) => watchers.push(resolve))
      const last = stream
      if (last) await new Promise<void>((resolve) => last.end(() => resolve()))
    },
  }
}
