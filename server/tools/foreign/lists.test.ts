/** Lists of servers that are not quite as the protocol has them: what is good is there, and the rest is named. */
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '@/lib/mas/records'
import { mangled } from '@/test/mangled'
import { type RawAnswer, rawServer, WELCOME } from '@/test/rawServer'
import { faultOf, resultText, testPools, tool } from '@/test/toolPools'
import type { ServerDescription, ToolPoolOptions } from '../types'
import { unreadInWords } from './unread'

const pools = testPools()
afterEach(pools.closeAll)

const GOOD = { name: 'good', description: 'Says hello.', inputSchema: { type: 'object', properties: {} } }
const hello = { content: [{ type: 'text', text: 'hello' }] }

type Lists = Record<string, RawAnswer | ((cursor: string | undefined) => RawAnswer)>

/** A server with these lists, by method; its capabilities are those of the lists. */
function opened(lists: Lists, options: Partial<ToolPoolOptions> = {}) {
  const offers = {
    tools: {},
    ...('resources/list' in lists ? { resources: {} } : {}),
    ...('prompts/list' in lists ? { prompts: {} } : {}),
  }
  const server = rawServer(({ method, params }) => {
    if (method === 'initialize') return { result: { ...WELCOME, capabilities: offers } }
    if (method === 'tools/call') return { result: hello }
    const list = lists[method]
    return typeof list === 'function' ? list(params.cursor) : list
  })
  return pools.open([server], options)
}

async function offerOf(lists: Lists, options: Partial<ToolPoolOptions> = {}): Promise<ServerDescription> {
  const described = await opened(lists, options).describe('raw')
  if (!described.ok) throw new Error(described.message)
  return described.description
}

const toolsOf = async (tools: unknown) => {
  const { tools: read, unread } = await offerOf({ 'tools/list': { result: { tools } } })
  return { names: read.map(({ name }) => name), words: unread.map((one) => unreadInWords('en', one)), read }
}

