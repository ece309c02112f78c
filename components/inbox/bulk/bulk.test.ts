import { describe, expect, it } from 'vitest'
import { type ApiResult, noAnswer } from '@/client/api'
import { BEN } from '@/test/gallery/fixtures/people'
import type { OpenRow } from '../rows'
import { me, messageRow, requestRow } from '../test/openRows'
import { actOnAll, BULK_ACTS, type BulkAct, canDo, commonChoices, MOST_BUTTONS, splitActs } from './bulk'

const [URGENT, ACTION, FYI] = [{ type: 'urgent' }, { type: 'action' }, {}] as const
const actsOf = (row: OpenRow) => BULK_ACTS.filter((act) => canDo(act, row, me))

describe('an act on many rows of the inbox', () => {
  it('[R141] each act fits the rows whose own card offers it', () => {
    expect(actsOf(requestRow('q'))).toEqual(['answer', 'handOver', 'remind'])
    expect(actsOf(requestRow('q', { type: 'urgent', claimed: null }))).toContain('acknowledge')
    expect(actsOf(requestRow('q', { asked: [BEN.id] }))).toEqual([])
    expect(actsOf(messageRow('u', URGENT))).toEqual(['acknowledge', 'done', 'handOver', 'remind'])
    expect(actsOf(messageRow('u', URGENT, {}, {}, { claimed: { by: me, at: 5, until: 5 } }))).not.toContain(
      'acknowledge',
    )
    expect(actsOf(messageRow('a', ACTION))).toEqual(['done', 'handOver', 'remind'])
    expect(actsOf(messageRow('f', FYI))).toEqual(['read'])
  })

  it('[R141] what needs a decision of its own is never answered together with others', () => {
    for (const kind of ['confirm', 'part', 'judge', 'limit', 'tool'] as const) {
      expect(actsOf(requestRow('c', { kind }))).not.toContain('answer')
    }
  })

  it('[R141] a refusal stops none of the others and is named with its row', async () => {
    const rows = [requestRow('a'), requestRow('b'), requestRow('c')]
    const sent: string[] = []
    const result = await actOnAll('answer', rows, async (row): Promise<ApiResult<unknown>> => {
      sent.push(row.id)
      return row.id === 'b' ? { ok: false, fault: noAnswer('') } : { ok: true, value: null }
    })
    expect(sent).toEqual(['a', 'b', 'c'])
    expect(result.done.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(result.refused.map(({ row, fault }) => [row.id, fault.error])).toEqual([['b', 'NO_ANSWER']])
  })

  it('questions answered alike offer the choices that all of them have, and none when one differs', () => {
    const yesNo = { choices: ['yes', 'no'] }
    expect(commonChoices([requestRow('a', yesNo), requestRow('b', yesNo)])).toEqual(['yes', 'no'])
    expect(commonChoices([requestRow('a', yesNo), requestRow('b')])).toEqual([])
    expect(commonChoices([])).toEqual([])
  })
})

describe('the bar of a selection', () => {
  const acts = (...names: BulkAct[]) => names.map((act) => ({ act }))
  const split = (...names: BulkAct[]): string[] => shared(splitActs(acts(...names)))
  const shared = ({ buttons, more }: ReturnType<typeof splitActs>): string[] => {
    return [buttons, more].map((some) => some.map(({ act }) => act).join(' '))
  }
  it('[R437] has four buttons in one row at most, and the rest in a menu; each act is there once', () => {
    expect(split('read', 'remind')).toEqual(['read remind', ''])
    expect(split('done', 'read', 'handOver', 'remind')).toEqual(['done read handOver remind', ''])
    expect(split(...BULK_ACTS)).toEqual(['acknowledge done answer handOver', 'read remind'])
    expect(split('done', 'read', 'answer', 'handOver', 'remind')).toEqual(['done read answer handOver', 'remind'])
    expect(shared(splitActs(acts('done', 'read'), MOST_BUTTONS.list))).toEqual(['done', 'read'])
  })
})
