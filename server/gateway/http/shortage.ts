/** Answers that failed because the system refused a file: no descriptor was free, or a disk could not be read. */
import { errorCode } from '../../shared/errors'

/** EMFILE, ENFILE: no descriptor is free in the process, in the system. EIO: a disk cannot be read or written. */
const CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EIO'])
/** So long after the last one it is still said, ms. */
const SAID_MS = 60_000

/** in  now: epoch ms; failed: called with the code of each */
export function openShortage(now: () => number, failed: (code: string) => void) {
  let last = Number.NEGATIVE_INFINITY
  return {
    /** in  error: why an answer, or the accept of a connection, failed; other errors are not noted */
    note(error: unknown): void {
      const code = errorCode(error)
      if (!CODES.has(code)) return
      last = now()
      failed(code)
    },
    isRecent: (): boolean => now() - last < SAID_MS,
  }
}

export type Shortage = ReturnType<typeof openShortage>
