import { describe, expect, it } from 'vitest'
import { asId, type StepId } from '@/lib/mas/ids'
import type { Json, ModelCall } from '@/lib/mas/records'
import { readStateId } from './index'
import { reasonBefore, writerOf } from './steps'
import { saysOnly, toolParts } from './toolContent'
import { costsOf } from './Usage'

const ID = '01234567-89ab-4cde-8f01-23456789abcd'

describe('the record that an address inspects', () => {
  it('is told by the prefix of its StateID, a bare id is a step', () => {
    expect(readStateId(`StepState_${ID}`)).toEqual({ prefix: 'StepState', id: ID })
    expect(readStateId(`HumanAgent_${ID}`)).toEqual({ prefix: 'HumanAgent', id: ID })
    expect(readStateId(`Message_${ID}`)).toEqual({ prefix: 'Message', id: ID })
    expect(readStateId(ID)).toEqual({ prefix: 'StepState', id: ID })
  })

  it('is nothing when prefix or id is none', () => {
    for (const text of ['', 'x', `Robot_${ID}`, 'StepState_../../me', `constructor_${ID}`])
      expect(readStateId(text), text).toBeNull()
  })
})

describe('what a tool answered', () => {
  it('is shown block by block, then its structure', () => {
    const parts = toolParts({
      isError: false,
      content: [
        { type: 'text', text: 'two files' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'resource', uri: 'file:a', text: 'hello', mimeType: 'text/plain' },
      ],
      structured: { count: 2 },
    })
    expect(parts).toEqual([
      { kind: 'text', text: 'two files' },
      { kind: 'image', src: 'data:image/png;base64,AAAA', mime: 'image/png' },
      { kind: 'resource', uri: 'file:a', text: 'hello', mime: 'text/plain' },
      { kind: 'json', value: { count: 2 } },
    ])
  })

  it('is not shown below the reason of a failure that says the same', () => {
    const said = (text: string) => ({ mcp_server_result: { isError: true, content: [{ type: 'text', text }] } })
    expect(saysOnly(said('no such file\n'), 'no such file')).toBe(true)
    expect(saysOnly('no such file', 'no such file')).toBe(true)
    expect(saysOnly(said('no such file; there are a.csv, b.csv'), 'no such file')).toBe(false)
    expect(saysOnly(said('gone'), null)).toBe(false)
    expect(saysOnly(null, 'gone')).toBe(false)
  })

  it('is found under the name that records give it', () => {
    expect(toolParts({ mcp_server_result: { isError: true, content: [{ type: 'text', text: 'gone' }] } })).toEqual([
      { kind: 'text', text: 'gone' },
    ])
  })

  it('never becomes a picture that could run or fetch something', () => {
    for (const block of [
      { type: 'image', mimeType: 'image/svg+xml', data: 'AAAA' },
      { type: 'image', mimeType: 'text/html', data: 'AAAA' },
      { type: 'image', mimeType: 'image/png', data: '"><script>' },
      { type: 'image', mimeType: 'image/png;x,', data: 'AAAA' },
    ]) {
      expect(toolParts({ content: [block] })[0]?.kind).toBe('other')
    }
  })

  it('names a resource that is only linked, and keeps what the call told on its way', () => {
    const link = { type: 'resource_link', uri: 'notes://3', name: 'third', title: 'The third', description: 'a link' }
    const progress: Json = [{ progress: 1, total: 2, message: 'half' }, { progress: 2 }, 'nonsense']
    expect(toolParts({ content: [link], progress })).toEqual([
      { kind: 'link', uri: 'notes://3', name: 'The third', about: 'a link' },
      { kind: 'progress', lines: ['1/2 half', '2', '?'] },
    ])
  })

  it('is a table where it is rows, of a text or of its structure, which is not told twice', () => {
    const files: Json = [{ name: 'a.csv', size: 3 }, { name: 'b.csv' }]
    const rows = {
      columns: ['name', 'size'],
      cells: [
        ['a.csv', 3],
        ['b.csv', null],
      ],
    }
    const text = { type: 'text', text: JSON.stringify(files) }
    expect(toolParts({ content: [text] })).toEqual([{ kind: 'table', rows, as: { text: text.text } }])
    const structured: Json = { files, total: 2 }
    const twice = { type: 'text', text: JSON.stringify(structured) }
    expect(toolParts({ content: [twice], structured })).toEqual([{ kind: 'table', rows, as: { value: structured } }])
    const others: Json[] = [
      [],
      [1],
      [{ a: { b: 1 } }],
      { a: [{ x: 1 }], b: [{ y: 1 }] },
      { deep: { a: 1 }, b: [{ x: 1 }] },
    ]
    for (const none of others) {
      expect(toolParts({ content: [], structured: none })).toEqual([{ kind: 'json', value: none }])
    }
  })

  it('[R403] is a table with its numbers as they are written', () => {
    const text = { type: 'text', text: '[{"price":3.10,"id":1234567890123456789}]' }
    expect(toolParts({ content: [text] })).toMatchObject([{ rows: { cells: [['3.10', '1234567890123456789']] } }])
  })

  it('is told once where its structure is only its text again', () => {
    const text = { type: 'text', text: '[DIR] prices' }
    expect(toolParts({ content: [text], structured: { content: '[DIR] prices' } })).toEqual([
      { kind: 'text', text: '[DIR] prices' },
    ])
    expect(toolParts({ content: [text], structured: { count: 1 } })).toHaveLength(2)
  })

  it('is played where it is a sound that browsers know', () => {
    const sound = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }
    expect(toolParts({ content: [sound] })).toEqual([{ kind: 'audio', data: 'AAAA', mime: 'audio/wav' }])
    expect(toolParts({ content: [{ ...sound, mimeType: 'audio/x-unknown' }] })[0]?.kind).toBe('other')
  })

  it('is JSON when it has no shape that we know', () => {
    expect(toolParts({ tools: [] })).toEqual([{ kind: 'json', value: { tools: [] } }])
    expect(toolParts({ content: [7, { type: 'hologram' }] }).map((part) => part.kind)).toEqual(['json', 'json'])
    expect(toolParts('cut text…')).toEqual([{ kind: 'text', text: 'cut text…' }])
    expect(toolParts(null)).toEqual([])
  })
})

