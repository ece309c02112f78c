/** How a call of a tool is said on one line. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '../bodies'
import type { Json, ToolInstruction } from '../records'
import { aboutOf, callInWords } from './callWords'

const call = (
  name: string,
  args: Json,
  target: 'tool' | 'resource' | 'prompt' = 'tool',
): Extract<ToolInstruction, { kind: 'call' }> => ({
  kind: 'call',
  target,
  name,
  arguments: bodyOf(JSON.stringify(args), 'application/json').ref,
})

describe('a call in words', () => {
  it.each<[name: string, args: Json, words: string]>([
    ['read_text_file', { path: 'prices/north.csv' }, 'read prices/north.csv'],
    ['write_file', { content: 'north holds', path: 'prices/report.md' }, 'write prices/report.md'],
    ['list_directory', { path: 'prices' }, 'list prices'],
    ['read_multiple_files', { paths: ['a.csv', 'b.csv'] }, 'read a.csv, b.csv'],
    ['search_files', { pattern: '*.csv', path: 'prices' }, 'search prices'],
    ['createTicket', { title: 'Pear  prices\nare wrong', body: 'x' }, 'create ticket Pear prices are wrong'],
    ['get-weather', { city: 'Bern' }, 'get weather Bern'],
    ['now', {}, 'now'],
    ['add', { a: 1, b: 2 }, 'add'],
    ['odd', [1], 'odd'],
  ])('%s %j is “%s”', (name, args, words) => {
    expect(callInWords(call(name, args))).toBe(words)
  })

  it('names a resource or prompt as its server does', () => {
    expect(callInWords(call('file:///prices/read_me', {}, 'resource'))).toBe('file:///prices/read_me')
  })

  it('reads what stands whole in the beginning of long arguments', () => {
    const long = call('write_file', { path: 'prices/"b".md', content: 'x'.repeat(5_000) })
    expect(long.arguments.preview.length).toBeLessThan(500)
    expect(callInWords(long)).toBe('write prices/"b".md')
  })

  it('is none where nothing is called', () => {
    expect(callInWords({ kind: 'get_description' })).toBeNull()
    expect(callInWords({ kind: 'none', reason: 'done' })).toBeNull()
  })
})

it('what a call is about is the argument that tells most, cut to one short line', () => {
  expect(aboutOf({ content: 'x', path: 'a.md' })).toBe('a.md')
  expect(aboutOf({ note: 'y'.repeat(200) })).toHaveLength(80)
  expect(aboutOf({ n: 1 })).toBe('')
})
