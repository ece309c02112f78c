/** The log never throws, is rotated, says what it lost, and has everything in its file when it is closed. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
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

it('[R81] has every line in its file when it is closed, and takes lines after it', async () => {
  const file = openLog(path)
  for (let n = 0; n < 1_000; n++) file.log.info({ n }, 'line')
  await file.close()
  file.log.fatal('the last word')
  const lines = linesOf(await readFile(path, 'utf8'))
  expect(lines.slice(0, 1_000).map(({ n }) => n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
  expect(lines[1_000]?.msg).toBe('the last word')
  expect(file.dropped()).toBe(0)
})

it('[R81] has what waits in its file at once when the process is about to exit', async () => {
  const stuck = new Writable({ write() {} })
  const file = openLog(path, { openStream: () => stuck })
  for (let n = 0; n < 3; n++) file.log.info({ n }, 'line')
  file.flushSync()
  // The first is with the stream already, which may yet write it.
  expect(linesOf(await readFile(path, 'utf8')).map(({ n }) => n)).toEqual([1, 2])
})

it('[R81] is rotated by size: six files at most, none longer than it may be, only for their owner', async () => {
  const file = openLog(path, { fileSize: '50K' })
  for (let n = 0; n < 8_000; n++) {
    file.log.info({ n }, 'a line of some hundred characters, so that some hundreds of them fill a file')
  }
  await file.close()
  const names = (await readdir(folder)).sort()
  expect(names).toEqual(['convene.log', ...[1, 2, 3, 4, 5].map((n) => `convene.log.${n}`)])
  for (const name of names) {
    const { mode, size } = await stat(join(folder, name))
    expect(mode & 0o777).toBe(0o600)
    expect(size).toBeLessThan(120 * 1024)
  }
  const texts = await Promise.all([5, 4, 3, 2, 1].map((n) => readFile(`${path}.${n}`, 'utf8')))
  const numbers = linesOf([...texts, await readFile(path, 'utf8')].join('')).map(({ n }) => n ?? -1)
  // What is there has no gap up to the last line.
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 8_000 - numbers.length + at))
})

it('[R81] of an earlier version loses the rights of others', async () => {
  await writeFile(path, '{"msg":"old"}\n', { mode: 0o644 })
  await chmod(path, 0o644)
  const file = openLog(path)
  await file.close()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toBe('{"msg":"old"}\n')
})

it('[R81] drops lines while they cannot be written, and says once how many when they can', async () => {
  let now = 0
  let isFull = true
  const texts: string[] = []
  let opened = 0
  const file = openLog(path, {
    now: () => now,
    openStream() {
      opened += 1
      return new Writable({
        write(chunk, _, callback) {
          if (isFull) return callback(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
          texts.push(String(chunk))
          callback()
        },
      })
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  for (let n = 0; n < 10; n++) {
    file.log.info({ n }, 'lost')
    await turn()
  }
  expect(file.dropped()).toBe(10)
  // One try, and none until the time has passed.
  expect(opened).toBe(1)
  isFull = false
  now = RETRY_MS - 1
  file.log.info('lost too')
  await turn()
  expect([opened, file.dropped()]).toEqual([1, 11])
  now = RETRY_MS
  file.log.info('there')
  await turn()
  file.log.info('there again')
  await turn()
  await file.close()
  expect(linesOf(texts.join('')).map(({ msg, lines }) => lines ?? msg)).toEqual(['there', 11, 'there again'])
  expect(file.dropped()).toBe(11)
})

it('[R81] keeps a bounded number of lines for a disk that does not answer, and does not hold up a stop', async () => {
  const file = openLog(path, { openStream: () => new Writable({ write() {} }) })
  for (let n = 0; n < 60; n++) file.log.info('x'.repeat(100_000))
  expect(file.dropped()).toBeGreaterThan(10)
  const from = performance.now()
  await file.close()
  expect(performance.now() - from).toBeLessThan(3_000)
  expect((await stat(path)).size).toBeGreaterThan(3_000_000)
})

it('[R81] whose file is no file any more does not throw', async () => {
  const file = openLog(path)
  await rm(path)
  await mkdir(path)
  file.log.info('one')
  file.log.error(new Error('two'))
  await file.close()
  file.log.info('three')
  expect(file.dropped()).toBe(2)
})
