/** How a call of a tool is said on one line. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '../bodies'
import type { Json, ToolInstruction } from '../records'
import { aboutOf, aboutOfJson, addressesOf, callInWords } from './callWords'

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
    expect(callInWords(call(name, args), 'en')).toBe(words)
  })

  it.each<[name: string, args: Json, words: string]>([
    ['search_files', { pattern: '*.csv', path: 'prices' }, '搜索 prices'],
    ['list_directory', { path: '价格' }, '列出 价格'],
    ['get_file_info', { path: 'a.csv' }, 'get info a.csv'],
    ['createTicket', { title: 'Pear prices' }, 'create ticket Pear prices'],
    ['list_allowed_directories', {}, 'list allowed directories'],
  ])('[R212] %s %j of a Chinese team is “%s”', (name, args, words) => {
    expect(callInWords(call(name, args), 'zh')).toBe(words)
  })

  it('names a resource or prompt as its server does', () => {
    expect(callInWords(call('file:///prices/read_me', {}, 'resource'), 'en')).toBe('file:///prices/read_me')
  })

  it('reads what stands whole in the beginning of long arguments', () => {
    const long = call('write_file', { path: 'prices/"b".md', content: 'x'.repeat(5_000) })
    expect(long.arguments.preview.length).toBeLessThan(500)
    expect(callInWords(long, 'en')).toBe('write prices/"b".md')
  })

  it('is none where nothing is called', () => {
    expect(callInWords({ kind: 'get_description' }, 'en')).toBeNull()
    expect(callInWords({ kind: 'none', reason: 'done' }, 'en')).toBeNull()
  })
})

it('what a call is about is the argument that tells most, cut to one short line', () => {
  expect(aboutOf({ content: 'x', path: 'a.md' })).toBe('a.md')
  expect(aboutOf({ note: 'y'.repeat(200) })).toHaveLength(80)
  expect(aboutOf({ n: 1 })).toBe('')
})

it('what a call is about is a text that says something, on one line without spaces around it', () => {
  expect(aboutOf({ n: 1, note: 'x' })).toBe('x')
  expect(aboutOf({ path: '', note: 'x' })).toBe('x')
  expect(aboutOf({ path: '  a\n b.md ' })).toBe('a b.md')
  expect(aboutOf({ paths: ['a', 'b'] })).toBe('a, b')
  expect(aboutOf({ paths: ['a', 1] })).toBe('')
  expect(aboutOf({ first: 'x', second: 'y' })).toBe('x')
})

it('nothing is read out of arguments that are no object', () => {
  for (const json of ['null', '5', '"path"', '["path"]', 'nonsense', '']) expect(aboutOfJson(json), json).toBe('')
  expect(aboutOfJson('{"path":"a.md","content":"cut o')).toBe('a.md')
})

describe('the addresses of a call', () => {
  it('are its files, folders and pages, each text of a list, and nothing of what it asks', () => {
    expect(addressesOf(call('read', { path: 'a.md', URL: 'https://b.example', query: 'c' }))).toEqual([
      'a.md',
      'https://b.example',
    ])
    expect(addressesOf(call('read', { paths: ['a.md', 1, 'b.md'] }))).toEqual(['a.md', 'b.md'])
    expect(addressesOf(call('add', { path: 1 }))).toEqual([])
  })

  it('are the name of a resource, and none where nothing is called', () => {
    expect(addressesOf(call('file:///a.md', { path: 'b.md' }, 'resource'))).toEqual(['file:///a.md'])
    expect(addressesOf({ kind: 'get_description' })).toEqual([])
    expect(addressesOf(null)).toEqual([])
  })
})
