/** The log never throws, is rotated, says what it lost, and has each line in its file at once. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLog, RETRY_MS } from './log'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-log-'))
  path = join(folder, 'convene.log')
})
afterEach(() => rm(folder, { recursive: true }))

type Line = { msg: string; n?: number; lines?: number }
const linesOf = (text: string): Line[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
const read = () => readFile(path, 'utf8')

it('[R81] has each line in its file at once, so that none is missing when the process ends', async () => {
  const { log, dropped } = openLog(path)
  for (let n = 0; n < 1_000; n++) log.info({ n }, 'line')
  const lines = linesOf(await read())
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
  expect(dropped()).toBe(0)
})

it('[R81] is rotated by size: six files at most, none longer than it may be, only for their owner', async () => {
  const fill = (from: number, to: number) => {
    const { log } = openLog(path, { fileBytes: 50_000 })
    for (let n = from; n < to; n++)
      log.info({ n }, 'a line of some hundred characters, so that some hundreds of them fill a file')
  }
  // A start counts what an earlier one wrote.
  for (let n = 0; n < 8_000; n += 100) fill(n, n + 100)
  const names = (await readdir(folder)).sort()
  expect(names).toEqual(['convene.log', ...[1, 2, 3, 4, 5].map((n) => `convene.log.${n}`)])
  for (const name of names) {
    const { mode, size } = await stat(join(folder, name))
    expect(mode & 0o777).toBe(0o600)
    expect(size).toBeLessThan(51_000)
  }
  const texts = await Promise.all([5, 4, 3, 2, 1].map((n) => readFile(`${path}.${n}`, 'utf8')))
  const numbers = linesOf([...texts, await read()].join('')).map(({ n }) => n ?? -1)
  // What is there has no gap up to the last line.
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 8_000 - numbers.length + at))
})

it('[R81] of an earlier version loses the rights of others', async () => {
  await writeFile(path, '{"msg":"old"}\n', { mode: 0o644 })
  await chmod(path, 0o644)
  openLog(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await read()).toBe('{"msg":"old"}\n')
})

it('[R81] drops lines while they cannot be written, and says once how many when they can', async () => {
  let now = 0
  const { log, dropped } = openLog(path, { now: () => now })
  await rm(path)
  await mkdir(path)
  for (let n = 0; n < 10; n++) log.info({ n }, 'lost')
  log.error(new Error('lost too'))
  expect(dropped()).toBe(11)
  await rmdir(path)
  // Nothing is tried until the time has passed.
  now = RETRY_MS - 1
  log.info('too early')
  expect(dropped()).toBe(12)
  now = RETRY_MS
  log.info('there')
  log.info('there again')
  expect(linesOf(await read()).map(({ msg, lines }) => lines ?? msg)).toEqual(['there', 12, 'there again'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(dropped()).toBe(12)
})

it('[R81] that cannot be rotated drops lines, rather than grow', async () => {
  const { log, dropped } = openLog(path, { fileBytes: 10 })
  await writeFile(`${path}.4`, '')
  await mkdir(`${path}.5`)
  log.info('fills it')
  log.info('lost')
  expect([dropped(), linesOf(await read()).length]).toEqual([1, 1])
})

it('[R387] has the hidden characters of names and words from outside as escapes: a terminal that shows a line obeys none', async () => {
  const { log } = openLog(path)
  const says = 'tool \u001b[2J\u009b31m\u202e\u007f\u2028价\u{e0041}'
  log.warn({ [says]: says }, says)
  const text = await read()
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028]/u)
  expect(text).toContain('价')
  expect(linesOf(text)).toMatchObject([{ msg: says, [says]: says }])
})
