import { describe, expect, test } from 'vitest'
import { paintTool } from '@/test/toolPools'
import type { ServerDescription } from '../types'
import { abilitiesList } from './abilitiesList'

describe('the short list', () => {
  const listOf = (inputSchema: Record<string, unknown>, description?: string) => {
    const tool = { ...paintTool(inputSchema), description }
    const server: ServerDescription = {
      server: 's',
      guide: '',
      capabilities: [],
      tools: [tool],
      resources: [],
      prompts: [],
      unread: [],
    }
    return abilitiesList(server)
  }

  test('types are short, references are followed, and a type that holds itself ends', () => {
    expect(
      listOf({
        properties: {
          any: {},
          map: { type: 'object' },
          both: { type: ['string', 'null'] },
          many: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          node: { $ref: '#/$defs/node' },
        },
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      }),
    ).toBe('paint(any?: any, map?: object, both?: string | null, many?: (string | integer)[], node?: {next?: any})')
  })

  test.each([
    ['Paint a wall. It dries fast.', 'Paint a wall'],
    ['Paint, e.g. a wall. Then wait.', 'Paint, e.g. a wall'],
    ['Paint v1.2 of it', 'Paint v1.2 of it'],
    ['画墙。然后等。', '画墙。'],
    ['Paint\n\n  over\tlines! More.', 'Paint over lines!'],
    [`${'long '.repeat(50)}end.`, `${'long '.repeat(50).slice(0, 159)}…`],
  ])('%j is told as %j', (description, said) => {
    expect(listOf({}, description)).toBe(`paint(): ${said}`)
  })

  test.each([
    'Read a file. DEPRECATED: Use read_text_file instead.',
    'Deprecated: use draw.',
    '(deprecated since 2.0) Paint a wall.',
    'Paint a wall. This tool is deprecated.',
  ])('a tool of which its server says %j is left out', (description) => {
    expect(listOf({}, description)).toBe('')
  })

  test.each(['Find deprecated calls in a file', 'Deprecated packages, with what replaces them'])(
    'a tool that is about what is deprecated stays: %j',
    (description) => {
      expect(listOf({}, description)).toBe(`paint(): ${description}`)
    },
  )

  test('a tool without a description is its call alone; a server with nothing is empty', () => {
    expect(listOf({})).toBe('paint()')
    const nothing = { server: 's', guide: '', capabilities: [], tools: [], resources: [], prompts: [], unread: [] }
    expect(abilitiesList(nothing)).toBe('')
  })
})
