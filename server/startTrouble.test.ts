/** The words for what keeps Convene from starting. */
import { describe, expect, it } from 'vitest'
import { decodeEntry, UnknownEventError } from '@/lib/mas/decode'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll, reduceStored, UnreadableEntryError } from '@/lib/mas/reduce/reduceAll'
import { SAMPLES } from '@/test/samples'
import { startTrouble } from './startTrouble'
import { StoreBrokenError, StoreDamagedError } from './store'

const errno = (code: string, path?: string): Error => Object.assign(new Error(`${code}: raw words`), { code, path })

it('[R263] a start on entries of a newer version says so in one sentence', () => {
  expect(startTrouble(new UnknownEventError(7, 'message.sent', 2), 'x')).toBe(
    'entry 7 is message.sent version 2, which this program does not know: start the newer version',
  )
})

it('[R376] an entry of an unexpected shape is named with its number and its event, whoever reads it', () => {
  const events = SAMPLES.filter(({ type }) => type !== 'sequencer.took')
  const refused = new Set<string>()
  for (const { type } of events) {
    const stored = { seq: 1, at: 0, by: 'x', cause: 'x', event: { type, v: 1 } }
    for (const read of [
      () => reduceAll(emptyWorld, [decodeEntry(stored)]),
      () => reduceStored(emptyWorld, decodeEntry(stored)),
    ])
      try {
        read()
      } catch (error) {
        refused.add(type)
        expect(error, type).toBeInstanceOf(UnreadableEntryError)
        const words = startTrouble(error, '/data')
        expect(words).toContain(`entry 1 (${type}) does not have the shape of its type: `)
        expect(words).toMatch(/put a backup from before it back/)
      }
  }
  // The others change nothing in an empty world.
  expect(refused.size).toBeGreaterThan(10)
  expect(refused).toContain('message.sent')
})

describe('the words', () => {
  it.each([
    ['ENOSPC', 'no space left'],
    ['EDQUOT', 'no space left'],
    ['SQLITE_FULL', 'no space left'],
    ['EROFS', 'can only be read'],
    ['SQLITE_READONLY_DIRECTORY', 'can only be read'],
    ['EACCES', 'may not write'],
    ['EPERM', 'may not write'],
    ['SQLITE_CANTOPEN_ISDIR', 'may not write'],
    ['EEXIST', 'where a folder is needed'],
    ['ENOTDIR', 'where a folder is needed'],
    ['EISDIR', 'where a file is needed'],
    ['EMFILE', 'Too many files'],
    ['EIO', 'Look at the disk'],
    ['SQLITE_IOERR_WRITE', 'Look at the disk'],
    ['SQLITE_BUSY', 'locked'],
  ])('[R83] of %s name the place and what to do, bare or from within the store', (code, words) => {
    const bare = startTrouble(errno(code, '/data/x'), '/data')
    expect(bare).toContain(words)
    if (!words.startsWith('Too many')) expect(bare).toContain('/data/x')
    expect(startTrouble(new StoreBrokenError('open', errno(code)), '/data')).toContain(words)
    for (const text of [bare, startTrouble(errno(code), '/data')]) expect(text).not.toMatch(/raw words|\n/)
  })

  it('[R83] of damage say what to do; a defect has none and keeps its stack', () => {
    const damage = new StoreBrokenError('open', errno('SQLITE_NOTADB'))
    expect(startTrouble(damage, '/data')).toMatch(/^\/data cannot be used: .*put it back\.$/)
    const decision = new StoreDamagedError({ file: 'convene.db', decision: 3, entry: null, why: 'its hash differs' })
    expect(startTrouble(decision, '/data')).toMatch(/^convene.db is damaged at decision 3: .*Put a backup back/)
    expect(startTrouble(new TypeError('x is not a function'), '/data')).toBeNull()
    expect(startTrouble('a word', '/data')).toBeNull()
  })
})
