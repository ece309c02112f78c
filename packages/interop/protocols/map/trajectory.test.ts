/** Checkpoints: what may be reported, how they are listed, what of their content is streamed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  artifactToStream,
  type Checkpoint,
  type CheckpointFilter,
  CheckpointParams,
  ContentParams,
  INLINE_MAX_BYTES,
  LIST_MAX,
  ListParams,
  listPage,
} from './trajectory'

describe('the document’s own examples', () => {
  it('T-06 a checkpoint keeps its five fields, and all else in metadata', () => {
    const params = {
      checkpoint: {
        id: 'a1b2c3d4e5f6',
        agentId: 'agent-1',
        label: 'Implement JWT authentication middleware',
        sessionId: 'sess-abc',
        metadata: {
          agent: 'Claude Code',
          branch: 'feature/auth',
          commitHash: 'abc123def',
          filesTouched: ['src/auth.ts', 'src/middleware.ts'],
          tokenUsage: { inputTokens: 50000, outputTokens: 12000 },
        },
      },
    }
    expect(CheckpointParams.parse(params)).toEqual(params)
  })

  it('T-07 and T-09 lists and contents are asked for as it shows', () => {
    const list = { filter: { agentId: 'agent-1', afterTimestamp: 1706120000000 }, limit: 20 }
    expect(ListParams.parse(list)).toEqual(list)
    const content = { checkpointId: 'a1b2c3d4e5f6', include: ['metadata', 'transcript'] }
    expect(ContentParams.parse(content)).toEqual(content)
  })
})

describe('a list of checkpoints', () => {
  const checkpoint = fc.record({
    id: fc.uuid(),
    agentId: fc.constantFrom('a', 'b'),
    timestamp: fc.integer({ min: 0, max: 5 }),
    label: fc.constant('done'),
    sessionId: fc.constantFrom('s', 't'),
  })
  const all = fc.uniqueArray(checkpoint, { selector: ({ id }) => id, maxLength: 30 })

  it('T-07 pages from the newest to the oldest, with none left out and none twice', () => {
    fc.assert(
      fc.property(all, fc.integer({ min: 1, max: 7 }), (checkpoints: Checkpoint[], limit) => {
        const seen: Checkpoint[] = []
        let cursor: string | undefined
        do {
          const page = listPage(checkpoints, { limit, ...(cursor === undefined ? {} : { cursor }) })
          expect(page).not.toBeNull()
          seen.push(...(page?.checkpoints ?? []))
          expect(page?.hasMore).toBe(page?.nextCursor !== undefined)
          cursor = page?.nextCursor
        } while (cursor !== undefined)
        expect(new Set(seen)).toEqual(new Set(checkpoints))
        expect(seen).toHaveLength(checkpoints.length)
        for (const [i, one] of seen.entries()) expect(one.timestamp).toBeGreaterThanOrEqual(seen[i + 1]?.timestamp ?? 0)
      }),
    )
  })

  it('T-07 filters by agent and session, and by moments that are themselves left out', () => {
    const three = [1, 2, 3].map((timestamp) => ({
      id: `c${timestamp}`,
      agentId: 'a',
      timestamp,
      label: 'x',
      sessionId: `s${timestamp}`,
    }))
    const ids = (filter: CheckpointFilter) => listPage(three, { filter })?.checkpoints.map(({ id }) => id)
    expect(ids({ afterTimestamp: 1, beforeTimestamp: 3 })).toEqual(['c2'])
    expect(ids({ afterTimestamp: 1 })).toEqual(['c3', 'c2'])
    expect(ids({ sessionId: 's1' })).toEqual(['c1'])
    expect(ids({ agentId: 'b' })).toEqual([])
  })

  it('T-07 has no page after a cursor that nobody gave', () => {
    expect(listPage([], { cursor: 'never' })).toBeNull()
    expect(ListParams.safeParse({ limit: 0 }).success).toBe(false)
  })

  it('T-07 a page never exceeds the largest allowed size', () => {
    const many = Array.from({ length: LIST_MAX + 5 }, (_, i) => ({
      id: `c${i}`,
      agentId: 'a',
      timestamp: i,
      label: 'x',
    }))
    expect(listPage(many, { limit: 10_000 })?.checkpoints).toHaveLength(LIST_MAX)
    expect(listPage(many, {})?.checkpoints).toHaveLength(50)
  })
})

describe('content', () => {
  it('T-17 is inline while all fits, else the largest artifact alone is streamed', () => {
    const half = INLINE_MAX_BYTES / 2
    expect(
      artifactToStream(
        new Map([
          ['a', half],
          ['b', half],
        ]),
      ),
    ).toBeNull()
    expect(
      artifactToStream(
        new Map([
          ['a', half],
          ['b', half + 1],
        ]),
      ),
    ).toBe('b')
    expect(
      artifactToStream(
        new Map([
          ['transcript', 50 * half],
          ['metadata', 10],
        ]),
      ),
    ).toBe('transcript')
    expect(
      artifactToStream(
        new Map([
          ['a', 3 * half],
          ['b', 3 * half],
        ]),
      ),
    ).toBe('tooLarge')
    expect(artifactToStream(new Map())).toBeNull()
  })
})
