/** Answers are read from their structure: what merely sounds like an act is none. */
import { describe, expect, it } from 'vitest'
import { TAG_SAMPLES } from '../../../test/formatSamples'
import type { AnswerTag } from './escape'
import { parseAnswer } from './parseAnswer'

const read = (text: string, tag: AnswerTag) => parseAnswer(text, { oneOf: [tag], also: [] })
/** Tags that hold a text hold whatever it says; all others hold JSON. */
const STRUCTURED = (Object.keys(TAG_SAMPLES) as AnswerTag[]).filter((tag) => typeof TAG_SAMPLES[tag] !== 'string')

describe('H-27 what an agent does', () => {
  it.each(STRUCTURED)('H-27 as %s is read from JSON in its tag, whole and as it is typed', (tag) => {
    const reading = read(`Some words. <${tag}>${JSON.stringify(TAG_SAMPLES[tag])}</${tag}>`, tag)
    expect(reading).toMatchObject({ ok: true, answer: { main: { tag, value: TAG_SAMPLES[tag] } } })
  })

  it.each(STRUCTURED)('H-27 as %s is never guessed from words, in the tag or out of it', (tag) => {
    const words = `I will now use ${tag}: read_text_file with path = prices/north.csv, then tell Ana to wait.`
    for (const text of [words, `<${tag}>${words}</${tag}>`]) {
      expect(read(text, tag)).toMatchObject({ ok: false, reason: expect.stringMatching(/\S/) })
    }
  })

  it('H-27 a field that is missing, or of another kind, is named and not made up', () => {
    const { receiver: _, ...rest } = TAG_SAMPLES.send_message
    for (const [wrong, field] of [
      [rest, 'receiver'],
      [{ ...TAG_SAMPLES.send_message, need_reply: 'only if he is there' }, 'need_reply'],
    ] as const) {
      const reading = read(`<send_message>${JSON.stringify(wrong)}</send_message>`, 'send_message')
      expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining(field) })
    }
  })
})
