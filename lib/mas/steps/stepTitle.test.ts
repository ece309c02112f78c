import { expect, it } from 'vitest'
import { bodyOf } from '../bodies'
import { stepTitle } from './stepTitle'

const of = (intention: string, executor = 'think') =>
  stepTitle({ type: 'skill', instruction: null, intention, executor }, 'en')

it('[R212] the name of a step begins with a capital letter', () => {
  expect(of('get the data')).toBe('Get the data')
  expect(of('Get the data')).toBe('Get the data')
  expect(of('über die Preise nachdenken')).toBe('Über die Preise nachdenken')
  expect(of('')).toBe('Think')
  expect(of('读取文件')).toBe('读取文件')
})

it('[R212] a path, an id or the name of a tool at its beginning stays as it is', () => {
  for (const name of ['prices/north.csv again', 'report.md', 'read_text_file', 'iPhone prices', '3 files'])
    expect(of(name)).toBe(name)
  expect(of('', 'quick_think')).toBe('quick_think')
})

it('[R212] a call of a tool is named by what it does and what it is about', () => {
  const preview = bodyOf(JSON.stringify({ path: 'prices/north.csv' })).ref
  const instruction = { kind: 'call', target: 'tool', name: 'read_text_file', arguments: preview } as const
  const step = { type: 'tool', instruction, intention: 'look at it', executor: 'files' } as const
  expect(stepTitle(step, 'en')).toBe('Read prices/north.csv')
  expect(stepTitle(step, 'zh')).toBe('读取 prices/north.csv')
})
