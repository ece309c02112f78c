/** What a start knows about the time from the last one. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectedTime, noteTime } from './timeNote'

const START = 1_800_000_000_000
const HOUR_MS = 3_600_000
const BEGUN = { boot: 'one', upMs: 50_000, steadyMs: 40_000 }
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-time-'))
})
afterEach(() => rm(folder, { recursive: true }))

const after = (upMs: number, steadyMs = upMs, boot = 'one') => ({
  boot,
  upMs: BEGUN.upMs + upMs,
  steadyMs: BEGUN.steadyMs + steadyMs,
})

it('[R374] while the machine runs on, a start knows how long the server was stopped, whatever the clock says', () => {
  noteTime(folder, START, BEGUN)
  for (const clock of [START + HOUR_MS, START + 500 * HOUR_MS, START - HOUR_MS])
    expect(expectedTime(folder, after(HOUR_MS), () => clock)).toBe(START + HOUR_MS)
})

it('[R374] a sleep, and a container that counts its own uptime, are no jump of the clock', () => {
  noteTime(folder, START, BEGUN)
  const clock = () => START + 9 * HOUR_MS
  expect(expectedTime(folder, after(9 * HOUR_MS, HOUR_MS), clock)).toBe(START + 9 * HOUR_MS)
  expect(expectedTime(folder, after(1_000, 9 * HOUR_MS), clock)).toBe(START + 9 * HOUR_MS)
})

it('[R374] after a restart of the machine, without a note and with a damaged one the clock is believed', async () => {
  expect(expectedTime(folder, after(1), () => START)).toBeUndefined()
  noteTime(folder, START, BEGUN)
  expect(expectedTime(folder, after(1, 1, 'two'), () => START)).toBeUndefined()
  expect(expectedTime(folder, after(-1), () => START)).toBeUndefined()
  expect(expectedTime(folder, null, () => START)).toBeUndefined()
  await writeFile(join(folder, 'convene.time.json'), '{"at":')
  expect(expectedTime(folder, after(1), () => START)).toBeUndefined()
  noteTime(folder, START, null)
  expect(await readFile(join(folder, 'convene.time.json'), 'utf8')).toBe('{"at":')
})
