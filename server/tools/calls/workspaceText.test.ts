/** Workspace files in other encodings than UTF-8, as agents get them from a file server. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rowOf, workbook } from '@/test/documents'
import { unreadInWords } from '../foreign/unread'
import type { ToolResult } from '../types'
import { editsForeignText, withReadableTexts } from './workspaceText'

const root = mkdtempSync(join(tmpdir(), 'encodings-'))
const PRICES = Buffer.from('c6b7c3fb2cb5a5bcdb2ccafdc1bf0ac6bbb9fb2c332e32302c31300ac0e62c342e35302c350a', 'hex')
const TEXT = '品名,单价,数量\n苹果,3.20,10\n梨,4.50,5\n'
writeFileSync(join(root, 'gb.csv'), PRICES)
writeFileSync(join(root, 'wide.csv'), Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(TEXT, 'utf16le')]))
writeFileSync(join(root, 'plain.csv'), TEXT)
writeFileSync(join(root, 'odd.bin'), Buffer.of(0x81, 0x41, 0x83, 0x0a, 0x90, 0x01))

/** As a server that reads UTF-8 gives it. */
const said = (...texts: string[]): ToolResult => ({
  isError: false,
  content: texts.map((text) => ({ type: 'text', text })),
})
const textsOf = ({ content }: ToolResult) => content.map((part) => ('text' in part ? part.text : null))
const wordsOf = ({ unread = [] }: ToolResult) => unread.map((one) => unreadInWords('en', one))

describe('[R406] a workspace file that is not in UTF-8', () => {
  it('is read in its own encoding, which the agent is told', async () => {
    const result = await withReadableTexts(root, { path: 'gb.csv' }, said(PRICES.toString('utf8')))
    expect(textsOf(result)).toEqual([TEXT])
    expect(wordsOf(result)).toEqual([
      'gb.csv is in GB18030, and was read as that; what is written to it is saved in UTF-8',
    ])
    const wide = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(TEXT, 'utf16le')]).toString('utf8')
    expect(textsOf(await withReadableTexts(root, { path: 'wide.csv' }, said(wide)))).toEqual([TEXT])
  })

  it('is read so among several, and line by line', async () => {
    const garbled = PRICES.toString('utf8')
    const several = said(`gb.csv:\n${garbled}\n\n---\nplain.csv:\n${TEXT}`)
    expect(textsOf(await withReadableTexts(root, { paths: ['gb.csv', 'plain.csv'] }, several))).toEqual([
      `gb.csv:\n${TEXT}\n\n---\nplain.csv:\n${TEXT}`,
    ])
    const first = said(garbled.split('\n').slice(0, 2).join('\n'))
    expect(textsOf(await withReadableTexts(root, { path: 'gb.csv', head: 2 }, first))).toEqual([
      '品名,单价,数量\n苹果,3.20,10',
    ])
    const last = said(garbled.split('\n').slice(-2).join('\n'))
    expect(textsOf(await withReadableTexts(root, { path: 'gb.csv', tail: 2 }, last))).toEqual(['梨,4.50,5\n'])
  })

  it('that nobody can read is said, and so is any unreadable sign of another server', async () => {
    const odd = await withReadableTexts(root, { path: 'odd.bin' }, said('\uFFFDA\uFFFD'))
    expect(wordsOf(odd)).toEqual(['content[0] has signs that could not be read (U+FFFD): its source is not in UTF-8'])
    expect(wordsOf(await withReadableTexts(null, {}, said('fine', 'a\uFFFD')))).toEqual([
      'content[1] has signs that could not be read (U+FFFD): its source is not in UTF-8',
    ])
  })

  it('is never edited in place, which would damage it; a readable result is left as it is', async () => {
    expect(await editsForeignText(root, { path: 'gb.csv', edits: [] })).toContain(
      'gb.csv is in GB18030, and would be damaged',
    )
    expect(await editsForeignText(root, { path: 'plain.csv', edits: [] })).toBeNull()
    expect(await editsForeignText(root, { path: 'gb.csv', content: TEXT })).toBeNull()
    const plain = said(TEXT)
    expect(await withReadableTexts(root, { path: 'plain.csv' }, plain)).toBe(plain)
  })
})

describe('[R802] a document in the workspace', () => {
  const book = workbook({ Prices: rowOf(1, 'apple', '3.20') })
  writeFileSync(join(root, 'prices.xlsx'), book)
  it('is read by its text, which the agent is told', async () => {
    const result = await withReadableTexts(root, { path: 'prices.xlsx' }, said(book.toString('utf8')))
    expect(textsOf(result)).toEqual(['## Prices\napple,3.20'])
    expect(wordsOf(result)).toEqual(['prices.xlsx is XLSX: this is its text'])
  })

  it('is never edited as a text', async () => {
    expect(await editsForeignText(root, { path: 'prices.xlsx', edits: [] })).toContain('cannot be edited as a text')
  })
})