describe('the prompt of a tool step', () => {
  const [first, own] = ['first', 'own'].map((id) => asId<StepId>(id)) as [StepId, StepId]
  const tool = { type: 'tool', calls: [], boundTo: own } as const

  it('is that of the step whose model wrote the call, also when it wrote several', () => {
    expect(writerOf({ ...tool, calls: [] })).toBe(own)
    expect(writerOf({ ...tool, calls: [], batch: first })).toBe(first)
    expect(writerOf({ ...tool, calls: [], type: 'skill' })).toBeNull()
  })
})

describe('what a step cost', () => {
  const call = (change: Partial<ModelCall>): ModelCall => ({
    id: 'c',
    attempt: 1,
    model: 'm',
    modelVersion: null,
    prompt: { sha: '', bytes: 0 },
    answer: null,
    outcome: 'taken',
    error: null,
    promptTokens: 10,
    completionTokens: 2,
    estimated: false,
    costUsd: 0.5,
    firstTokenMs: 40,
    totalMs: 100,
    at: 0,
    ...change,
  })
  it('adds up over its calls', () => {
    expect(costsOf([call({}), call({ firstTokenMs: 60, estimated: true })])).toEqual({
      calls: 2,
      promptTokens: 20,
      completionTokens: 4,
      cachedTokens: null,
      reasoningTokens: null,
      tokens: 24,
      isEstimated: true,
      costUsd: 1,
      firstTokenMs: 60,
      totalMs: 200,
      waitedMs: 0,
    })
  })
  it('says how much of both came from a cache and went into reasoning', () => {
    const one = call({ cachedTokens: 8, reasoningTokens: 1 })
    expect(costsOf([one, one])).toMatchObject({ cachedTokens: 16, reasoningTokens: 2 })
    expect(costsOf([one, call({})])).toMatchObject({ cachedTokens: 8, reasoningTokens: 1 })
  })
  it('counts what is known, as the tree does, and is unknown when no call knows', () => {
    const failed = call({ promptTokens: null, completionTokens: null, costUsd: null })
    expect(costsOf([call({}), failed])).toMatchObject({ promptTokens: 10, tokens: 12, costUsd: 0.5 })
    expect(costsOf([failed, failed])).toMatchObject({ promptTokens: null, tokens: null, costUsd: null })
    expect(costsOf([]).totalMs).toBeNull()
  })
})

describe('why a model was called again', () => {
  const called = (id: string, outcome: ModelCall['outcome'], error: string | null): ModelCall =>
    ({ id, outcome, error }) as ModelCall

  it('is what was wrong with the answer before, or what that answer asked for', () => {
    const first = called('1', 'repaired', 'asked to see items 2 whole')
    const second = called('2', 'repaired', 'the goal is missing')
    const third = called('3', 'taken', null)
    const step = { calls: [first, second, third] }
    expect(step.calls.map((call) => reasonBefore(step, call))).toEqual([
      null,
      'asked to see items 2 whole',
      'the goal is missing',
    ])
  })

  it('is told of an answer that was cut off, and not of a call that failed', () => {
    const first = called('1', 'cut', 'the answer is too long')
    const second = called('2', 'failed', 'no connection')
    const third = called('3', 'taken', null)
    const step = { calls: [first, second, third] }
    expect(step.calls.map((call) => reasonBefore(step, call))).toEqual([null, 'the answer is too long', null])
  })
})
