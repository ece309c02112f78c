import { describe, expect, it } from 'vitest'
import type { CallOutcome } from '@/components/request/commands'
import type { AgentId } from '@/lib/mas/ids'
import { actOnAll, BULK_ACTS, canDo, commonChoices } from './bulk'
import type { OpenRow } from './rows'

const me = 'ana' as AgentId
const request = (id: string, change: object = {}): OpenRow =>
  ({
    id,
    group: 'still',
    sort: id,
    kind: 'request',
    receipt: null,
    request: { id, kind: 'answer', state: 'open', asked: [me], urgent: false, message: null, choices: [], ...change },
  }) as unknown as OpenRow
const message = (id: string, asks: { needReply: boolean; waiting: boolean }, receipt: object = {}): OpenRow =>
  ({
    id,
    group: 'action',
    sort: id,
    kind: 'message',
    message: { id, needReply: asks.needReply, waiting: asks.waiting ? { agent: me } : null },
    receipt: { settledAt: null, acknowledgedAt: null, shownAt: null, ...receipt },
  }) as unknown as OpenRow
const [URGENT, ACTION, FYI] = [
  { needReply: true, waiting: true },
  { needReply: true, waiting: false },
  { needReply: false, waiting: false },
]
const actsOf = (row: OpenRow) => BULK_ACTS.filter((act) => canDo(act, row, me))

describe('an act on many rows of the inbox', () => {
  it('[R141] each act fits the rows whose own card offers it', () => {
    expect(actsOf(request('q'))).toEqual(['answer', 'handOver', 'remind'])
    expect(actsOf(request('q', { urgent: true, claimed: null }))).toContain('acknowledge')
    expect(actsOf(request('q', { asked: ['ben'] }))).toEqual([])
    expect(actsOf(message('u', URGENT))).toEqual(['acknowledge', 'done', 'handOver', 'remind'])
    expect(actsOf(message('u', URGENT, { acknowledgedAt: 5 }))).not.toContain('acknowledge')
    expect(actsOf(message('a', ACTION))).toEqual(['done', 'handOver', 'remind'])
    expect(actsOf(message('f', FYI))).toEqual(['read'])
  })

  it('[R141] what needs a decision of its own is never answered together with others', () => {
    for (const kind of ['confirm', 'part', 'judge', 'limit', 'tool']) {
      expect(actsOf(request('c', { kind }))).not.toContain('answer')
    }
  })

  it('[R141] a refusal stops none of the others and is named with its row', async () => {
    const rows = [request('a'), request('b'), request('c')]
    const sent: string[] = []
    const result = await actOnAll('answer', rows, async (row): Promise<CallOutcome<unknown>> => {
      sent.push(row.id)
      return row.id === 'b' ? { ok: false, refusal: { kind: 'unreachable' } } : { ok: true, value: null }
    })
    expect(sent).toEqual(['a', 'b', 'c'])
    expect(result.done.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(result.refused.map(({ row, refusal }) => [row.id, refusal.kind])).toEqual([['b', 'unreachable']])
  })

  it('questions answered alike offer the choices that all of them have, and none when one differs', () => {
    const yesNo = { choices: ['yes', 'no'] }
    expect(commonChoices([request('a', yesNo), request('b', yesNo)])).toEqual(['yes', 'no'])
    expect(commonChoices([request('a', yesNo), request('b')])).toEqual([])
    expect(commonChoices([])).toEqual([])
  })
})
