/** What a peer sends is one command: its own repeats find it, nobody else's message does. */
import { expect, it } from 'vitest'
import type { Envelope } from '@/lib/mas/commands/command'
import { asId, type PeerId } from '@/lib/mas/ids'
import { commitOnce } from './idempotency'

const NORTH = asId<PeerId>('00000000-0000-4000-8000-00000000000a')
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
