/** Results of servers that are not quite as the protocol has them: what can be read arrives, and the rest is named. */
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '@/lib/mas/records'
import { mangled } from '@/test/mangled'
import { type RawAnswer, rawServer } from '@/test/rawServer'
import { testPools, tool, toolResultOf } from '@/test/toolPools'
import type { ToolResult } from '../types'
import { unreadInWords } from './unread'

const pools = testPools()
afterEach(pools.closeAll)

const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const TOOLS = [
  { name: 'plain', inputSchema: { type: 'object' } },
  { name: 'announced', inputSchema: { type: 'object' }, outputSchema },
]

const poolOf = (answer: (id: number) => RawAnswer) =>
  pools.open([
    rawServer(({ id, method }) => {
      if (method === 'tools/list') return { result: { tools: TOOLS } }
      return method === 'initialize' ? undefined : answer(id)
    }),
  ])

/** The result of a tool whose server answers with this. */
async function resultOf(result: unknown, name = 'plain'): Promise<ToolResult> {
  return toolResultOf(await poolOf(() => ({ result })).call('raw', tool(name), {}))
}
const wordsOf = ({ unread = [] }: ToolResult): string[] => unread.map((one) => unreadInWords('en', one))
const text = (said: string) => ({ type: 'text', text: said })

describe('[R398] a result with an odd part', () => {
  test.each<[string, unknown, unknown[], string[]]>([
    [
      'a text that is null',
      { content: [text('kept'), { type: 'text', text: null }] },
      [text('kept')],
      ['content[1].text is null'],
    ],
    ['a text that is missing', { content: [{ type: 'text' }] }, [], ['content[0].text is missing']],
    ['a text that is a number', { content: [{ type: 'text', text: 7 }] }, [text('7')], []],
    ['a part that is a text', { content: ['a', 'b'] }, [text('a'), text('b')], []],
    ['a part without a kind', { content: [{ text: 'a' }] }, [text('a')], []],
    ['a content that is a text', { content: 'just a text' }, [text('just a text')], []],
    ['a content that is one part', { content: text('a') }, [text('a')], []],
    ['a content that is null', { content: null }, [], ['content is null']],
    ['no content', {}, [], ['content is missing']],
    ['a result that is a text', 'just a text', [text('just a text')], []],
    ['a result that is a number', 42, [text('42')], []],
    ['a part that is a number', { content: ['a', 7, false] }, [text('a'), text('7'), text('false')], []],
    ['a result that is a list', [text('a')], [text('a')], []],
    ['a result that is null', null, [], ['content is null']],
    [
      'a date without a time',
      { content: [{ ...text('kept'), annotations: { lastModified: '2025-01-12' } }] },
      [{ ...text('kept'), annotations: { lastModified: '2025-01-12' } }],
      [],
    ],
    [
      'an audience that is a text',
      { content: [{ ...text('kept'), annotations: { audience: 'user', priority: 2 } }] },
      [{ ...text('kept'), annotations: { audience: ['user'] } }],
      ['content[0].annotations.priority is a number, which cannot be used there'],
    ],
    ['annotations that are null', { content: [{ ...text('kept'), annotations: null }] }, [text('kept')], []],
    [
      'an image without its type',
      { content: [{ type: 'image', data: 'iVBORw0KGgo=' }] },
      [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }],
      ['the type of content[0] is missing; it is taken as image/png'],
    ],
    [
      'an image as an address of its data',
      { content: [{ type: 'image', data: 'data:image/gif;base64,AAAA' }] },
      [{ type: 'image', data: 'AAAA', mimeType: 'image/gif' }],
      [],
    ],
    [
      'an image without data',
      { content: [{ type: 'image', mimeType: 'image/png', data: null }] },
      [],
      ['content[0].data is missing'],
    ],
    [
      'a link without a name',
      { content: [{ type: 'resource_link', uri: 'https://example.invalid/x' }] },
      [{ type: 'resource_link', uri: 'https://example.invalid/x', name: 'https://example.invalid/x' }],
      [],
    ],
    [
      'a resource without its address',
      { content: [{ type: 'resource', resource: { text: 'a' } }] },
      [{ type: 'resource', uri: '', text: 'a' }],
      ['content[0].resource.uri is missing'],
    ],
    [
      'a part of an unknown kind',
      { content: [text('before'), { type: 'tool_use', id: 'x', input: {} }] },
      [text('before'), text('{"type":"tool_use","id":"x","input":{}}')],
      ['content[1] is of the unknown kind tool_use; it is given as its JSON'],
    ],
    [
      'bytes of an unknown kind',
      { content: [{ type: 'video', mimeType: 'video/mp4', data: 'AAAA' }] },
      [{ type: 'resource', uri: '', mimeType: 'video/mp4', blob: 'AAAA' }],
      ['content[0] is of the unknown kind video; it is given as its JSON'],
    ],
    ['a structure that is null', { content: [text('x')], structuredContent: null }, [text('x')], []],
  ])('such as %s: what can be read arrives', async (_what, result, content, words) => {
    const read = await resultOf(result)
    expect(JSON.parse(JSON.stringify(read.content))).toEqual(content)
    expect(wordsOf(read)).toEqual(words)
    expect(read.isError).toBe(false)
  })

  test('a structure that is a list or a plain value arrives as it is', async () => {
    expect(await resultOf({ structuredContent: [1, 2] })).toMatchObject({ structured: [1, 2] })
    expect(await resultOf({ structuredContent: 7 })).toMatchObject({ structured: 7 })
    expect(await resultOf({ temperature: 21 })).toMatchObject({ structured: { temperature: 21 } })
  })

  test('an announced structure that is missing, null or another one is said, and the text arrives', async () => {
    for (const structuredContent of [undefined, null]) {
      const read = await resultOf({ content: [text('{"n":1}')], structuredContent }, 'announced')
      expect([read.content, wordsOf(read)]).toEqual([
        [text('{"n":1}')],
        ['structuredContent, which the tool announces, is missing'],
      ])
    }
    expect(wordsOf(await resultOf({ structuredContent: { n: '1' } }, 'announced'))).toEqual([
      'structuredContent does not match what the tool announces: n must be a number, not a string',
    ])
    expect(wordsOf(await resultOf({ structuredContent: { n: 1 } }, 'announced'))).toEqual([])
    expect(wordsOf(await resultOf({ isError: true, content: [text('it failed')] }, 'announced'))).toEqual([])
  })

  test('resources and prompts are read in the same way', async () => {
    const pool = poolOf(() => ({
      result: {
        contents: [{ text: 'a' }, 'b', null],
        messages: ['x', { role: 'odd', content: [text('y'), { type: 'text' }] }],
      },
    }))
    const resource = toolResultOf(await pool.call('raw', { kind: 'resource', name: 'n://1', arguments: {} }, {}))
    expect(resource.content).toMatchObject([{ type: 'resource', uri: '', text: 'a' }, text('b')])
    expect(wordsOf(resource)).toEqual(['contents[0].uri is missing', 'contents[2] is null'])
  })

  const shapes: Json[] = [
    {
      content: [{ type: 'text', text: 'a', annotations: { audience: ['user'], priority: 1 } }],
      structuredContent: { a: 1 },
    },
    { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], isError: false, _meta: {} },
    {
      content: [
        { type: 'resource', resource: { uri: 'n://1', text: 'x' } },
        { type: 'resource_link', uri: 'n://2', name: 'b' },
      ],
    },
  ]
  test('whatever is mangled beside it, a good text arrives', { timeout: 300_000 }, async () => {
    const odd = fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.array(fc.nat(9), { maxLength: 4 }),
        fc.nat(2),
        odd,
        async (which, path, how, by) => {
          const part = mangled(shapes[which] ?? null, path, how, by)
          const read = await resultOf({ content: [part, text('kept')] })
          expect(JSON.stringify(read.content)).toContain('kept')
          if (read.content.length < 2) expect(wordsOf(read)).not.toEqual([])
        },
      ),
      { numRuns: process.env.CONVENE_ALL === '1' ? 5_000 : 200 },
    )
  })
})

