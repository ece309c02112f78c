import { describe, expect, it } from 'vitest'
import { branchesOf } from '@/components/chat/task/StageRail'
import type { AgentId, MessageId, RequestId, StageId } from '@/lib/mas/ids'
import type { NumberedRequest, StageRecord } from '@/lib/mas/records'
import { answeredRequest, openRequestsFor } from './answers'

const stage = (id: string, replacedBy: string | null = null): StageRecord =>
  ({ id: id as StageId, replacedBy: replacedBy as StageId | null }) as StageRecord

describe('the stage rail', () => {
  it('the rail puts each retried stage above the one that replaced it, the oldest first', () => {
    const branches = branchesOf([stage('a', 'b'), stage('b', 'c'), stage('c'), stage('d')])
    expect(branches.map(({ stage: last, earlier }) => [last.id, earlier.map(({ id }) => id)])).toEqual([
      ['c', ['a', 'b']],
      ['d', []],
    ])
  })

  it('the rail loses no stage when a link leads nowhere or in a circle', () => {
    const ids = branchesOf([stage('a', 'gone'), stage('b', 'c'), stage('c', 'b')]).flatMap(({ stage: last, earlier }) =>
      [last, ...earlier].map(({ id }) => id),
    )
    expect(new Set(ids)).toEqual(new Set(['a', 'b', 'c']))
  })
})

describe('what a message answers', () => {
  const [ANA, CODER, TESTER] = ['ana' as AgentId, 'coder' as AgentId, 'tester' as AgentId]
  const request = (id: string, change: Partial<NumberedRequest> = {}): NumberedRequest =>
    ({
      id: id as RequestId,
      kind: 'answer',
      state: 'open',
      asker: CODER,
      asked: [ANA],
      message: `m-${id}` as MessageId,
      openedSeq: 1,
      ...change,
    }) as NumberedRequest
  const NOTHING = { replyTo: null, picked: null, isOff: false }

  it('a message answers the oldest open question of its only receiver, and none with several receivers', () => {
    const all = [
      request('new', { openedSeq: 9 }),
      request('old', { openedSeq: 2 }),
      request('over', { openedSeq: 1, state: 'answered' }),
      request('other', { openedSeq: 1, asker: TESTER }),
      request('part', { openedSeq: 1, kind: 'part' }),
    ]
    expect(openRequestsFor(all, ANA, [CODER]).map(({ id }) => id)).toEqual(['old', 'new'])
    expect(answeredRequest(all, ANA, { receivers: [CODER], ...NOTHING })?.id).toBe('old')
    expect(answeredRequest(all, ANA, { receivers: [CODER, TESTER], ...NOTHING })).toBeNull()
    expect(answeredRequest(all, ANA, { receivers: 'all', ...NOTHING })).toBeNull()
  })

  it('a message answers the question replied to or picked, and none once the chip is removed', () => {
    const all = [request('old'), request('new', { openedSeq: 5 })]
    const to = { receivers: [CODER], picked: null, isOff: false }
    expect(answeredRequest(all, ANA, { ...to, replyTo: 'm-new' as MessageId })?.id).toBe('new')
    expect(answeredRequest(all, ANA, { ...to, replyTo: null, picked: 'new' as RequestId })?.id).toBe('new')
    expect(answeredRequest(all, ANA, { ...to, replyTo: null, isOff: true })).toBeNull()
  })
})
