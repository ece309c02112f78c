/**
 * Room in the write-ahead log, made before it is needed. A flush that makes a file longer takes longer than one that goes over
 * old bytes, since the file's own record is written too; a log that was full once is only gone over. A start begins with an
 * empty one, so it is filled up with zeros, which SQLite takes for what an older log left.
 */
import { fstatSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { SqliteConnection } from './connection'

/** At a time, between two commits: well below a millisecond. */
const SLICE = Buffer.alloc(512 * 1024)

/**
 * Make a log so many bytes long, a slice at a time; a commit meanwhile waits for one slice at most.
 *
 * in      the log's path (SQLite keeps its locks on other files, so this one may be opened and closed); who writes it
 * out     when it is that long, when the disk gives no more, or when the connection is over
 * faults  StoreBrokenError, StoreClosedError
 */
export async function makeLogRoom(path: string, connection: SqliteConnection, bytes: number): Promise<void> {
  connection.ensureUsable()
  // Without a log, as when it went with the connection meanwhile, there is nothing to lengthen.
  const log = await open(path, 'r+').catch(() => null)
  if (log === null) return
  try {
    while (connection.isUsable()) {
      // In a transaction: no other connection writes at the log's end meanwhile.
      if (connection.write('room in the log', () => isLongEnough(log, bytes))) return
      await log.datasync()
    }
  } finally {
    await log.close()
  }
}

/** One slice more, unless it is long enough. */
function isLongEnough({ fd }: FileHandle, bytes: number): boolean {
  try {
    const { size } = fstatSync(fd)
    // Nothing was written yet: how a log begins is for SQLite to say.
    if (size === 0 || size >= bytes) return true
    writeSync(fd, SLICE, 0, Math.min(SLICE.length, bytes - size), size)
    return false
  } catch {
    // A full disk, perhaps: room is only for speed, and must not break the store.
    return true
  }
}
