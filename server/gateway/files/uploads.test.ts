/** How long unsent files are kept. */
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import { memoryStore } from '@/test/memoryStore'
import { UPLOADS, uploadsKept } from './uploads'

const [ANA, BEN] = ['ana' as AgentId, 'ben' as AgentId]
const MONTH_MS = 30 * 24 * 3_600_000

describe('an unsent file', () => {
  it('[R78] an unsent file is kept for a month and then deleted; other rows of the person stay', async () => {
    let now = 1_000
    const { people } = memoryStore({ now: () => now })
    await people.put(ANA, `${UPLOADS}old`, {}, null)
    await people.put(ANA, 'settings', {}, null)
    now += 1
    await people.put(BEN, `${UPLOADS}young`, {}, null)
    const kept = () => uploadsKept(people, [{ id: ANA }, { id: BEN }], now)
    now = 1_000 + MONTH_MS
    expect(await kept()).toEqual({ kept: ['old', 'young'], forgotten: 0 })
    now += 1
    expect(await kept()).toEqual({ kept: ['young'], forgotten: 1 })
    expect((await people.list(ANA, '')).map(({ key }) => key)).toEqual(['settings'])
  })
})