describe('[R395] one odd item of a list', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a description that is null', { description: null }, []],
    [
      'a description that is a list',
      { description: ['a'] },
      ['tools[1] (bad).description is a list, which cannot be used there'],
    ],
    ['a title that is null', { title: null, annotations: null }, []],
    [
      'annotations that are a text',
      { annotations: 'x' },
      ['tools[1] (bad).annotations is a text, which cannot be used there'],
    ],
    ['a schema without a type', { inputSchema: {} }, []],
    ['a schema that is null', { inputSchema: null }, ['tools[1] (bad).inputSchema is null']],
    ['no schema', { inputSchema: undefined }, ['tools[1] (bad).inputSchema is missing']],
    [
      'a schema that is true',
      { inputSchema: true },
      ['tools[1] (bad).inputSchema is a boolean, which cannot be used there'],
    ],
    ['properties that are null', { inputSchema: { type: 'object', properties: null, required: null } }, []],
    ['a property that is true', { inputSchema: { type: 'object', properties: { any: true } } }, []],
    [
      'a property that is null',
      { inputSchema: { properties: { any: null } } },
      ['tools[1] (bad).inputSchema.properties.any is null'],
    ],
    [
      'a schema of another type',
      { inputSchema: { type: 'string' } },
      ['tools[1] (bad).inputSchema.type is a string, which cannot be used there'],
    ],
    ['an output schema of a list', { outputSchema: { type: 'array', items: { type: 'string' } } }, []],
    [
      'an output schema that is a list',
      { outputSchema: [] },
      ['tools[1] (bad).outputSchema is a list, which cannot be used there'],
    ],
    [
      'a hint that is a text',
      { annotations: { readOnlyHint: 'true' } },
      ['tools[1] (bad).annotations.readOnlyHint is a text, which cannot be used there'],
    ],
  ])('with %s is listed and runs, and so does the good one', async (_what, odd, words) => {
    const bad = { name: 'bad', inputSchema: { type: 'object' }, ...odd }
    const pool = opened({ 'tools/list': { result: { tools: [GOOD, bad] } } })
    const described = await pool.describe('raw')
    if (!described.ok) throw new Error(described.message)
    const { tools, unread } = described.description
    expect(tools.map(({ name }) => name)).toEqual(['good', 'bad'])
    expect(unread.map((one) => unreadInWords('en', one))).toEqual(words)
    for (const name of ['good', 'bad']) expect(resultText(await pool.call('raw', tool(name), {}))).toBe('hello')
    expect(tools[1]?.readOnly).toBe(false)
  })

  test.each<[unknown, string]>([
    [{ ...GOOD, name: '' }, 'tools[1] has no usable name ("") and is left out'],
    [{ ...GOOD, name: null }, 'tools[1] has no usable name (null) and is left out'],
    [{ ...GOOD, name: 'a\nb' }, 'tools[1] has no usable name ("a\\nb") and is left out'],
    [{ ...GOOD, name: 'x'.repeat(300) }, `tools[1] has no usable name ("${'x'.repeat(40)}") and is left out`],
    [{ ...GOOD, description: 'Another.' }, 'tools[1] has the same name as one before it, good, which counts'],
    [null, 'tools[1] is null'],
    ['good', 'tools[1] is a text, which cannot be used there'],
  ])('%j is left out, and said', async (odd, words) => {
    const { names, words: said } = await toolsOf([GOOD, odd, { ...GOOD, name: '天气 查询' }])
    expect(names).toEqual(['good', '天气 查询'])
    expect(said).toEqual([words])
  })

  test('the same item twice is one, and nothing is said of it', async () => {
    expect(await toolsOf([GOOD, GOOD])).toMatchObject({ names: ['good'], words: [] })
  })

  test('in Chinese it is said in Chinese', async () => {
    const { unread } = await offerOf({ 'tools/list': { result: { tools: [{ ...GOOD, title: 7 }] } } })
    expect(unread.map((one) => unreadInWords('zh', one))).toEqual(['tools[0] (good).title 的类型不可用（数字）'])
  })

  test('resources and prompts are read in the same way', async () => {
    const offer = await offerOf({
      'tools/list': { result: { tools: null } },
      'resources/list': {
        result: { resources: [{ uri: 'n://1' }, { name: 'x' }, { uri: 'n://2', name: 'two', mimeType: 7 }] },
      },
      'resources/templates/list': { result: { resourceTemplates: 'none' } },
      'prompts/list': {
        result: {
          prompts: [
            { name: 'p', arguments: [{ name: 'a', required: 'yes' }, null] },
            { name: 'q', arguments: {} },
          ],
        },
      },
    })
    expect(offer.resources.map(({ name }) => name)).toEqual(['n://1', 'two'])
    expect(offer.prompts).toMatchObject([
      { name: 'p', arguments: [{ name: 'a', required: false }] },
      { name: 'q', arguments: [] },
    ])
    expect(offer.unread.map(({ at }) => at)).toEqual([
      'resources[1]',
      'resources[2] (n://2).mimeType',
      'resourceTemplates',
      'prompts[0] (p).arguments[1]',
      'prompts[1] (q).arguments',
    ])
  })

  const items: Json[] = [
    {
      name: 'bad',
      title: 't',
      description: 'd',
      inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    },
    { name: 'bad', annotations: { readOnlyHint: true, title: 't' }, outputSchema: { type: 'object' }, _meta: {} },
  ]
  const odd = fc.oneof(
    fc.constantFrom<Json[]>(null, true, -1, '', 'x', [], {}, '__proto__', [[]]),
    fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json),
  )
  test('whatever is mangled in one, the other is there, and a tool that is missing is named', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1),
        fc.array(fc.nat(9), { maxLength: 4 }),
        fc.nat(2),
        odd,
        fc.boolean(),
        async (which, path, how, by, isFirst) => {
          const bad = mangled(items[which] ?? null, path, how, by)
          const { names, words } = await toolsOf(isFirst ? [bad, GOOD] : [GOOD, bad])
          expect(names).toContain('good')
          if (names.length < 2 && JSON.stringify(bad) !== JSON.stringify(GOOD)) expect(words).not.toEqual([])
        },
      ),
      { numRuns: process.env.CONVENE_ALL === '1' ? 5_000 : 200 },
    )
  })
})

