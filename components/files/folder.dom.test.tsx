/** A folder in Files: its search. */
import { expect, it } from 'vitest'
import type { FilesPage } from '@/lib/wire'
import { openPage, screen, waitFor } from '@/test/dom'
import { FolderPage } from '.'

const entry = (path: string) => ({ path, kind: 'file' as const, bytes: 3, changedAt: 1_000, by: null })
const page = (entries: FilesPage['entries']): FilesPage => ({
  root: 'workspace',
  folder: 'prices',
  entries,
  more: 0,
  isWhole: true,
})
const linksIn = () =>
  screen.getAllByRole('link').flatMap(({ textContent }) => (textContent?.endsWith('.csv') ? textContent : []))

it('[R903] a folder is searched by words, which stand in the address; each file found is named by its path below', async () => {
  const { user, server } = await openPage(<FolderPage folder="prices" />, {
    at: '/files?folder=prices',
    prepare: (made) => made.answer('GET /api/files', page([entry('prices/east.csv'), entry('prices/west.csv')])),
  })
  expect(await screen.findByRole('link', { name: 'west.csv' })).toBeTruthy()
  server.answer('GET /api/files', page([entry('prices/north/east.csv')]))
  await user.type(screen.getByRole('searchbox', { name: 'Find by name' }), 'ea st')
  await waitFor(() => expect(linksIn()).toEqual(['north/east.csv']))
  expect(new URLSearchParams(window.location.search).get('q')).toBe('ea st')
  server.answer('GET /api/files', page([]))
  await user.type(screen.getByRole('searchbox', { name: 'Find by name' }), 'x')
  expect(await screen.findByText('No file found')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show all files' }))
  expect(new URLSearchParams(window.location.search).get('q')).toBeNull()
})
