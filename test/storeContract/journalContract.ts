/** What every journal holds: rules S1 to S7 of ../README.md. */
import { describe, expect, it } from 'vitest'
import type { Journal, NewBody, StoredEntry, StoredEvent, StoredFault } from '@/server/store/interfaces'
import { batchItem, bodyOfBytes, eachWithStore, noise, type OpenStoreUnderTest, said, textBody } from './harness'

const REFUSAL: StoredFault = { code: 'REQUEST_CLAIMED', data: { by: 'ben' }, message: 'ben is answering this' }

/** Everything that a refused append must leave as it was. */
async function stateOf(journal: Journal) {
  return { head: await journal.head(), entries: await journal.read(0, 10_000) }
}

export function journalContract(name: string, open: OpenStoreUnderTest): void {
  describe(`journal of ${name}`, () => {
    const current = eachWithStore(open)

    it('[S2] starts empty and keeps its id over a second handle', async () => {
      const { store, again } = current()
      expect(await store.journal.head()).toEqual({ seq: 0, at: 0, epoch: 0 })
      expect(store.journal.id).toMatch(/^\S{16,}$/)
      expect((await again()).journal.id).toBe(store.journal.id)
    })

    it('[S2] each take raises the epoch and writes its own entry', async () => {
      const { journal } = current().store
      expect(await journal.take('north')).toEqual({ epoch: 1, seq: 1 })
      expect(await journal.take('south')).toEqual({ epoch: 2, seq: 2 })
      expect(await journal.head()).toMatchObject({ seq: 2, epoch: 2 })
      const entries = await journal.read(0, 10)
      expect(entries.map(({ by, cause, event }) => ({ by, cause, event }))).toEqual([
        { by: 'north', cause: 'take:1', event: { type: 'sequencer.took', v: 1, epoch: 1, node: 'north' } },
        { by: 'south', cause: 'take:2', event: { type: 'sequencer.took', v: 1, epoch: 2, node: 'south' } },
      ])
    })

    it('[R377] the hash of a decision is given by its last entry, is another one for other entries, and of no other entry', async () => {
      const { store, again } = current()
      const { epoch, seq } = await store.journal.take('north')
      await store.journal.append(epoch, seq, [batchItem('c1', [said('one'), said('two')]), batchItem('c2')])
      const hashes = await Promise.all([1, 2, 3, 4, 5].map((at) => store.journal.hashAt(at)))
      expect(hashes.map((hash) => hash !== null)).toEqual([true, false, true, true, false])
      expect(new Set(hashes.filter((hash) => hash !== null)).size).toBe(3)
      expect(await (await again()).journal.hashAt(4)).toBe(hashes[3])
    })

    it('[S1] an append numbers the events of all its decisions on, one after the other', async () => {
      const { store, clock } = current()
      const { epoch, seq } = await store.journal.take('north')
      const events = [said('one', { nested: { list: [1, null, 'é\u0000\ud83d'] } }), said('two')]
      const answer = await store.journal.append(epoch, seq, [
        batchItem('c1', events),
        batchItem('c2', [said('three')], { by: 'ben' }),
      ])
      expect(answer).toEqual({ r: 'OK', first: 2, last: 4, at: clock.now })
      expect(await store.journal.read(seq, 10)).toEqual([
        { seq: 2, at: clock.now, by: 'ana', cause: 'c1', event: events[0] },
        { seq: 3, at: clock.now, by: 'ana', cause: 'c1', event: events[1] },
        { seq: 4, at: clock.now, by: 'ben', cause: 'c2', event: said('three') },
      ])
      expect(await store.journal.head()).toEqual({ seq: 4, at: clock.now, epoch })
    })

    it('[S1] numbers have no gap after refusals, faults and take-overs', async () => {
      const { journal } = current().store
      const first = await journal.take('north')
      await journal.append(first.epoch, first.seq, [batchItem('c1')])
      await journal.append(first.epoch, 99, [batchItem('c2')])
      await journal.append(first.epoch, 2, [batchItem('c1')])
      await journal.append(first.epoch, 2, [batchItem('c3', [], { fault: REFUSAL })])
      const second = await journal.take('south')
      await journal.append(first.epoch, second.seq, [batchItem('c4')])
      await journal.append(second.epoch, second.seq, [batchItem('c5'), batchItem('c6')])
      const entries = await journal.read(0, 100)
      expect(entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5])
      expect(entries.map((entry) => entry.cause)).toEqual(['take:1', 'c1', 'take:2', 'c5', 'c6'])
    })

    it('[S2] an older epoch is fenced and writes nothing', async () => {
      const { journal } = current().store
      const old = await journal.take('north')
      const newest = await journal.take('south')
      const before = await stateOf(journal)
      expect(await journal.append(old.epoch, newest.seq, [batchItem('c1')])).toEqual({
        r: 'FENCED',
        epoch: newest.epoch,
      })
      expect(await journal.append(newest.epoch + 1, newest.seq, [batchItem('c1')])).toEqual({
        r: 'FENCED',
        epoch: newest.epoch,
      })
      expect(await stateOf(journal)).toEqual(before)
      expect(await journal.outcome('c1', 'ana')).toBeNull()
    })

    it('[S3] a head that is not where the caller believes is said, and nothing is written', async () => {
      const { journal } = current().store
      const { epoch, seq } = await journal.take('north')
      await journal.append(epoch, seq, [batchItem('c1')])
      const before = await stateOf(journal)
      expect(await journal.append(epoch, seq, [batchItem('c2')])).toEqual({ r: 'MOVED', seq: seq + 1 })
      expect(await journal.append(epoch, seq + 2, [batchItem('c2')])).toEqual({ r: 'MOVED', seq: seq + 1 })
      expect(await stateOf(journal)).toEqual(before)
      expect(await journal.outcome('c2', 'ana')).toBeNull()
    })

    it('[S4] a known command gets its first outcome back, with fault and reply, and nothing of the batch is written', async () => {
      const { store, clock } = current()
      const { journal } = store
      const { epoch, seq } = await journal.take('north')
      const decidedAt = clock.now
      await journal.append(epoch, seq, [
        batchItem('plain', [said('one'), said('two')]),
        batchItem('replied', [said('three')], { reply: { message: 'm1', parts: [1, 2] } }),
        batchItem('refused', [], { fault: REFUSAL, reply: null }),
      ])
      clock.now += 1_000
      const before = await stateOf(journal)
      const again = ['plain', 'fresh', 'replied', 'refused'].map((id) => batchItem(id))
      const first = {
        plain: { id: 'plain', seq: seq + 2, at: decidedAt },
        replied: { id: 'replied', seq: seq + 3, at: decidedAt, reply: { message: 'm1', parts: [1, 2] } },
        refused: { id: 'refused', seq: null, at: decidedAt, fault: REFUSAL, reply: null },
      }
      expect(await journal.append(epoch, before.head.seq, again)).toEqual({ r: 'SORT', bad: first })
      expect(await stateOf(journal)).toEqual(before)
      expect(await journal.outcome('fresh', 'ana')).toBeNull()
      for (const outcome of Object.values(first)) expect(await journal.outcome(outcome.id, 'ana')).toEqual(outcome)
    })

    it('[S4] an id that another author used first is FOREIGN, whatever came of it, and its outcome is for its author alone', async () => {
      const { store, clock } = current()
      const { journal } = store
      const { epoch, seq } = await journal.take('north')
      const until = clock.now + 30_000
      const items = [
        batchItem('plain', [said('one')], { reply: { message: 'm1' } }),
        batchItem('empty', [], { reply: 'nothing new' }),
        batchItem('refused', [], { fault: REFUSAL, until }),
      ]
      await journal.append(epoch, seq, items)
      const before = await stateOf(journal)
      clock.now = until + 1
      const foreign = items.map((item) => ({ ...item, by: 'ben' }))
      expect(
        await journal.append(epoch, before.head.seq, [...foreign, batchItem('fresh', undefined, { by: 'ben' })]),
      ).toEqual({ r: 'SORT', bad: { plain: 'FOREIGN', empty: 'FOREIGN', refused: 'FOREIGN' } })
      expect(await stateOf(journal)).toEqual(before)
      for (const { id } of items) {
        expect(await journal.outcome(id, 'ben')).toBeNull()
        expect(await journal.outcome(id, 'ana')).toMatchObject({ id })
      }
      await journal.forgetOutcomes(clock.now + 25 * 3_600_000)
      expect(
        await journal.append(epoch, before.head.seq, [batchItem('refused', [said('x')], { by: 'ben' })]),
      ).toMatchObject({ r: 'OK' })
    })

    it('[S4] a command past its time is EXPIRED by the clock of the store, beside its living neighbours', async () => {
      const { store, clock } = current()
      const { journal } = store
      const { epoch, seq } = await journal.take('north')
      const batch = [
        batchItem('late', [said('late')], { until: clock.now - 1 }),
        batchItem('just', [said('just')], { until: clock.now }),
        batchItem('endless'),
      ]
      expect(await journal.append(epoch, seq, batch)).toEqual({ r: 'SORT', bad: { late: 'EXPIRED' } })
      expect((await journal.head()).seq).toBe(seq)
      expect(await journal.append(epoch, seq, batch.slice(1))).toMatchObject({ r: 'OK', first: seq + 1, last: seq + 2 })
      expect(await journal.outcome('late', 'ana')).toBeNull()
    })

    it('[S4] a known command stays known past its time: the repeat hears the outcome, not EXPIRED', async () => {
      const { store, clock } = current()
      const { epoch, seq } = await store.journal.take('north')
      const item = batchItem('c1', [said('one')], { until: clock.now + 30_000 })
      await store.journal.append(epoch, seq, [item])
      clock.now += 60_000
      const answer = await store.journal.append(epoch, seq + 1, [item])
      expect(answer).toMatchObject({ r: 'SORT', bad: { c1: { id: 'c1', seq: seq + 1 } } })
    })

    it('[S4] a fault alone moves no number and is kept', async () => {
      const { journal } = current().store
      const { epoch, seq } = await journal.take('north')
      const answer = await journal.append(epoch, seq, [batchItem('c1', [], { fault: REFUSAL })])
      expect(answer).toMatchObject({ r: 'OK', first: seq + 1, last: seq })
      expect(await journal.outcome('c1', 'ana')).toMatchObject({ seq: null, fault: REFUSAL })
    })

    it('[S4] a decision that changes nothing names the entry that it was decided behind', async () => {
      const { journal } = current().store
      const { epoch, seq } = await journal.take('north')
      await journal.append(epoch, seq, [batchItem('c1'), batchItem('c2', [], { reply: 'same as before' })])
      expect(await journal.outcome('c2', 'ana')).toMatchObject({ seq: seq + 1, reply: 'same as before' })
    })

    it('[S4] outcomes of commands with a time limit are forgotten after a day, the others never', async () => {
      const { store, clock } = current()
      const { epoch, seq } = await store.journal.take('north')
      const until = clock.now + 30_000
      await store.journal.append(epoch, seq, [batchItem('limited', [said('a')], { until }), batchItem('unlimited')])
      expect(await store.journal.forgetOutcomes(clock.now + 23 * 3_600_000)).toBe(0)
      expect(await store.journal.forgetOutcomes(clock.now + 25 * 3_600_000)).toBe(1)
      expect(await store.journal.outcome('limited', 'ana')).toBeNull()
      expect(await store.journal.outcome('unlimited', 'ana')).not.toBeNull()
    })

    it('[S5] time never goes back when the clock does', async () => {
      const { store, clock } = current()
      const { journal } = store
      const { epoch, seq } = await journal.take('north')
      const late = clock.now
      await journal.append(epoch, seq, [batchItem('c1')])
      clock.now -= 3_600_000
      expect(await journal.append(epoch, seq + 1, [batchItem('c2')])).toMatchObject({ r: 'OK', at: late })
      await journal.take('south')
      expect((await journal.read(0, 10)).map((entry) => entry.at)).toEqual([late, late, late, late])
      // until is compared with the time that the entries would get, not with the clock that went back
      const head = await journal.head()
      const answer = await journal.append(head.epoch, head.seq, [
        batchItem('c3', [said('x')], { until: clock.now + 1 }),
      ])
      expect(answer).toEqual({ r: 'SORT', bad: { c3: 'EXPIRED' } })
    })

    it("[S5] the caller's time of deciding never puts an entry before the one before it", async () => {
      const { store } = current()
      const { epoch, seq } = await store.journal.take('north')
      const { at } = await store.journal.head()
      const answer = await store.journal.append(epoch, seq, [batchItem('c1', [said('one')])], at - 1_000)
      expect(answer).toMatchObject({ r: 'OK' })
      expect((await store.journal.head()).at).toBeGreaterThanOrEqual(at)
      await expect(store.journal.append(epoch, seq + 1, [], Number.NaN)).rejects.toThrow(TypeError)
    })

    it('[S6] bodies come with their append, small ones and large ones', async () => {
      const { store } = current()
      const { epoch, seq } = await store.journal.take('north')
      const bodies = [
        textBody('a prompt '.repeat(2_000)),
        bodyOfBytes(noise(300_000, 7), 'image/png'),
        bodyOfBytes(new Uint8Array(0)),
      ]
      await store.journal.append(epoch, seq, [batchItem('c1', [said('one')], { bodies })])
      for (const { sha, bytes, mime } of bodies) {
        const kept = await store.bodies.get(sha)
        expect(kept?.mime).toBe(mime)
        expect(Buffer.compare(kept?.bytes ?? new Uint8Array(1), bytes)).toBe(0)
      }
    })

    it('[S6] bodies that repeat each other and their events come back whole, also when one was known before', async () => {
      const { store } = current()
      const { epoch, seq } = await store.journal.take('north')
      const [first, second, third] = ['one', 'two', 'three'].map((word) =>
        textBody(`${word} ${'of many words '.repeat(90)}`),
      )
      if (!first || !second || !third) throw new Error('three bodies')
      const append = (id: string, bodies: NewBody[], at: number) =>
        store.journal.append(epoch, at, [batchItem(id, [said(id)], { bodies })])
      await append('c1', [first, second], seq)
      await append('c2', [second, first, third], seq + 1)
      await append('c3', [third], seq + 2)
      for (const { sha, bytes } of [first, second, third]) {
        const kept = await store.bodies.get(sha)
        expect(Buffer.compare(kept?.bytes ?? new Uint8Array(1), bytes)).toBe(0)
      }
    })

    it('[S6] an append that is refused leaves no body, small or large', async () => {
      const { store } = current()
      const old = await store.journal.take('north')
      const { epoch, seq } = await store.journal.take('south')
      await store.journal.append(epoch, seq, [batchItem('known')])
      const bodies = [textBody('small'), bodyOfBytes(noise(200_000, 9))]
      const item = (id: string) => batchItem(id, [said('one')], { bodies })
      expect((await store.journal.append(old.epoch, seq + 1, [item('c1')])).r).toBe('FENCED')
      expect((await store.journal.append(epoch, seq, [item('c1')])).r).toBe('MOVED')
      expect((await store.journal.append(epoch, seq + 1, [item('c1'), batchItem('known')])).r).toBe('SORT')
      for (const { sha } of bodies) {
        expect(await store.bodies.get(sha)).toBeNull()
        expect(await store.bodies.get(sha)).toBeNull()
      }
    })

    it('a batch that breaks its own rules is refused, and the store goes on unharmed', async () => {
      const { journal } = current().store
      const { epoch, seq } = await journal.take('north')
      const wrong = [
        [batchItem('c1'), batchItem('c1')],
        [batchItem('c1', [said('one')], { fault: REFUSAL })],
        [batchItem('c1', [said('one')], { bodies: [{ ...textBody('a'), sha: textBody('b').sha }] })],
        [batchItem('c1', [said('one', { big: 1n })])],
        [batchItem('c1', [said('one')], { until: Number.NaN })],
        [batchItem('')],
        [batchItem('c1\u0000')],
      ]
      for (const batch of wrong) await expect(journal.append(epoch, seq, batch)).rejects.toThrow(TypeError)
      expect((await journal.append(epoch, seq, [batchItem('c1')])).r).toBe('OK')
      expect((await journal.read(seq, 10)).map((entry) => entry.cause)).toEqual(['c1'])
    })

    it('pages of 1,000 give every entry once, and stop where they are told', async () => {
      const { journal } = current().store
      const { epoch, seq } = await journal.take('north')
      const events = Array.from({ length: 2_600 }, (_, i) => said(`n${i}`))
      await journal.append(epoch, seq, [batchItem('c1', events)])
      const seen: number[] = []
      for (let after = 0; ; ) {
        const page = await journal.read(after, 1_000)
        seen.push(...page.map((entry) => entry.seq))
        const last = page.at(-1)
        if (!last) break
        after = last.seq
      }
      expect(seen).toEqual(Array.from({ length: 2_601 }, (_, i) => i + 1))
      expect((await journal.read(1_000, 1_000, 1_003)).map((entry) => entry.seq)).toEqual([1_001, 1_002, 1_003])
      expect(await journal.read(2_601, 1_000)).toEqual([])
      expect(await journal.read(50, 1_000, 20)).toEqual([])
    })

    it('a page that makes no sense is refused, and the store goes on unharmed', async () => {
      const { journal, archive } = current().store
      await journal.take('north')
      for (const limit of [Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY]) {
        await expect(journal.read(0, limit)).rejects.toThrow(TypeError)
        await expect(archive.entriesOf('task', 't1', 0, limit)).rejects.toThrow(TypeError)
        await expect(archive.entriesOf('step', 's1', limit)).rejects.toThrow(TypeError)
      }
      expect((await journal.read(0, 10)).length).toBe(1)
    })

    it('what a caller does to an event afterwards changes nothing that is kept', async () => {
      const { journal } = current().store
      const { epoch, seq } = await journal.take('north')
      const event = said('as sent', { list: [1] })
      await journal.append(epoch, seq, [batchItem('c1', [event])])
      event.text = 'changed'
      const [entry] = await journal.read(seq, 1)
      expect(entry?.event.text).toBe('as sent')
      if (entry) entry.event.text = 'changed too'
      expect((await journal.read(seq, 1))[0]?.event.text).toBe('as sent')
    })

    it('the archive finds entries by task and by step, in order, in pages', async () => {
      const { store } = current()
      const { epoch, seq } = await store.journal.take('north')
      const events = Array.from({ length: 50 }, (_, i) => said(`n${i}`, { task: `t${i % 2}`, step: `s${i % 10}` }))
      await store.journal.append(epoch, seq, [
        batchItem('c1', [...events, said('none'), said('odd', { task: { id: 't1' } })]),
      ])
      const first = await store.archive.entriesOf('task', 't1', 0, 20)
      const second = await store.archive.entriesOf('task', 't1', first.at(-1)?.seq ?? 0, 20)
      expect([...first, ...second].map((entry) => entry.event.text)).toEqual(
        Array.from({ length: 25 }, (_, i) => `n${2 * i + 1}`),
      )
      expect((await store.archive.entriesOf('step', 's3')).map((entry) => entry.event.text)).toEqual([
        'n3',
        'n13',
        'n23',
        'n33',
        'n43',
      ])
      expect((await store.archive.entriesOf('step', 's3', 0, 2)).length).toBe(2)
      expect(await store.archive.entriesOf('task', 't2', 0, 20)).toEqual([])
    })

    it('the archive finds entries by request and by thread', async () => {
      const { store, again } = current()
      const { epoch, seq } = await store.journal.take('north')
      const events = Array.from({ length: 6 }, (_, i) => said(`n${i}`, { request: `r${i % 2}`, thread: `th${i % 3}` }))
      await store.journal.append(epoch, seq, [batchItem('c1', events)])
      for (const { archive } of [store, await again()]) {
        const texts = async (found: Promise<StoredEntry[]>) => (await found).map((entry) => entry.event.text)
        expect(await texts(archive.entriesOf('request', 'r1'))).toEqual(['n1', 'n3', 'n5'])
        expect(await texts(archive.entriesOf('thread', 'th2', 0, 10))).toEqual(['n2', 'n5'])
        expect(await texts(archive.entriesOf('thread', 'th2', seq + 3, 10))).toEqual(['n5'])
        expect(await texts(archive.entriesOf('request', 'th2'))).toEqual([])
      }
    })

    it('[S17] an event is read as it was written, in every shape, with its members in their order', async () => {
      const { store, again } = current()
      const { epoch, seq } = await store.journal.take('north')
      const events: StoredEvent[] = [
        said('é\u0000\ud83d "quoted"\n', {
          attachments: [
            { name: 'a.txt', alt: '' },
            { name: '', savedAs: null },
          ],
        }),
        said('', { attachments: 'no list', imported: { name: 7, citations: { b: 1, a: ['x'] } } }),
        { type: 'stage.added', v: 1, task: 't1', intention: 'read', allocation: { zoe: 'first', ana: 'second' } },
        {
          type: 'step.finished',
          v: 1,
          result: { text: 'done', made: { hash: 'none', 'a/b': 1 }, body: null },
          repairs: [],
        },
        {
          type: 'request.opened',
          v: 1,
          seed: { question: 'Which?', choices: ['this', 'that'], evidence: [{ name: 'n' }, {}] },
        },
        { type: 'unknown.kind', v: 3, text: 'of another version' },
      ]
      await store.journal.append(epoch, seq, [batchItem('c1', events)])
      for (const { journal } of [store, await again()]) {
        const read = (await journal.read(seq, 10)).map((entry) => entry.event)
        expect(JSON.stringify(read)).toBe(JSON.stringify(events))
      }
      expect((await store.archive.entriesOf('task', 't1', 0, 10))[0]?.event).toEqual(events[2])
    })

    it('[S3] of two handles that race for the same head exactly one wins', async () => {
      const { store, again } = current()
      const other = await again()
      const { epoch, seq } = await store.journal.take('north')
      let head = seq
      for (let round = 0; round < 20; round++) {
        const body = textBody(`round ${round} `.repeat(100))
        const answers = await Promise.all([
          store.journal.append(epoch, head, [batchItem(`a${round}`, [said('a')], { bodies: [body] })]),
          other.journal.append(epoch, head, [batchItem(`b${round}`, [said('b'), said('b')])]),
        ])
        expect(answers.map((answer) => answer.r).sort()).toEqual(['MOVED', 'OK'])
        head = (await other.journal.head()).seq
      }
      const entries = await store.journal.read(0, 1_000)
      expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, i) => i + 1))
      expect(await other.journal.read(0, 1_000)).toEqual(entries)
    })

    it('[S2] of two handles that take over in turn the earlier one is always fenced', async () => {
      const { store, again } = current()
      const other = await again()
      const first = await store.journal.take('north')
      const second = await other.journal.take('south')
      expect(second).toEqual({ epoch: first.epoch + 1, seq: first.seq + 1 })
      expect(await store.journal.append(first.epoch, second.seq, [batchItem('c1')])).toEqual({ r: 'FENCED', epoch: 2 })
      const third = await store.journal.take('north')
      expect((await other.journal.append(second.epoch, third.seq, [batchItem('c1')])).r).toBe('FENCED')
      expect((await store.journal.append(third.epoch, third.seq, [batchItem('c1')])).r).toBe('OK')
    })

    it('[S4] the same command through two handles happens once', async () => {
      const { store, again } = current()
      const other = await again()
      const { epoch, seq } = await store.journal.take('north')
      await store.journal.append(epoch, seq, [batchItem('c1')])
      expect(await other.journal.append(epoch, seq + 1, [batchItem('c1')])).toMatchObject({
        r: 'SORT',
        bad: { c1: { seq: seq + 1 } },
      })
    })
  })
}
