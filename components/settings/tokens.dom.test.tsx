/** The personal access tokens of a member. */
import { expect, it } from 'vitest'
import type { MyToken } from '@/lib/wire'
import { openPage, refused, screen, waitFor, within } from '@/test/dom'
import { NOW } from '@/test/gallery/fixtures/people'
import { TokensPart } from './TokensPart'

const PATH = '/api/me/tokens'
const DAY_MS = 24 * 60 * 60_000
const token = (name: string, more: Partial<MyToken> = {}): MyToken => ({
  ...{ id: `id-${name}`, name, scopes: ['read'], since: NOW - DAY_MS, lastUsed: null, expiresAt: NOW + 30 * DAY_MS },
  ...more,
})

/** in: tokens: those of the member; a test changes the list */
const openTokens = (tokens: MyToken[]) =>
  openPage(<TokensPart />, { prepare: (server) => server.answer(`GET ${PATH}`, () => ({ tokens: [...tokens] })) })

it('[R787] a member without tokens is told so, makes one with the scopes that they choose, and sees its secret once', async () => {
  const tokens: MyToken[] = []
  const { user, server } = await openTokens(tokens)
  expect(await screen.findByText('No tokens yet.')).toBeTruthy()
  server.answer(`POST ${PATH}`, () => {
    tokens.push(token('Nightly report', { scopes: ['read', 'ask'] }))
    return { token: 'convene_secret' }
  })
  await user.click(screen.getByRole('button', { name: 'New token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New token' }))
  const create = dialog.getByRole('button', { name: /^Create token/ })
  await user.click(create)
  expect(server.called('POST', PATH)).toEqual([])
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), ' Nightly report ')
  await user.click(dialog.getByRole('checkbox', { name: /^ask:/ }))
  await user.click(create)
  expect(server.called('POST', PATH)).toEqual([{ name: 'Nightly report', scopes: ['read', 'ask'], days: 90 }])
  const made = within(await screen.findByRole('dialog', { name: 'Token “Nightly report”' }))
  expect(made.getByRole('textbox')).toHaveProperty('value', 'convene_secret')
  const [close] = made.getAllByRole('button', { name: 'Close' })
  await user.click(close as HTMLElement)
  const row = await screen.findByRole('listitem')
  expect(row.textContent).toContain('read, ask')
  expect(row.textContent).toContain('never used')
  expect(document.body.innerHTML).not.toContain('convene_secret')
})

it('[R787] nothing is made without a scope, and a refusal stays in the dialog with what was entered', async () => {
  const { user, server } = await openTokens([])
  server.answer(`POST ${PATH}`, refused('QUOTA', { what: 'tokens', limit: 50, mib: false }))
  await user.click(await screen.findByRole('button', { name: 'New token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New token' }))
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Report')
  await user.click(dialog.getByRole('checkbox', { name: /^read:/ }))
  await user.click(dialog.getByRole('button', { name: /^Create token/ }))
  expect(server.called('POST', PATH)).toEqual([])
  await user.click(dialog.getByRole('checkbox', { name: /^operate:/ }))
  await user.click(dialog.getByRole('button', { name: /^Create token/ }))
  expect((await dialog.findByRole('alert')).textContent).toContain('at most 50')
  expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Report')
})

it('[R787] a token is revoked after a question, and the others stay', async () => {
  const tokens = [token('Old', { lastUsed: NOW - DAY_MS }), token('New')]
  const { user, server } = await openTokens(tokens)
  server.answer(`DELETE ${PATH}/id-Old`, () => {
    tokens.shift()
    return { id: 'id-Old' }
  })
  await user.click(await screen.findByRole('button', { name: 'Revoke the token Old' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the token “Old”?' }))
  expect(server.called('DELETE', `${PATH}/id-Old`)).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(screen.queryByText('Old')).toBeNull())
  expect(screen.getByText('New')).toBeTruthy()
})

it('[R787] a list that could not be loaded says so, with a way to try again', async () => {
  const { user, server } = await openPage(<TokensPart />, {
    prepare: (made) => made.answer(`GET ${PATH}`, refused('STOPPING')),
  })
  expect(await screen.findByText("Couldn't load your tokens")).toBeTruthy()
  server.answer(`GET ${PATH}`, () => ({ tokens: [token('Back')] }))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Back')).toBeTruthy()
})
