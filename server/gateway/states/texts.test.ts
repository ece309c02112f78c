/** Texts in answers: whole up to two limits, beyond them a preview with the URL of the whole. */
import { describe, expect, it } from 'vitest'
import { jsonOrText } from '@/lib/json'
import { bodyOf } from '@/lib/mas/bodies'
import { memoryStore } from '@/test/memoryStore'
import { ANSWER_TEXT_BYTES, iso, type Texts, WHOLE_BYTES, withTexts } from './texts'

const HREF = '/api/steps/1'
/** These texts, stored as bodies, as one answer shows them. */
async function told(texts: string[], { budget = { left: ANSWER_TEXT_BYTES }, as = 'text' as 'text' | 'json' } = {}) {
  const { bodies } = memoryStore({ now: () => 0 })
  const made = texts.map((text) => bodyOf(text))
  for (const { body } of made) await bodies.put(body.bytes, body.mime)
  return withTexts(bodies, budget, (tell: Texts) => made.map(({ ref }) => tell[as](ref, HREF)))
}
const isWhole = (one: unknown): boolean => typeof one === 'string'

describe('a text in an answer', () => {
  it('a text of 64 KiB is whole, and with one byte more a preview', async () => {
    const [whole, cut] = await told(['x'.repeat(WHOLE_BYTES), 'x'.repeat(WHOLE_BYTES + 1)])
    expect(whole).toBe('x'.repeat(WHOLE_BYTES))
    expect(cut).toMatchObject({ bytes: WHOLE_BYTES + 1, href: HREF })
  })

  it('texts are whole up to 4 MiB of an answer and previews beyond, and short texts are always whole', async () => {
    const many = ANSWER_TEXT_BYTES / WHOLE_BYTES
    const texts = Array.from({ length: many }, (_, n) => String(n).padEnd(WHOLE_BYTES, 'x'))
    const answer = await told([...texts, 'y'.repeat(401), 'y'.repeat(400)])
    expect(answer.map(isWhole)).toEqual([...Array(many).fill(true), false, true])
  })

  it('the bytes of several parts of one answer are counted together', async () => {
    const budget = { left: 1_000 }
    expect((await told(['x'.repeat(600)], { budget })).map(isWhole)).toEqual([true])
    expect((await told(['y'.repeat(500)], { budget })).map(isWhole)).toEqual([false])
    // The text that did not fit used nothing of the budget.
    expect((await told(['z'.repeat(401)], { budget })).map(isWhole)).toEqual([false])
    const other = { left: 1_000 }
    await told(['x'.repeat(599)], { budget: other })
    expect((await told(['z'.repeat(401)], { budget: other })).map(isWhole)).toEqual([true])
  })

  it('a text without a body is counted too', async () => {
    const { bodies } = memoryStore({ now: () => 0 })
    const budget = { left: 1_000 }
    const own = (text: string) => withTexts(bodies, budget, (texts) => texts.own(text, HREF))
    expect(await own('x'.repeat(600))).toBe('x'.repeat(600))
    expect(await own('x'.repeat(401))).toMatchObject({ bytes: 401, href: HREF })
    expect(
      await withTexts(bodies, { left: ANSWER_TEXT_BYTES }, ({ own }) => own('x'.repeat(WHOLE_BYTES), null)),
    ).toHaveLength(WHOLE_BYTES)
    const long = await withTexts(bodies, { left: ANSWER_TEXT_BYTES }, ({ own }) =>
      own('x'.repeat(WHOLE_BYTES + 1), null),
    )
    expect(long).toMatchObject({ bytes: WHOLE_BYTES + 1, href: null })
  })

  it('[R330] a text that its reference holds is whole, beside others that are stored or held so', async () => {
    const { bodies } = memoryStore({ now: () => 0 })
    const long = bodyOf('x'.repeat(5_000))
    await bodies.put(long.body.bytes, long.body.mime)
    const held = (text: string) => ({ sha: '', bytes: Buffer.byteLength(text), preview: text, mime: 'text/plain' })
    const refs = [held('{"a":"杂"}'), long.ref, held('[2]'), held('')]
    const all = await withTexts(bodies, { left: ANSWER_TEXT_BYTES }, (tell) => refs.map((ref) => tell.json(ref, HREF)))
    expect(all).toEqual([{ a: '杂' }, 'x'.repeat(5_000), [2], ''])
  })

  it('a text whose body was deleted is a preview', async () => {
    const { bodies } = memoryStore({ now: () => 0 })
    const { ref } = bodyOf('x'.repeat(5_000))
    const answer = await withTexts(bodies, { left: ANSWER_TEXT_BYTES }, ({ text }) => text(ref, HREF))
    expect(answer).toEqual({ preview: ref.preview, bytes: 5_000, href: HREF })
    expect(await withTexts(bodies, { left: ANSWER_TEXT_BYTES }, ({ json }) => json(ref, HREF))).toEqual(answer)
  })

  it('a text with JSON is JSON where it is asked for', async () => {
    expect(await told([`{"a":1}`, 'no JSON'], { as: 'json' })).toEqual([{ a: 1 }, 'no JSON'])
    expect(await told([`{"a":1}`])).toEqual([`{"a":1}`])
    expect(jsonOrText('[1]')).toEqual([1])
  })
})

describe('a time in an answer', () => {
  it('a time is in ISO 8601; no time is null, and the epoch is a time', () => {
    expect([iso(0), iso(null)]).toEqual(['1970-01-01T00:00:00.000Z', null])
  })
})
