/** A process killed in the middle of appending loses nothing that it acknowledged and leaves nothing half done. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startChild } from '@/test/sqlite/children'
import { sha256 } from '../../shared/sha256'
import type { StoredEntry } from '../interfaces'
import { openSqliteStore } from './openSqliteStore'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-kill-'))
})
afterEach(() => rm(folder, { recursive: true }))

const ROUNDS = process.env.CONVENE_ALL ? 10 : 3
const FORGET_ROUNDS = process.env.CONVENE_ALL ? 10 : 2

it(`[S7] [R601] ${ROUNDS} kills at random moments: all that was acknowledged is there with its envelope, and no half decision`, {
  timeout: 120_000,
}, async () => {
  const acknowledged = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const child = startChild('append', folder, `r${round}`)
    await child.said((line) => line.startsWith('ACK'))
    // Not a wait for something: the moment of the kill is the random part of the test.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
    child.process.kill('SIGKILL')
    await child.ended
    for (const line of child.lines) {
      const [word, id = '', last] = line.split(' ')
      expect(['READY', 'ACK']).toContain(word)
      if (word === 'ACK') acknowledged.set(id, Number(last))
    }
    await expectWhole(acknowledged)
  }
  expect(acknowledged.size).toBeGreaterThan(ROUNDS)
})

it('[S14] kills while bodies are forgotten: each is there whole or not at all, entries stay, no file is left behind', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < FORGET_ROUNDS; round++) {
    const child = startChild('forget', folder, `r${round}`)
    await child.said((line) => line.startsWith('FORGOT'))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
    child.process.kill('SIGKILL')
    await child.ended
    const store = await openSqliteStore(folder)
    const done = new Set(child.lines.filter((line) => line.startsWith('FORGOT')).map((line) => line.split(' ')[1]))
    const files = (await readdir(join(folder, 'bodies'), { recursive: true })).map((name) => basename(name))
    const entries = await readAll((after) => store.journal.read(after, 1_000))
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, i) => i + 1))
    const named = new Set<string>()
    for (const { cause, event } of entries) {
      if (!Array.isArray(event.shas)) continue
      for (const [part, sha] of event.shas.map(String).entries()) {
        const body = await store.bodies.get(sha)
        if (body) expect(sha256(body.bytes)).toBe(sha)
        if (body) named.add(sha)
        if (part % 2 === 1) expect(body, `${part} of ${cause} stays`).not.toBeNull()
        if (part % 2 === 0 && done.has(cause)) expect(body, `${part} of ${cause} was forgotten`).toBeNull()
      }
    }
    expect(files.filter((name) => /^[0-9a-f]{64}$/.test(name) && !named.has(name))).toEqual([])
    await store.close()
  }
})

/** What a start after the kill finds. */
async function expectWhole(acknowledged: Map<string, number>): Promise<void> {
  const store = await openSqliteStore(folder)
  const entries = await readAll((after) => store.journal.read(after, 1_000))
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, i) => i + 1))
  expect((await store.journal.head()).seq).toBe(entries.length)

  const decisions = new Map<string, StoredEntry[]>()
  for (const entry of entries) {
    if (entry.event.type === 'child.wrote') decisions.set(entry.cause, [...(decisions.get(entry.cause) ?? []), entry])
  }
  for (const [id, last] of acknowledged) expect(decisions.get(id)?.at(-1)?.seq, `acknowledged ${id}`).toBe(last)
  for (const [id, parts] of decisions) {
    expect(parts.map((entry) => entry.event.part)).toEqual(parts.map((_, i) => i))
    expect(parts.length).toBe(parts[0]?.event.parts)
    expect((await store.journal.outcome(id, 'child'))?.seq).toBe(parts.at(-1)?.seq)
    const sha = String(parts[0]?.event.sha)
    const body = await store.bodies.get(sha)
    expect(sha256(body?.bytes ?? ''), `body of ${id}`).toBe(sha)
  }
  const { envelopes } = await store.envelopes.page({}, { limit: 1_000_000 })
  expect(envelopes.map(({ id }) => id).sort()).toEqual([...decisions.keys()].sort())
  const files = await readdir(join(folder, 'bodies'), { recursive: true })
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([])
  await store.close()
}

async function readAll(page: (after: number) => Promise<StoredEntry[]>): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = []
  for (;;) {
    const more = await page(entries.length)
    if (more.length === 0) return entries
    entries.push(...more)
  }
}
