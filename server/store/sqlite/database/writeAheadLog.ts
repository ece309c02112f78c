/**
 * The write-ahead log beside a database, read before SQLite opens it: SQLite ends a log at its first bad frame and does not say so.
 *
 *   head 32 bytes   magic, version, page size, checkpoint, two salts, two sums
 *   frame           24 bytes: page, size of the database after a commit (else 0), two salts, two sums; then the page
 *
 * A frame counts if its salts are those of the head and its sums continue the sums before. Frames with other salts are from before
 * the last checkpoint. Each commit is on the disk before the next one is written: a bad frame with a commit after it was changed.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { errorCode } from '@/server/shared/errors'

/** frame: the first bad one, 0: the head. frames: of this log. commits: after the bad frame; SQLite would drop them. */
export type LogDamage = { frame: number; frames: number; commits: number }

const HEAD_BYTES = 32
const FRAME_BYTES = 24
/** The lowest bit says in which byte order the sums are computed: 0: little. */
const MAGIC = 0x377f0682
const VERSION = 3_007_000

type Sums = readonly [number, number]
type Frame = { at: number; commit: number; salts: string; sums: Sums; bytes: DataView }
type Log = { file: number; head: DataView; pageBytes: number; isLittle: boolean; sums: Sums; salts: string | null }

export const logOf = (database: string): string => `${database}-wal`

/** in: a database that no process uses. out: null: none, also if only the last write was cut off. faults: errors of the file system */
export function damageInLog(database: string): LogDamage | null {
  return withLog(database, 'r', (log) => walk(log).damage)
}

/** Makes SQLite read all frames up to the last commit, bad ones as they are. in: a copy of a database. faults: errors of the file system */
export function mendLog(database: string): void {
  withLog(database, 'r+', (log) => {
    const { damage, lastCommit } = walk(log)
    if (damage !== null) rewrite(log, lastCommit)
  })
}

function withLog<T>(database: string, flags: 'r' | 'r+', use: (log: Log) => T): T | null {
  const file = openIfThere(logOf(database), flags)
  if (file === null) return null
  try {
    const head = readAt(file, 0, HEAD_BYTES)
    const pageBytes = head && (pageBytesOf(database) ?? head.getUint32(8))
    const first = pageBytes ? frameAt(file, HEAD_BYTES, pageBytes) : null
    if (!head || !pageBytes || !first) return null
    const isLittle = (head.getUint32(0) & 1) === 0
    const sums = sumsOf([0, 0], head, 0, HEAD_BYTES - 8, isLittle)
    const isWhole = isSame(sums, [head.getUint32(24), head.getUint32(28)])
    return use({ file, head, pageBytes, isLittle, sums, salts: isWhole ? saltsAt(head, 16) : null })
  } finally {
    closeSync(file)
  }
}

/** out: lastCommit: the number of its frame; 0: none */
function walk(log: Log): { damage: LogDamage | null; lastCommit: number } {
  let { sums, salts } = log
  let bad = salts === null ? 0 : null
  let [frames, commits, lastCommit, n] = [0, 0, 0, 0]
  for (const frame of framesIn(log)) {
    n += 1
    // A bad head has not the salts of its frames.
    salts ??= frame.salts
    const isOwn = frame.salts === salts
    if (bad === null) {
      sums = frameSums(sums, frame, log.isLittle)
      if (!isOwn || !isSame(sums, frame.sums)) bad = n
    }
    if (!isOwn) continue
    frames = n
    if (frame.commit === 0) continue
    lastCommit = n
    if (bad !== null && n > bad) commits += 1
  }
  return { damage: bad === null || commits === 0 ? null : { frame: bad, frames, commits }, lastCommit }
}

function rewrite(log: Log, lastCommit: number): void {
  const { file, head, isLittle, pageBytes } = log
  const last = frameAt(file, HEAD_BYTES + (lastCommit - 1) * (FRAME_BYTES + pageBytes), pageBytes)
  if (last === null) return
  const salts = Buffer.from(last.salts, 'hex')
  const write = (at: number, bytes: DataView, saltsFrom: number, sumsFrom: number, sums: () => Sums): Sums => {
    new Uint8Array(bytes.buffer).set(salts, saltsFrom)
    const made = sums()
    bytes.setUint32(sumsFrom, made[0])
    bytes.setUint32(sumsFrom + 4, made[1])
    writeSync(file, bytes, 0, bytes.byteLength, at)
    return made
  }
  head.setUint32(0, isLittle ? MAGIC : MAGIC | 1)
  head.setUint32(4, VERSION)
  head.setUint32(8, pageBytes)
  let sums = write(0, head, 16, 24, () => sumsOf([0, 0], head, 0, HEAD_BYTES - 8, isLittle))
  let left = lastCommit
  for (const frame of framesIn(log)) {
    if (left === 0) return
    left -= 1
    sums = write(frame.at, frame.bytes, 8, 16, () => frameSums(sums, frame, isLittle))
  }
}

/** Its head in the log may be damaged. out: null: the database has none */
function pageBytesOf(database: string): number | null {
  const file = openIfThere(database, 'r')
  if (file === null) return null
  try {
    const bytes = readAt(file, 16, 2)?.getUint16(0) ?? 0
    if (bytes === 1) return 65_536
    return bytes >= 512 && (bytes & (bytes - 1)) === 0 ? bytes : null
  } finally {
    closeSync(file)
  }
}

function* framesIn({ file, pageBytes }: Log): Generator<Frame> {
  for (let at = HEAD_BYTES; ; at += FRAME_BYTES + pageBytes) {
    const frame = frameAt(file, at, pageBytes)
    if (frame === null) return
    yield frame
  }
}

function frameAt(file: number, at: number, pageBytes: number): Frame | null {
  const bytes = readAt(file, at, FRAME_BYTES + pageBytes)
  if (bytes === null) return null
  return {
    at,
    bytes,
    commit: bytes.getUint32(4),
    salts: saltsAt(bytes, 8),
    sums: [bytes.getUint32(16), bytes.getUint32(20)],
  }
}

const frameSums = (before: Sums, { bytes }: Frame, isLittle: boolean): Sums =>
  sumsOf(sumsOf(before, bytes, 0, 8, isLittle), bytes, FRAME_BYTES, bytes.byteLength, isLittle)

/** SQLite's checksum of a log. */
function sumsOf(before: Sums, bytes: DataView, from: number, to: number, isLittle: boolean): Sums {
  let [one, two] = before
  for (let at = from; at < to; at += 8) {
    one = (one + bytes.getUint32(at, isLittle) + two) >>> 0
    two = (two + bytes.getUint32(at + 4, isLittle) + one) >>> 0
  }
  return [one, two]
}

const isSame = (a: Sums, b: Sums): boolean => a[0] === b[0] && a[1] === b[1]

const saltsAt = (bytes: DataView, at: number): string => Buffer.from(bytes.buffer, at, 8).toString('hex')

function openIfThere(path: string, flags: 'r' | 'r+'): number | null {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** out: null: the file ends before */
function readAt(file: number, at: number, length: number): DataView | null {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const more = readSync(file, bytes, done, length - done, at + done)
    if (more === 0) return null
    done += more
  }
  return new DataView(bytes.buffer)
}
