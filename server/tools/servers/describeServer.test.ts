/** What a server offers beside plain tools: every kind of content, resources, prompts, annotations, a changing list. */
import { afterEach, describe, expect, test } from 'vitest'
import { faultOf, resultText, testPools, testServer, tool, toolResultOf } from '@/test/toolPools'
import type { ServerDescription, ToolPool } from '../types'
import { abilitiesList } from './abilitiesList'

const pools = testPools()
afterEach(pools.closeAll)

async function descriptionOf(pool: ToolPool, server: string): Promise<ServerDescription> {
  const described = await pool.describe(server)
  if (!described.ok) throw new Error(described.message)
  return described.description
}

describe('results', () => {
  test('every kind of content arrives as what it is', async () => {
    const { content, isError } = toolResultOf(
      await pools.open([testServer('rich')]).call('rich', tool('everything'), {}),
    )
    expect(isError).toBe(false)
    expect(content).toEqual([
      { type: 'text', text: 'a text' },
      { type: 'image', data: expect.stringMatching(/^iVBOR/), mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', uri: 'notes://1', mimeType: 'text/plain', text: 'a note' },
      { type: 'resource', uri: 'notes://2', blob: 'AAAA' },
      { type: 'resource_link', uri: 'notes://3', name: 'third', description: 'a link' },
    ])
  })

  test("a tool's own error is a result, with host paths relative", async () => {
    const pool = pools.open([testServer('rich', { root: '/srv/ws', env: { HOST_PATH: '/srv/ws/a/b.txt' } })])
    expect(toolResultOf(await pool.call('rich', tool('fails'), {}))).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'no such thing: a/b.txt' }],
    })
  })

  test('an error that the server answers with instead of a result is one for the agent too', async () => {
    const pool = pools.open([testServer('rich')])
    expect(toolResultOf(await pool.call('rich', tool('throws'), {}))).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'the archive is locked' }],
    })
  })

  test('arguments that only the server can refuse are a fault of the arguments', async () => {
    const pool = pools.open([testServer('rich')])
    expect(faultOf(await pool.call('rich', tool('refuses'), {}))).toEqual({
      ok: false,
      code: 'TOOL_ARGUMENTS',
      message: 'refuses: the day lies in the future',
    })
  })

  test('a tool whose schema cannot be read is callable; what it requires is still asked for', async () => {
    const pool = pools.open([testServer('rich')])
    expect(resultText(await pool.call('rich', tool('broken_schema', { a: 1 }), {}))).toBe('ran')
    expect(faultOf(await pool.call('rich', tool('broken_schema'), {})).message).toBe('broken_schema: a is missing')
  })
})

describe('resources and prompts', () => {
  test('a resource is read by its uri, its name, or a filled template', async () => {
    const pool = pools.open([testServer('rich')])
    const read = (name: string, args: Record<string, unknown>) =>
      pool.call('rich', { kind: 'resource', name, arguments: args }, {})
    const first = { type: 'resource', uri: 'notes://1', mimeType: 'text/plain', text: 'note at notes://1' }
    expect(toolResultOf(await read('first', { uri: 'notes://1' })).content).toEqual([first])
    expect(toolResultOf(await read('first', {})).content).toEqual([first])
    expect(toolResultOf(await read('by day', { uri: 'notes://monday' })).content).toMatchObject([
      { text: 'note at notes://monday' },
    ])
    expect(faultOf(await read('by day', {}))).toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: 'uri: fill in {day} of notes://{day}',
    })
    expect(faultOf(await read('firs', {}))).toMatchObject({
      code: 'TOOL_UNKNOWN',
      message: expect.stringContaining('rich has no resource "firs" (nearest: first'),
    })
  })

  test('a prompt takes texts and gives its messages in order', async () => {
    const pool = pools.open([testServer('rich')])
    const ask = (name: string, args: Record<string, unknown>) =>
      pool.call('rich', { kind: 'prompt', name, arguments: args }, {})
    expect(toolResultOf(await ask('summarise', { day: 'monday', words: 20 }))).toEqual({
      isError: false,
      content: [
        { type: 'text', text: 'Summarise monday in 20' },
        { type: 'text', text: 'Gladly.' },
      ],
      structured: { description: 'a summary', roles: ['user', 'assistant'] },
    })
    expect(faultOf(await ask('summarise', { words: { most: 20 } })).message).toBe(
      'summarise: day is missing; words must be a text',
    )
    expect(faultOf(await ask('sumarise', {})).message).toBe('rich has no prompt "sumarise" (nearest: summarise)')
  })

  test('a server without any says so', async () => {
    const pool = pools.open([testServer('hangs')])
    expect(faultOf(await pool.call('hangs', { kind: 'prompt', name: 'x', arguments: {} }, {})).message).toBe(
      'hangs has no prompt "x" (it has no prompts)',
    )
  })

  test('the short list names resources and prompts as such', async () => {
    const lines = abilitiesList(await descriptionOf(pools.open([testServer('rich')]), 'rich')).split('\n')
    expect(lines).toContain('everything(): Give every kind of content')
    expect(lines).toContain('resource first(uri: "notes://1"): text/plain. The first note')
    expect(lines).toContain('resource by day(uri: "notes://{day}")')
    expect(lines).toContain('prompt summarise(day, words?): Summarise a note')
  })
})

describe('the description', () => {
  test('all pages of the list are read', async () => {
    const { tools } = await descriptionOf(pools.open([testServer('rich')]), 'rich')
    expect(tools.length).toBeGreaterThan(10)
    expect(tools.map((info) => info.name)).toContain('refuses')
  })

  test('a person is asked unless the annotations say read-only or non-destructive; none at all means destructive', async () => {
    const { tools } = await descriptionOf(pools.open([testServer('rich')]), 'rich')
    const facts = (name: string) => {
      const info = tools.find((one) => one.name === name)
      return [info?.readOnly, info?.destructive, info?.idempotent, info?.openWorld, info?.confirm, info?.repeatable]
    }
    expect(facts('everything')).toEqual([false, true, false, true, true, false])
    expect(facts('destructive')).toEqual([false, true, false, true, true, false])
    expect(facts('additive')).toEqual([false, false, false, true, false, false])
    expect(facts('additive_idempotent')).toEqual([false, false, true, true, false, true])
    expect(facts('read_only')).toEqual([true, false, false, true, false, true])
  })

  test('it is asked for once, and again when the server says that it changed', async () => {
    const pool = pools.open([testServer('rich')])
    const before = await descriptionOf(pool, 'rich')
    expect(await descriptionOf(pool, 'rich')).toBe(before)
    expect(faultOf(await pool.call('rich', tool('grown'), {})).code).toBe('TOOL_UNKNOWN')
    await pool.call('rich', tool('grow'), {})
    expect(resultText(await pool.call('rich', tool('grown'), {}))).toBe('grown')
  })

  test('two servers of one name are refused', () => {
    expect(() => pools.open([testServer('rich'), testServer('rich')])).toThrow('two tool servers are called "rich"')
  })
})
