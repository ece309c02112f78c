/** What every store of bodies holds: rule S6 of ../README.md, for bytes that come without an append. */
import { describe, expect, it } from 'vitest'
import { batchItem, bodyOfBytes, eachWithStore, noise, type OpenStoreUnderTest, said, textBody } from './harness'

export function bodiesContract(name: string, open: OpenStoreUnderTest): void {
  describe(`bodies of ${name}`, () => {
    const current = eachWithStore(open)

    it('gives back the bytes that were put, of every size', async () => {
      const { bodies } = current().store
      for (const length of [0, 1, 199, 5_000, 64 * 1024, 64 * 1024 + 1, 1_000_000]) {
        const body = bodyOfBytes(noise(length, length), 'application/octet-stream')
        expect(await bodies.put(body.bytes, body.mime)).toEqual({ sha: body.sha, bytes: length })
        const kept = await bodies.get(body.sha)
        expect(kept?.mime).toBe('application/octet-stream')
        expect(Buffer.compare(kept?.bytes ?? new Uint8Array(2), body.bytes)).toBe(0)
      }
    })

    it('another handle reads them', async () => {
      const { store, again } = current()
      const small = await store.bodies.put(textBody('text '.repeat(100)).bytes, 'text/plain')
      const large = await store.bodies.put(noise(100_000, 1), 'image/png')
      const other = await again()
      expect((await other.bodies.get(small.sha))?.bytes.length).toBe(500)
      expect((await other.bodies.get(large.sha))?.bytes.length).toBe(100_000)
    })

    it('keeps the same bytes once, under the mime that came first', async () => {
      const { bodies, journal } = current().store
      const body = bodyOfBytes(noise(10_000, 3))
      await bodies.put(body.bytes, 'text/plain')
      await bodies.put(body.bytes, 'text/html')
      const { epoch, seq } = await journal.take('north')
      await journal.append(epoch, seq, [
        batchItem('c1', [said('one')], { bodies: [body] }),
        batchItem('c2', [], { bodies: [body] }),
      ])
      expect((await bodies.get(body.sha))?.mime).toBe('text/plain')
    })

    it('has nothing for a sha that it does not know, and for what is no sha', async () => {
      const { bodies } = current().store
      await bodies.put(textBody('here').bytes, 'text/plain')
      expect(await bodies.get(textBody('elsewhere').sha)).toBeNull()
      expect(await bodies.get('../../etc/passwd')).toBeNull()
    })

    it('[S14] forgets what was named, wherever it lies, and nothing beside it', async () => {
      const { store, clock, again } = current()
      const { bodies, journal } = store
      const small = ['one', 'two', 'three'].map((text) => textBody(`${text} of one decision`))
      const row = bodyOfBytes(noise(20_000, 1))
      const file = bodyOfBytes(noise(200_000, 2), 'image/png')
      const { epoch, seq } = await journal.take('north')
      await journal.append(epoch, seq, [
        batchItem('c1', [said('first'), said('second')], { bodies: [...small, row, file] }),
        batchItem('c2', [said('third '.repeat(100))]),
      ])
      const entries = await journal.read(0, 100)
      clock.now += 60_000
      const [one, two, three] = small.map(({ sha }) => sha)
      if (!one || !two || !three) throw new Error('three bodies')
      expect(await bodies.forget([one, row.sha, file.sha, one, textBody('never').sha, 'no sha'], clock.now)).toBe(3)
      for (const other of [store, await again()]) {
        for (const sha of [one, row.sha, file.sha]) {
          expect(await other.bodies.get(sha)).toBeNull()
        }
        expect((await other.bodies.get(two))?.bytes).toEqual(small[1]?.bytes)
        expect((await other.bodies.get(three))?.mime).toBe('text/plain')
        expect(await other.journal.read(0, 100)).toEqual(entries)
        expect(await other.journal.outcome('c1', 'ana')).toMatchObject({ seq: seq + 2 })
      }
      expect(await bodies.forget([one, row.sha], clock.now)).toBe(0)
      expect(await bodies.forget([two, three], clock.now)).toBe(2)
      expect(await journal.read(0, 100)).toEqual(entries)
    })

    it('[S14] forgets bodies of some among many decisions appended together: those beside them stay to the byte', async () => {
      const { store, clock, again } = current()
      const { bodies, journal, archive } = store
      const texts = Array.from({ length: 40 }, (_, n) => textBody(`${n} ${'told again '.repeat(30)}`))
      const { epoch, seq } = await journal.take('north')
      const batch = texts.map((body, n) =>
        batchItem(
          `c${n}`,
          n % 7 === 3 ? [said('short')] : [said(body.sha, { task: `t${n % 5}` }), said('and on '.repeat(60))],
          {
            bodies: n % 7 === 3 ? [] : [body],
          },
        ),
      )
      await journal.append(epoch, seq, batch)
      const entries = await journal.read(0, 1_000)
      const ofTask = await archive.entriesOf('task', 't1', 0, 100)
      expect(ofTask.length).toBeGreaterThan(5)
      clock.now += 60_000
      const gone = [0, 1, 20, 39].map((n) => texts[n]?.sha ?? '')
      expect(await bodies.forget(gone, clock.now)).toBe(4)
      for (const other of [store, await again()]) {
        for (const [n, { sha, bytes }] of texts.entries()) {
          const stays = n % 7 !== 3 && !gone.includes(sha)
          expect((await other.bodies.get(sha))?.bytes).toEqual(stays ? bytes : undefined)
        }
        expect(await other.journal.read(0, 1_000)).toEqual(entries)
        expect(await other.archive.entriesOf('task', 't1', 0, 100)).toEqual(ofTask)
      }
      expect(await bodies.forget(gone, clock.now)).toBe(0)
    })

    it('[S14] keeps what somebody has put since, and takes back what was forgotten', async () => {
      const { store, clock } = current()
      const { bodies, journal } = store
      const all = [textBody('small'), bodyOfBytes(noise(20_000, 1)), bodyOfBytes(noise(200_000, 2))]
      const { epoch, seq } = await journal.take('north')
      await journal.append(epoch, seq, [batchItem('c1', [said('one')], { bodies: all })])
      const shas = all.map(({ sha }) => sha)
      clock.now += 60_000
      const before = clock.now
      await journal.append(epoch, seq + 1, [batchItem('c2', [said('two')], { bodies: all })])
      expect(await bodies.forget(shas, before)).toBe(0)
      clock.now += 60_000
      for (const body of all) await bodies.put(body.bytes, body.mime)
      expect(await bodies.forget(shas, clock.now)).toBe(0)
      clock.now += 60_000
      expect(await bodies.forget(shas, clock.now)).toBe(3)
      await journal.append(epoch, seq + 2, [batchItem('c3', [said('three')], { bodies: all })])
      for (const { sha, bytes } of all)
        expect(Buffer.compare((await bodies.get(sha))?.bytes ?? new Uint8Array(), bytes)).toBe(0)
    })
  })
}
