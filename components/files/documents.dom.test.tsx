/** Workbooks and text documents in Files. */
import { describe, expect, it } from 'vitest'
import type { FoundDocument } from '@/lib/wire'
import { openPage, screen } from '@/test/dom'
import { FileContent } from './FileContent'

const PATH = 'prices/list.xlsx'
const open = (found: FoundDocument) =>
  openPage(<FileContent path={PATH} version={undefined} bytes={900} isKept />, {
    prepare: (server) => server.answer('GET /api/files/document', found),
  })

describe('a document', () => {
  it('[R802] is a table for each sheet, chosen by name, and says what is left out', async () => {
    const { user, server } = await open({
      kind: 'sheets',
      sheets: [
        { name: 'Prices', rows: [['item'], ['apple']], left: 3 },
        { name: 'Notes', rows: [['only here']], left: 0 },
      ],
      left: 1,
    })
    const table = await screen.findByRole('table', { name: 'Prices' })
    expect(table.textContent).toBe('itemapple')
    expect(screen.getByText("3 more rows aren't shown. Download the file to see them.")).toBeTruthy()
    expect(screen.getByText("1 more sheet isn't shown. Download the file to see them.")).toBeTruthy()
    await user.click(screen.getByRole('combobox', { name: /Sheet/ }))
    await user.click(await screen.findByRole('option', { name: 'Notes' }))
    expect(await screen.findByRole('table', { name: 'Notes' })).toBeTruthy()
    expect(server.called('GET', '/api/files/content')).toEqual([])
  })

  it('[R802] of words is its text; without any it says so', async () => {
    const page = await open({ kind: 'words', text: 'First.\n\nSecond.', left: 0 })
    expect((await screen.findByRole('article', { name: 'list.xlsx' })).textContent).toBe('First.\n\nSecond.')
    page.unmount()
    await open({ kind: 'words', text: '', left: 0 })
    expect(await screen.findByText("There's nothing in it.")).toBeTruthy()
  })

  it.each([
    ['tooLarge', /too large to show/],
    ['unsafe', /built in an unsafe way/],
    ['broken', /can't be read/],
    ['tooLong', /took too long/],
  ] as const)('[R803] that is refused says why: %s', async (why, words) => {
    await open({ kind: 'none', why })
    expect(await screen.findByText(words)).toBeTruthy()
  })
})
