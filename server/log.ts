/** The log: lines of JSON in a file that is rotated by size. It never throws: lines that cannot be written are dropped and counted. */
import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { escapedJson } from '@/lib/format/hiddenSigns'

type LogOptions = {
  /** Epoch ms. */
  now?: () => number
  /** A file of the log is about as long as this, bytes. */
  fileBytes?: number
}

const FILE_BYTES = 10 * 1024 * 1024
/** Older files beside the one that is written: convene.log.1 to .5. */
const OLDER_FILES = 5
const MODE = 0o600
/** After a failure nothing is tried for this long. */
export const RETRY_MS = 5_000

/** Opens the log, also one with wider rights. Throws errors of the file system, at the opening only. */
export function openLog(path: string, { now = Date.now, fileBytes = FILE_BYTES }: LogOptions = {}) {
  appendFileSync(path, '', { mode: MODE })
  chmodSync(path, MODE)
  let size = statSync(path).size
  let retryAt = Number.NEGATIVE_INFINITY
  let dropped = 0
  let reported = 0

  /** At once, so that the last line before a crash is in the file: some 20 µs a line, and there are few. */
  function append(line: string): boolean {
    if (now() < retryAt) return false
    try {
      if (size >= fileBytes) {
        rotate(path)
        size = 0
      }
      appendFileSync(path, line, { mode: MODE })
      size += Buffer.byteLength(line)
      return true
    } catch {
      retryAt = now() + RETRY_MS
      return false
    }
  }

  function write(line: string): void {
    // The log is read in terminals, and has words of other programs.
    if (!append(escapedJson(line))) {
      dropped += 1
      return
    }
    const lines = dropped - reported
    reported = dropped
    if (lines > 0) log.warn({ lines }, 'log lines were lost')
  }

  const log: Logger = pino({ level: 'info' }, { write })
  return {
    log,
    /** Lines lost since the start. */
    dropped: () => dropped,
  }
}

function rotate(path: string): void {
  for (let n = OLDER_FILES; n > 0; n--) {
    const from = n === 1 ? path : `${path}.${n - 1}`
    if (existsSync(from)) renameSync(from, `${path}.${n}`)
  }
}