describe('[R396] the paging of a list ends', () => {
  const page = (names: string[], nextCursor?: unknown) => ({
    result: { tools: names.map((name) => ({ ...GOOD, name })), ...(nextCursor === undefined ? {} : { nextCursor }) },
  })
  const paged = async (list: (cursor: string | undefined) => RawAnswer, options: Partial<ToolPoolOptions> = {}) => {
    const { tools, unread } = await offerOf({ 'tools/list': list }, options)
    return { names: tools.map(({ name }) => name), words: unread.map((one) => unreadInWords('en', one)) }
  }

  test('an empty cursor is followed, and one that is null, false or a number is understood', async () => {
    const twoPages = (next: unknown) => (cursor: string | undefined) =>
      cursor === undefined ? page(['a'], next) : page(['b'], null)
    expect(await paged(twoPages(''))).toEqual({ names: ['a', 'b'], words: [] })
    expect(await paged(twoPages(2))).toEqual({ names: ['a', 'b'], words: [] })
    expect(await paged(twoPages(false))).toEqual({ names: ['a'], words: [] })
    expect(await paged(twoPages({ at: 2 }))).toEqual({
      names: ['a'],
      words: ['tools: nextCursor is an object, which cannot be used there'],
    })
  })

  test('a cursor that comes again ends the list, in whatever circle', async () => {
    const circle = (cursor: string | undefined) => (cursor === 'x' ? page(['b'], 'y') : page(['a'], 'x'))
    expect(await paged(circle)).toEqual({
      names: ['a', 'b'],
      words: ['the pages of tools do not end: the server named the page “x” twice'],
    })
    expect((await paged(() => page(['a'], ''))).names).toEqual(['a'])
  })

  test('an endless list is read to its 100th page, which is said', async () => {
    const endless = (cursor = '0') => page([`t${cursor}`], String(Number(cursor) + 1))
    const { names, words } = await paged(endless)
    expect([names.length, words]).toEqual([100, ['only the first 100 pages of tools are read']])
  })

  test.each<[string, RawAnswer, string]>([
    [
      'fails',
      { raw: '{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"the disk is full"}}' },
      'could not be read: the disk is full',
    ],
    ['hangs', { raw: null }, 'did not come within 300 ms'],
  ])('a page that %s loses nothing that came before it', async (_how, answer, words) => {
    const server = rawServer(({ id, method, params }) => {
      if (method !== 'tools/list') return undefined
      if (params.cursor === undefined) return page(['a'], 'next')
      return answer !== undefined && 'raw' in answer ? { raw: answer.raw?.replace('ID', String(id)) ?? null } : answer
    })
    const described = await pools.open([server], { connectTimeLimitMs: 300 }).describe('raw')
    if (!described.ok) throw new Error(described.message)
    expect(described.description.tools.map(({ name }) => name)).toEqual(['a'])
    expect(described.description.unread.map((one) => unreadInWords('en', one))).toEqual([`tools, page 2, ${words}`])
  })

  test('a list that is an object of tools by name, or one tool alone, is read', async () => {
    expect((await toolsOf({ a: { inputSchema: {} }, b: {} })).names).toEqual(['a', 'b'])
    expect((await toolsOf(GOOD)).names).toEqual(['good'])
    const bare = await offerOf({ 'tools/list': { result: [GOOD] } })
    expect(bare.tools.map(({ name }) => name)).toEqual(['good'])
  })
})

describe('[R397] one list of a server', () => {
  const silent = { raw: null }
  const tools = { result: { tools: [GOOD] } }

  test('that hangs keeps nobody from the others, and is there once it comes', async () => {
    let come: (answer: RawAnswer) => void = () => {}
    const late = new Promise<RawAnswer>((resolve) => {
      come = resolve
    })
    const server = rawServer(({ method }) => {
      if (method === 'initialize') return { result: { ...WELCOME, capabilities: { tools: {}, resources: {} } } }
      return method === 'tools/list' ? tools : method === 'resources/list' ? late : undefined
    })
    const pool = pools.open([server], { connectTimeLimitMs: 60_000, graceMs: 5 })
    const offer = async () => {
      const described = await pool.describe('raw')
      if (!described.ok) throw new Error(described.message)
      const { tools, resources, unread } = described.description
      return [tools.length, resources.length, unread.map((one) => unreadInWords('en', one))]
    }
    expect(await offer()).toEqual([1, 0, ['resources did not come within 5 ms']])
    come({ result: { resources: [{ uri: 'n://1' }] } })
    await vi.waitFor(async () => expect(await offer()).toEqual([1, 1, []]))
  })

  test('that fails leaves the others, and a call for what it may hold says why', async () => {
    const pool = opened(
      { 'tools/list': silent, 'prompts/list': { result: { prompts: [{ name: 'p' }] } } },
      { connectTimeLimitMs: 200 },
    )
    const described = await pool.describe('raw')
    if (!described.ok) throw new Error(described.message)
    expect(described.description.prompts).toHaveLength(1)
    expect(faultOf(await pool.call('raw', tool('good'), {})).message).toBe(
      'raw has no tool "good" (it has no tools; tools could not be read: it did not answer within 200 ms)',
    )
  })

  test('that is all it has is a fault, and is asked for again by the next caller', async () => {
    let isBroken = true
    const pool = opened({ 'tools/list': () => (isBroken ? { result: undefined } : tools) })
    expect((await pool.describe('raw')).ok).toBe(false)
    isBroken = false
    expect((await pool.describe('raw')).ok).toBe(true)
  })

  test.each<[string, unknown]>([
    ['null', { tools: {}, resources: null, prompts: null }],
    ['no object', []],
    ['missing', undefined],
  ])('is asked for where the announcement is %s', async (_how, capabilities) => {
    const welcome = { protocolVersion: '2025-06-18', capabilities, serverInfo: null, instructions: null }
    const server = rawServer(({ method }) =>
      method === 'initialize' ? { result: welcome } : method === 'tools/list' ? tools : undefined,
    )
    const described = await pools.open([server]).describe('raw')
    expect(described).toMatchObject({ ok: true, description: { tools: [{ name: 'good' }], unread: [] } })
  })
})
