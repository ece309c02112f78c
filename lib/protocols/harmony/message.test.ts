/** Harmony: messages, the rules of a list of them, citations, what tools say back. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitAnchors } from './citation'
import {
  HarmonyMessage,
  HarmonyMessages,
  harmonyPartAt,
  harmonyParts,
  harmonyText,
  listProblems,
  toolError,
  toolHalted,
  toolSuccess,
} from './message'
import { readToolContent } from './test/readToolContent'

const text = (words: string) => ({ type: 'text' as const, text: words })
const user = (words: string): HarmonyMessage => ({ role: 'user', content: [text(words)] })
const accepts = (message: unknown): boolean => HarmonyMessage.safeParse(message).success

describe('a message', () => {
  it('H-01 has one of four roles', () => {
    for (const role of ['user', 'assistant', 'system']) expect(accepts({ role, content: 'x' }), role).toBe(true)
    expect(accepts({ role: 'developer', content: 'x' })).toBe(false)
    expect(accepts({ content: 'x' })).toBe(false)
  })

  it('H-01 keeps every key that we do not know', () => {
    const strange = { id: 'm', role: 'user', created_at: 1715000000, content: [{ ...text('a'), hue: 7 }], branch: 'x' }
    expect(HarmonyMessage.parse(strange)).toEqual(strange)
  })

  it('H-02 has a list of parts, or a plain text', () => {
    expect(harmonyParts({ content: 'plain' })).toEqual([text('plain')])
    expect(harmonyText({ content: [text('a'), text('b')] })).toBe('a\nb')
    expect(accepts({ role: 'assistant', content: null, tool_calls: [] })).toBe(true)
    expect(accepts({ role: 'user', content: null })).toBe(false)
  })

  it('H-03 has texts, pictures, frames of videos and sounds, each with an address', () => {
    const frame = {
      type: 'image_url' as const,
      image_url: { url: 'https://example.org/frame.jpg', detail: 'low' as const, rotation: 90 },
      video_metadata: { video_id: 'vid_abc', timestamp_sec: 12.5, frame_index: 300 },
    }
    const sound = { type: 'input_audio' as const, input_audio: { data: 'AAAA', format: 'wav', sample_rate: 24000 } }
    const ofVideo = { ...sound, video_metadata: { video_id: 'vid_abc', timestamp_sec: 0 } }
    const message = HarmonyMessage.parse({ id: 'm#1', role: 'user', content: [text('look'), frame, sound, ofVideo] })
    expect(harmonyPartAt(message, 'm#1#1')).toEqual(frame)
    expect(harmonyPartAt(message, 'm#1#2')).toEqual(sound)
    expect(harmonyPartAt(message, 'm#1#3')).toEqual(ofVideo)
    for (const none of ['m#1#4', 'other#0', 'm#1', 'm#1#', 'm#1#x', 'm#1#0#0'])
      expect(harmonyPartAt(message, none)).toBeNull()
    expect(harmonyPartAt({ id: 'm2', role: 'user', content: 'plain' }, 'm2#0')).toEqual(text('plain'))
    expect(accepts({ role: 'user', content: [{ type: 'video', url: 'x' }] })).toBe(false)
    expect(accepts({ role: 'user', content: [{ ...frame, image_url: { url: 'x', detail: 'huge' } }] })).toBe(false)
    expect(accepts({ role: 'user', content: [{ ...sound, video_metadata: { video_id: 'vid_abc' } }] })).toBe(false)
  })

  it('H-04 has the arguments of a call as a text', () => {
    const call = (args: unknown) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: args } }],
    })
    expect(accepts(call('{"a":1}'))).toBe(true)
    expect(accepts(call({ a: 1 }))).toBe(false)
  })

  it('H-05 says of a tool’s message which call it answers', () => {
    expect(accepts({ role: 'tool', content: '{}' })).toBe(false)
    expect(accepts({ role: 'tool', tool_call_id: 'c', content: [text('{}')] })).toBe(true)
  })

  it('H-08 carries cost, times, model and safety', () => {
    const metadata = {
      token_usage: { prompt_tokens: 500, completion_tokens: 150, total_cost_usd: 0.002 },
      latency_ms: { ttft: 400, total_time: 1200 },
      model_version: 'gpt-4-vision-preview-2024-04-09',
      system_fingerprint: 'fp_12345',
      session_id: 'sess_user_999',
      trace_id: 'trace_uuid_v4',
      safety_check: { flagged: false, categories: [] },
    }
    expect(HarmonyMessage.parse({ ...user('x'), metadata })).toMatchObject({ metadata })
    expect(accepts({ ...user('x'), metadata: { token_usage: { prompt_tokens: '500' } } })).toBe(false)
  })

  it('H-25 has no bytes inside its text', () => {
    expect(accepts(user(`see data:image/png;base64,${'iVBORw0KGgo'.repeat(10)}`))).toBe(false)
    expect(accepts(user('PNG\0IHDR'))).toBe(false)
    expect(accepts({ role: 'tool', tool_call_id: 'c', content: `data:audio/wav;base64,${'A'.repeat(99)}` })).toBe(false)
    expect(accepts(user('write it as data:image/png;base64,… in the page\n\ttabbed'))).toBe(true)
  })
})

describe('a list of messages', () => {
  const calls = (...ids: string[]): HarmonyMessage => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
  })
  const result = (id: string): HarmonyMessage => ({ role: 'tool', tool_call_id: id, content: toolSuccess(1) })
  const codes = (messages: HarmonyMessage[], speakers?: number) =>
    listProblems(messages, speakers).map(({ code }) => code)

  it('H-33 has as many answers of tools right after a message as it has calls', () => {
    expect(codes([user('go'), calls('a', 'b'), result('b'), result('a'), user('on')])).toEqual([])
    expect(codes([calls('a', 'b'), result('a'), user('on')])).toEqual(['call_unanswered'])
    expect(codes([calls('a')])).toEqual(['call_unanswered'])
    expect(codes([calls('a'), user('wait'), result('a')])).toEqual(['call_unanswered'])
  })

  it('H-28 answers only calls that were made, each once', () => {
    expect(codes([result('a')])).toEqual(['unknown_call'])
    expect(codes([calls('a'), result('a'), result('a')])).toEqual(['call_answered_twice'])
  })

  it('H-01 has no id twice, and names where several speak', () => {
    expect(
      codes([
        { ...user('x'), id: 'm' },
        { ...user('y'), id: 'm' },
      ]),
    ).toEqual(['id_twice'])
    expect(codes([{ role: 'assistant', content: 'x' }], 2)).toEqual(['name_missing'])
    expect(codes([{ role: 'assistant', content: 'x', name: 'Coder' }], 2)).toEqual([])
  })
})

describe('an anchor', () => {
  const ids = new Set(['cit_01', 'cit_02'])

  it('H-07 becomes a number where the map has its id, in both forms', () => {
    expect(splitAnchors('up<cite id="cit_02"/> and [cit_01], [cit_02].', ids)).toEqual([
      { text: 'up' },
      { id: 'cit_02', number: 1 },
      { text: ' and ' },
      { id: 'cit_01', number: 2 },
      { text: ', ' },
      { id: 'cit_02', number: 1 },
      { text: '.' },
    ])
  })

  it('H-07 without an entry is text', () => {
    for (const words of ['<cite id="cit_09"/>', '[x] done', '<cite id="cit_01" onclick="x"/>', '<cite>cit_01</cite>']) {
      expect(splitAnchors(words, ids)).toEqual([{ text: words }])
    }
  })

  it('H-07 loses nothing of the text around it', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('<cite id="cit_01"/>', '[cit_02]', '[', '<cite id="'))
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const whole = pieces.join('')
        const bare = (words: string) => words.replace(/<cite id="(cit_0[12])"\/>/g, '[$1]')
        const again = splitAnchors(whole, ids)
          .map((one) => ('text' in one ? one.text : `[${one.id}]`))
          .join('')
        expect(bare(again)).toBe(bare(whole))
      }),
    )
  })
})

describe('what a tool says back', () => {
  it('H-34 is an error that says how to mend the call', () => {
    expect(readToolContent(toolError('InvalidDateRange', 'Try an earlier year.'))).toEqual({
      status: 'error',
      error_type: 'InvalidDateRange',
      message: 'Try an earlier year.',
    })
  })

  it('H-24 is a halt when a person must decide first', () => {
    expect(readToolContent(toolHalted('Ana is asked.'))).toEqual({
      status: 'halted',
      reason: 'human_confirmation_required',
      message: 'Ana is asked.',
    })
  })

  it('H-05 is a success with results, or the tool’s own words', () => {
    expect(readToolContent(toolSuccess([1]))).toEqual({ status: 'success', results: [1] })
    expect(readToolContent('42 rows')).toBeNull()
    expect(readToolContent('[1]')).toBeNull()
  })
})

it('H-26 throws at no list, however mangled', () => {
  const runs = process.env.CONVENE_ALL === '1' ? 50_000 : 1_000
  const message = fc.dictionary(
    fc.constantFrom('id', 'role', 'name', 'content', 'tool_calls', 'tool_call_id', 'metadata', 'created_at'),
    fc.oneof(fc.constantFrom('user', 'assistant', 'tool'), fc.jsonValue()),
  )
  fc.assert(
    fc.property(fc.array(message), (list) => {
      const read = HarmonyMessages.safeParse(list)
      if (read.success) expect(Array.isArray(listProblems(read.data, 2))).toBe(true)
    }),
    { numRuns: runs },
  )
})
