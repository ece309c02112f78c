/** What every store knows of envelopes from and to other systems. */
import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type ConversationId, type MessageId, type PeerId, type TaskId } from '@/lib/mas/ids'
import { envelopeOf } from './envelopes'
import { batchItem, eachWithStore, type OpenStoreUnderTest, said } from './harness'

const WEST = asId<PeerId>('p-west')
const TASK = asId<TaskId>('t1')

const TAKEN = envelopeOf('e-taken', {
  conversation: asId<ConversationId>('c1'),
  task: TASK,
  outsider: asId<AgentId>('seller'),
  message: asId<MessageId>('m1'),
  verdict: 'taken',
  content: 'b'.repeat(64),
  body: 'c'.repeat(64),
})
const ALL = { limit: 100 }

export function envelopesContract(name: string, open: OpenStoreUnderTest): void {
  describe(`envelopes in ${name}`, () => {
    const current = eachWithStore(open)
    const idsOf = async (filter: Parameters<ReturnType<typeof log>['page']>[0] = {}, page = ALL) =>
      (await log().page(filter, page)).envelopes.map(({ id }) => id)
    const log = () => current().store.envelopes

    it('[R600] are kept as they were given, with the time and a number, for every handle', async () => {
      const { store, clock, again } = current()
      const sent = envelopeOf('e2', {
        direction: 'out',
        by: 'call',
        reason: { code: 'late', seconds: 3 },
        status: null,
      })
      for (const one of [TAKEN, sent]) {
        await store.envelopes.add(one)
        clock.now += 1_000
      }
      for (const { envelopes } of [store, await again()]) {
        const { envelopes: found, total } = await envelopes.page({}, ALL)
        expect(found).toEqual([
          { ...sent, at: clock.now - 1_000, number: found[0]?.number },
          { ...TAKEN, at: clock.now - 2_000, number: found[1]?.number },
        ])
        expect([total, await envelopes.get(found[1]?.number ?? 0)]).toEqual([2, found[1]])
        expect(await envelopes.get(999)).toBeNull()
      }
    })

    it('[R600] are kept once, however often the same one is written', async () => {
      const { store, again } = current()
      const other = await again()
      await store.envelopes.add(envelopeOf('e1'))
      await other.envelopes.add(envelopeOf('e1', { why: 'again' }))
      await store.envelopes.add(envelopeOf('e2'))
      expect((await other.envelopes.page({}, ALL)).envelopes.map(({ id, why }) => [id, why])).toEqual([
        ['e2', 'It is too large.'],
        ['e1', 'It is too large.'],
      ])
    })

    it('[R601] of a decision are there with it, at its time, or not at all', async () => {
      const { store, clock } = current()
      const { epoch, seq } = await store.journal.take('north')
      const body = new TextEncoder().encode('{}')
      const batch = [
        batchItem('c1', [said('c1')], { envelopes: [TAKEN, envelopeOf('e2')] }),
        batchItem('c2', [], { envelopes: [envelopeOf('e3')] }),
      ]
      clock.now += 5_000
      expect((await store.journal.append(epoch, seq + 1, batch)).r).toBe('MOVED')
      expect((await store.journal.append(epoch - 1, seq, batch)).r).toBe('FENCED')
      const wrong = batchItem('c3', [said('c3')], {
        bodies: [{ sha: 'd'.repeat(64), bytes: body, mime: 'text/plain' }],
        envelopes: [envelopeOf('e4')],
      })
      await expect(store.journal.append(epoch, seq, [wrong])).rejects.toThrow(TypeError)
      expect(await idsOf()).toEqual([])
      const answer = await store.journal.append(epoch, seq, batch)
      if (answer.r !== 'OK') throw new Error(answer.r)
      expect(await idsOf()).toEqual(['e3', 'e2', 'e-taken'])
      expect(new Set((await log().page({}, ALL)).envelopes.map(({ at }) => at))).toEqual(new Set([answer.at]))
      // The command again is refused, and so are its envelopes.
      const repeat = batchItem('c1', [said('c1')], { envelopes: [envelopeOf('e5')] })
      expect((await store.journal.append(epoch, answer.last, [repeat])).r).toBe('SORT')
      expect(await idsOf()).toEqual(['e3', 'e2', 'e-taken'])
    })

    it('[R602] are found by peer, agent, task, conversation, message and verdict, page by page', async () => {
      for (const one of [
        TAKEN,
        envelopeOf('e2', { peer: WEST }),
        envelopeOf('e3'),
        envelopeOf('e4', { verdict: 'repeat' }),
      ])
        await log().add(one)
      const { peer, outsider, task, conversation, message } = TAKEN
      expect(await idsOf({ peer })).toEqual(['e4', 'e3', 'e-taken'])
      for (const [key, value] of Object.entries({ outsider, task, conversation, message })) {
        expect([key, await idsOf({ [key]: value })]).toEqual([key, ['e-taken']])
        expect([key, await idsOf({ [key]: 'none' })]).toEqual([key, []])
      }
      expect(await idsOf({ peer, verdictsLeft: ['taken', 'repeat'] })).toEqual(['e3'])
      const first = await log().page({ peer }, { limit: 2 })
      expect([first.total, first.envelopes.map(({ id }) => id)]).toEqual([3, ['e4', 'e3']])
      const before = first.envelopes.at(-1)?.number ?? 0
      expect(await idsOf({ peer }, { limit: 2, ...{ before } })).toEqual(['e-taken'])
      await expect(log().page({}, { limit: Number.NaN })).rejects.toThrow(TypeError)
    })

    it('[R602] may say anything: what no store can keep is replaced', async () => {
      const { store } = current()
      const { epoch, seq } = await store.journal.take('north')
      const odd = { theirs: 'a\0b\ud800c', verdict: 'v\0', why: '\udfff"\\u0000' }
      await log().add(envelopeOf('e1', odd))
      const item = batchItem('c1', [said('c1')], { envelopes: [envelopeOf('e2', odd)] })
      expect((await store.journal.append(epoch, seq, [item])).r).toBe('OK')
      for (const one of (await log().page({}, ALL)).envelopes)
        expect([one.theirs, one.verdict, one.why]).toEqual(['a\ufffdb\ufffdc', 'v\ufffd', '\ufffd"\\u0000'])
    })

    it('[R603] of an erased task go, and tell which bodies they and others name', async () => {
      const shared = 'e'.repeat(64)
      for (const one of [
        TAKEN,
        envelopeOf('e2', { task: TASK, body: shared }),
        envelopeOf('e3', { body: shared }),
        envelopeOf('e4', { task: asId<TaskId>('t2'), body: shared }),
        envelopeOf('e5', { task: TASK }),
      ])
        await log().add(one)
      expect((await log().bodiesOf(TASK)).sort()).toEqual([TAKEN.body, shared])
      expect((await log().tasksNaming(shared)).sort()).toEqual([null, 't1', 't2'])
      expect(await log().tasksNaming('f'.repeat(64))).toEqual([])
      expect(await log().erase(TASK)).toBe(3)
      expect(await log().erase(TASK)).toBe(0)
      expect(await idsOf()).toEqual(['e4', 'e3'])
      expect(await log().tasksNaming(TAKEN.body ?? '')).toEqual([])
    })
  })
}
