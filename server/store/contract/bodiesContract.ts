/** What every store of bodies holds: rule S6 of ../README.md, for bytes that come without an append. */
import { describe, expect, it } from 'vitest'
import { bodyOf, decision, eachWithStore, noise, type OpenStoreUnderTest, said, textBody } from './harness'

export function bodiesContract(name: string, open: OpenStoreUnderTest): void {
  describe(`bodies of ${name}`, () => {
    const current = eachWithStore(open)

    it('gives back the bytes that were put, of every size', async () => {
      const { bodies } = current().store
      for (const length of [0, 1, 199, 5_000, 64 * 1024, 64 * 1024 + 1, 1_000_000]) {
        const body = bodyOf(noise(length, length), 'application/octet-stream')
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
      const body = bodyOf(noise(10_000, 3))
      await bodies.put(body.bytes, 'text/plain')
      const before = await bodies.sizes()
      await bodies.put(body.bytes, 'text/html')
      const { epoch, seq } = await journal.take('north')
      await journal.append(epoch, seq, [
        decision('c1', [said('one')], { bodies: [body] }),
        decision('c2', [], { bodies: [body] }),
      ])
      expect((await bodies.sizes()).bodies).toBe(before.bodies)
      expect((await bodies.get(body.sha))?.mime).toBe('text/plain')
    })

    it('knows what it has, and says nothing of what it has not', async () => {
      const { bodies } = current().store
      const { sha } = await bodies.put(textBody('here').bytes, 'text/plain')
      const missing = textBody('elsewhere').sha
      expect(await bodies.has(sha)).toBe(true)
      expect(await bodies.has(missing)).toBe(false)
      expect(await bodies.get(missing)).toBeNull()
      expect(await bodies.get('../../etc/passwd')).toBeNull()
    })

    it('counts bodies and journal as they grow', async () => {
      const { bodies, journal } = current().store
      expect(await bodies.sizes()).toMatchObject({ bodies: 0, journal: 0 })
      await bodies.put(noise(3_000, 1), 'image/png')
      await bodies.put(noise(90_000, 2), 'image/png')
      const { epoch, seq } = await journal.take('north')
      await journal.append(epoch, seq, [decision('c1', [said('x'.repeat(1_000))])])
      const sizes = await bodies.sizes()
      expect(sizes.bodies).toBe(93_000)
      expect(sizes.journal).toBeGreaterThan(1_000)
      expect(sizes.db).toBeGreaterThan(3_000)
    })
  })
}
