/** An answer that is an object of tags says the same as one with tags, whatever it holds. */
import { describe, expect, it } from 'vitest'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { ANSWER_TAGS, escapeTags, parseAnswer, TAG_FORMATS, tagsOfObject } from './index'

/** `think` is no key that is asked for: what stands there is the model's reasoning. */
const KEYS = ANSWER_TAGS.filter((tag) => tag !== 'persistent_memory' && tag !== 'think')

const asTag = (tag: string, value: unknown): string =>
  `<${tag}>${typeof value === 'string' ? value : JSON.stringify(value)}</${tag}>`

describe('an answer as an object', () => {
  it.each(KEYS)('with %s is read as the tag would be', (tag) => {
    const asked = { oneOf: [tag], also: [] }
    const beside = { ...Object.fromEntries(ANSWER_TAGS.map((name) => [name, null])), persistent_memory: [] }
    const read = parseAnswer(tagsOfObject(JSON.stringify({ ...beside, [tag]: TAG_SAMPLES[tag] })), asked)
    expect(read).toMatchObject({ ok: true, answer: { fixups: [] } })
    expect(read).toEqual(parseAnswer(asTag(tag, TAG_SAMPLES[tag]), asked))
  })

  it('keeps notes beside the answer, also behind thoughts and in a code fence', () => {
    const object = { summary: 'Done.', persistent_memory: [{ add: 'The north list holds.' }] }
    const written = `<think>{"summary": "no"}</think>\n\`\`\`json\n${JSON.stringify(object)}\n\`\`\``
    expect(parseAnswer(tagsOfObject(written), { oneOf: ['summary'], also: [] })).toMatchObject({
      answer: { main: { value: 'Done.' }, memory: [{ add: 'The north list holds.' }] },
    })
  })

  it('holds texts that hold tags, escaped or not, as they are', () => {
    const file = 'a <summary>quoted</summary> </result> and\n<think>more'
    const read = (value: unknown) => parseAnswer(tagsOfObject(JSON.stringify(value)), { oneOf: ['result'], also: [] })
    for (const written of [file, escapeTags(file)]) {
      expect(read({ result: written })).toMatchObject({ answer: { main: { value: file } } })
    }
    expect(read({ result: `<result>${file}</result>` })).toMatchObject({ answer: { main: { value: file } } })
    const call = {
      instruction_type: 'function_call',
      tool_name: 'write',
      arguments: { text: file, mode: null },
      last: null,
    }
    expect(
      parseAnswer(tagsOfObject(JSON.stringify({ tool_instruction: [call] })), {
        oneOf: ['tool_instruction'],
        also: [],
      }),
    ).toMatchObject({ ok: true, answer: { fixups: [], main: { value: [{ arguments: { text: file, mode: null } }] } } })
  })

  it('takes a key that says nothing for one that is not there', () => {
    const message = { receiver: ['Ana'], message: 'hi', stage_relative: null, need_reply: null, choices: null }
    const read = parseAnswer(tagsOfObject(JSON.stringify({ send_message: message, skip: '', decision_step: null })), {
      oneOf: ['send_message', 'decision_step'],
      also: [],
    })
    expect(read).toEqual(
      parseAnswer(asTag('send_message', { receiver: ['Ana'], message: 'hi' }), {
        oneOf: ['send_message', 'decision_step'],
        also: [],
      }),
    )
  })

  it.each(['', 'no object', '[1]', '{}', '{"summary": "x", "other": 1}', '{"summary": "x"', '<summary>x</summary>'])(
    'is left as it came when it is none: %s',
    (text) => {
      expect(tagsOfObject(text)).toBe(text)
    },
  )

  it('may ask to see items of the history whole', () => {
    expect(tagsOfObject('{"result": null, "more_history": [3, 7]}')).toBe('<more_history>\n[3,7]\n</more_history>')
  })

  it('has a key for each tag', () => {
    expect(Object.keys(TAG_FORMATS).sort()).toEqual([...ANSWER_TAGS].sort())
  })
})
