/** What a peer sends is one command: its own repeats find it, nobody else's message does. */
import { expect, it } from 'vitest'
import type { Envelope } from '@/lib/mas/commands/command'
import { asId, type PeerId } from '@/lib/mas/ids'
import { commitOnce, withSavedFiles } from './idempotency'

const NORTH = asId<PeerId>('00000000-0000-4000-8000-00000000000a')
const MIME = 'text/csv'
const SOUTH = asId<PeerId>('00000000-0000-4000-8000-00000000000b')

/** The ids of the commands that these sendings come to. */
async function idsOf(...sendings: [peer: PeerId, parts: string[]][]): Promise<string[]> {
  const put: string[] = []
  const engine = {
    commit: async ({ id }: Envelope) => {
      put.push(id)
      return { ok: true as const, seq: 1, reply: null }
    },
  }
  for (const [peer, parts] of sendings)
    await commitOnce({ engine, newId: () => 'fresh' }, 'mamp', peer, parts, { type: 'beginDay', day: '2026-01-01' })
  return put
}

it('[R57] [R40] the same message of the same peer has the same command id, with the peer in it and the mark of the program', async () => {
  const [first, again] = await idsOf([NORTH, ['agent://n/one', 'm1']], [NORTH, ['agent://n/one', 'm1']])
  expect(first).toBe(again)
  expect(first).toMatch(new RegExp(`^mamp:${NORTH}:`))
})

it('[R57] two peers never have the same command id, and words moved from one part into the next are another message', async () => {
  const ids = await idsOf(
    [NORTH, ['agent://n/one', 'm1']],
    [SOUTH, ['agent://n/one', 'm1']],
    [NORTH, ['agent://n/one m1', '']],
    [NORTH, ['agent://n/one', 'm1', '']],
  )
  expect(new Set(ids).size).toBe(4)
})

it('the files of a message are saved into the workspace together, or not at all', async () => {
  const saved: string[][] = []
  const parts = {
    bodies: { get: async (sha: string) => (sha === 'gone.csv' ? null : { bytes: new Uint8Array(), mime: MIME }) },
    saveFiles: async (files: { name: string }[]) => {
      saved.push(files.map(({ name }) => name))
      return files.map(({ name }) => `inbox/${name}`)
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  }
  const pathsOf = async (...names: string[]) => {
    const attachments = names.map((name) => ({
      name,
      body: { sha: name, bytes: 9, preview: '', mime: MIME },
      savedAs: null,
    }))
    return (await withSavedFiles(parts, { text: 'x', attachments })).attachments.map(({ savedAs }) => savedAs)
  }
  expect(await pathsOf('a.csv', 'b.csv')).toEqual(['inbox/a.csv', 'inbox/b.csv'])
  expect(await pathsOf('a.csv', 'gone.csv')).toEqual([null, null])
  expect(saved).toEqual([['a.csv', 'b.csv']])
})
