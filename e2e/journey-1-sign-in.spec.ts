/** Signing in and out: with a password, with a link that works once, and when a session ends elsewhere. */
import { readFileSync } from 'node:fs'
import type { MyData } from '@/lib/wire/http'
import { connection, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { PASSWORDS } from './fixtures/server'

const app = serverForFile()
// Browsers log each refused request.
test.use({ allowedTroubles: /status of 401/ })

test('signing in leads from the inbox over the sign-in page back to the inbox', async ({ open }) => {
  const page = await open(app.server, null, '/inbox')
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(page.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Human agent ID' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Human agent ID' }).fill('ana')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORDS.ana)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/inbox/)
  await waitForLive(page)
})

test('signing in leads back to the requested address', { tag: ['@desktop', '@all'] }, async ({ open }) => {
  const page = await open(app.server, null, '/settings/display')
  await page.getByRole('textbox', { name: 'Human agent ID' }).fill('ben')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORDS.ben)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/settings\/display$/)
})

test('a sign-in link of an operator works once', { tag: '@desktop' }, async ({ open }) => {
  const olga = await open(app.server, 'olga', '/settings/people')
  const row = olga.getByRole('row').filter({ hasText: 'Dana' })
  await row.getByRole('button', { name: 'Actions for Dana' }).click()
  await olga.getByRole('menuitem', { name: 'Create sign-in link' }).click()
  const dialog = olga.getByRole('dialog', { name: 'Sign-in link for Dana' })
  const link = await dialog.getByRole('textbox').inputValue()
  expect(link).toContain('/login')
  const path = link.slice(new URL(link).origin.length)

  const dana = await open(app.server, null, path)
  await expect(dana.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await expect(dana.getByRole('button', { name: /^Dana, account settings/ })).toBeVisible()

  const second = await open(app.server, null, path)
  await expect(second.getByRole('alert').filter({ hasText: 'expired or was already used' })).toBeVisible()
  await expect(second.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
})

test('after signing out the password is needed again', { tag: '@desktop' }, async ({ open }) => {
  const page = await open(app.server, 'ana')
  await waitForLive(page)
  await page.getByRole('button', { name: /^Ana, account settings/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
  await page.goto(`${app.server.url}/inbox`)
  await expect(page.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
})

test('[R357] a person downloads their data on their profile', { tag: '@desktop' }, async ({ open }) => {
  const page = await open(app.server, 'lee', '/settings/profile')
  await waitForLive(page)
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download your data' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('convene-lee.json')
  const { account, sessions }: MyData = JSON.parse(readFileSync(await saved.path(), 'utf8'))
  expect([account.id, account.name]).toEqual(['lee', 'Lee'])
  expect(sessions.some(({ isThis }) => isThis)).toBe(true)
})

test('a page stays readable when its session is ended elsewhere, and signing in leads back to it', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  const lee = await open(app.server, 'lee', '/settings/profile')
  await waitForLive(lee)
  const olga = await open(app.server, 'olga', '/settings/people')
  await olga.getByRole('row').filter({ hasText: 'Lee' }).getByRole('button', { name: 'Actions for Lee' }).click()
  await olga.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
  await olga
    .getByRole('alertdialog', { name: 'Sign Lee out everywhere?' })
    .getByRole('button', { name: 'Sign out everywhere' })
    .click()
  await expect(connection(lee, 'signed out')).toBeVisible()
  await expect(lee.getByText('Your session ended.')).toBeVisible()
  await expect(lee.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await lee.getByRole('link', { name: 'Sign in again' }).click()
  await lee.getByRole('textbox', { name: 'Human agent ID' }).fill('lee')
  await lee.getByLabel('Password', { exact: true }).fill(PASSWORDS.lee)
  await lee.getByRole('button', { name: 'Sign in' }).click()
  await expect(lee).toHaveURL(/\/settings\/profile$/)
  await waitForLive(lee)
})
