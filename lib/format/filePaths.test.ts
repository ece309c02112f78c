import { describe, expect, it } from 'vitest'
import { pathOfLiteral, splitPaths } from './filePaths'

const pathsOf = (text: string) => splitPaths(text).flatMap(({ paths }) => paths.slice(-1))

describe('names of files in a text', () => {
  it('are paths and names with an ending, whatever stands around them', () => {
    expect(pathsOf('Check the report at prices/report.md, then (./a-b/c_d.csv) or "notes.txt".')).toEqual([
      'prices/report.md',
      'a-b/c_d.csv',
      'notes.txt',
    ])
    expect(pathsOf('报告写在prices/report.md里')).toEqual(['prices/report.md'])
    expect(pathsOf('wrote out/v1.2/data.tar.gz.')).toEqual(['out/v1.2/data.tar.gz'])
  })

  it('[R310] may be Chinese: the file is the longest end of the piece that is one, and the sentence is no part of it', () => {
    const named = (text: string) => splitPaths(text).flatMap(({ paths }) => (paths.length === 0 ? [] : [paths]))
    expect(named('请检查：报告.md。')).toEqual([['报告.md', '告.md']])
    expect(named('写到报告.md里')).toEqual([['写到报告.md', '到报告.md', '报告.md', '告.md']])
    expect(named('见 2月/价格表-新.csv')).toEqual([['2月/价格表-新.csv']])
    expect(named(`${'很'.repeat(80)}长的报告.md`)[0]).toHaveLength(20)
    expect(named('https://example.com/报告.md')).toEqual([])
  })

  it('are no addresses, numbers, hidden names or ways up', () => {
    for (const text of [
      'https://example.com/a.md',
      'ana@example.com',
      '3.14',
      'a/../b.md',
      '.env.local',
      'C:\\a.md',
      '~/a.md',
    ])
      expect([text, pathsOf(text)]).toEqual([text, []])
  })

  it('the pieces are the text, with at most 20 names', () => {
    const text = Array.from({ length: 25 }, (_, n) => `see f${n}.md`).join(' ')
    const pieces = splitPaths(text)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    expect(pathsOf(text)).toHaveLength(20)
    expect(splitPaths('')).toEqual([{ text: '', paths: [] }])
  })

  it('hostile texts are split quickly', () => {
    for (const text of [
      'a/'.repeat(50_000),
      'a.'.repeat(50_000),
      'a'.repeat(100_000),
      '-./'.repeat(30_000),
      '报'.repeat(100_000),
      '报/'.repeat(50_000),
    ]) {
      const began = performance.now()
      splitPaths(text)
      expect(performance.now() - began).toBeLessThan(1_000)
    }
  })
})

describe('a literal', () => {
  it('may name a file with any characters', () => {
    expect(['报告.md', './a b/c.csv', 'a'].map(pathOfLiteral)).toEqual(['报告.md', 'a b/c.csv', null])
    expect(['https://x.y/a.md', 'a\n.md', 'x => y.z?'].map(pathOfLiteral)).toEqual([null, null, null])
  })
})