describe('[R399] an answer that is not quite JSON-RPC', () => {
  const good = '"result":{"content":[{"type":"text","text":"hello"}]}'
  test.each<[string, (id: number) => string]>([
    ['with an error that is null', (id) => `{"jsonrpc":"2.0","id":${id},${good},"error":null}`],
    ['with fields of its own', (id) => `{"jsonrpc":"2.0","id":${id},${good},"time":7}`],
    ['without a version', (id) => `{"id":${id},${good}}`],
    ['with its id as a text', (id) => `{"jsonrpc":"2.0","id":"${id}",${good}}`],
    ['behind a byte order mark', (id) => `\uFEFF{"jsonrpc":"2.0","id":${id},${good}}\r`],
    ['behind terminal codes', (id) => `\u001b[2K\u001b[1;32m{"jsonrpc":"2.0","id":${id},${good}}`],
    [
      'in a batch',
      (id) =>
        `[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}},{"jsonrpc":"2.0","id":${id},${good}}]`,
    ],
    [
      'with an odd _meta',
      (id) => `{"jsonrpc":"2.0","id":${id},"result":{"_meta":null,"content":[{"type":"text","text":"hello"}]}}`,
    ],
  ])('%s is read', async (_how, raw) => {
    const result = toolResultOf(await poolOf((id) => ({ raw: raw(id) })).call('raw', tool('plain'), {}))
    expect(result).toEqual({ isError: false, content: [text('hello')] })
  })

  test.each<[string, string]>([
    ['{"code":"500","message":null,"data":"odd"}', 'odd'],
    ['{"code":"ENOENT","message":"no such file"}', 'ENOENT: no such file'],
    ['{"message":"no code"}', 'no code'],
    ['"a text"', 'a text'],
    ['{}', 'it gave no reason'],
    ['[1]', '[1]'],
    ['{"code":-32000,"message":"the disk is full"}', 'the disk is full'],
    ['{"code":-32001,"message":"too slow for me"}', 'too slow for me'],
    ['{"code":1.5,"message":"a fraction","data":null}', '1.5: a fraction'],
  ])('the error %s is one that the agent reads', async (error, words) => {
    const pool = poolOf((id) => ({ raw: `{"jsonrpc":"2.0","id":${id},"error":${error}}` }))
    expect(toolResultOf(await pool.call('raw', tool('plain'), {}))).toEqual({ isError: true, content: [text(words)] })
  })
})

describe('[R400] a number that parsing would change', () => {
  test('arrives with its digits, as a text, and is said', async () => {
    const pool = poolOf((id) => ({
      raw: `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"{\\"id\\": 1234567890123456789}"}],"structuredContent":{"order_id":1234567890123456789,"price":3.10,"e":1e400}}}`,
    }))
    const result = toolResultOf(await pool.call('raw', tool('plain'), {}))
    expect(result.structured).toEqual({ order_id: '1234567890123456789', price: 3.1, e: '1e400' })
    expect(result.content).toEqual([text('{"id": 1234567890123456789}')])
    expect(wordsOf(result)).toEqual([
      'result: the number 1234567890123456789 has more digits than are kept, so it is given as a text',
      'result: the number 1e400 has more digits than are kept, so it is given as a text',
    ])
  })

  test('more of them than can be kept is a fault in words', async () => {
    const pool = poolOf((id) => ({
      raw: `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":[${'1234567890123456789,'.repeat(10_001)}1]}}`,
    }))
    expect(await pool.call('raw', tool('plain'), {})).toMatchObject({
      ok: false,
      code: 'TOOL_TRANSPORT',
      message: expect.stringContaining('more than 10,000 numbers of more digits than are kept'),
    })
  })
})
