/** An Urgent reaches its receiver on every page, stays until it is acknowledged, and its sender sees that it was. */

import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/console'

async function openBase(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
}

async function sendTo(
  page: Page,
  who: string,
  type: 'FYI' | 'Action required' | 'Urgent',
  text: string,
): Promise<void> {
  const form = page.getByRole('form', { name: 'Write a message' })
  await form.getByRole('textbox', { name: 'Message' }).pressSequentially(`@${who}`)
  await page
    .getByRole('listbox', { name: 'Members' })
    .getByRole('option', { name: new RegExp(`^${who}`) })
    .click()
  await form.getByRole('button', { name: /^Message type/ }).click()
  await page.getByRole('menuitemradio', { name: type }).click()
  await form.getByRole('textbox', { name: 'Message' }).fill(text)
  await form.getByRole('button', { name: 'Send', exact: true }).click()
}

test('an Urgent comes as a dialog anywhere, folds to a bar, and is over when it is acknowledged', async ({
  open,
  start,
}) => {
  const server = await start()
  const ana = await open(server, 'ana', '/settings/display')
  const ben = await open(server, 'ben', '/tasks')
  await openBase(ben)
  await sendTo(ben, 'Ana', 'Urgent', 'The oven is on fire.')
  await expect(ana.getByRole('alertdialog', { name: 'Urgent from Ben' })).toBeVisible()
  await expect(ana).toHaveTitle(/🚨/)
  await expect(ana.locator('link[rel=icon][data-mark=urgent]')).toHaveCount(1)
  await ana.keyboard.press('Escape')
  const bar = ana.getByRole('region', { name: 'Urgent, not acknowledged' })
  await expect(bar).toBeVisible()
  await ana.goto(`${server.url}/tasks`)
  await expect(bar).toBeVisible()
  await bar.getByRole('button', { name: 'Show' }).click()
  const dialog = ana.getByRole('alertdialog')
  // Its buttons begin to count half a second after it came: a press meant for the page underneath decides nothing.
  await expect(async () => {
    if ((await dialog.count()) > 0) await dialog.getByRole('button', { name: 'Acknowledge' }).click({ timeout: 1_000 })
    await expect(dialog).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
  await expect(bar).toHaveCount(0)
  await expect(ana).not.toHaveTitle(/🚨/)
  await expect(ana.locator('link[rel=icon][data-mark]')).toHaveCount(0)
  await expect(ben.getByRole('button', { name: 'Receipts: 1 of 1 acknowledged' })).toBeVisible()
  await ana.goto(`${server.url}/inbox`)
  await expect(ana.getByRole('article', { name: /The oven is on fire\./ })).toBeVisible()
})

test('a mention is a toast elsewhere in the app, and nothing while the member rests', async ({ open, start }) => {
  const server = await start()
  const ana = await open(server, 'ana', '/settings/display')
  const ben = await open(server, 'ben', '/tasks')
  await openBase(ben)
  await ana.getByRole('heading', { name: 'Settings' }).click()
  await sendTo(ben, 'Ana', 'Action required', 'Please count the loaves.')
  const notices = ana.getByRole('region', { name: /^Notifications/ })
  await expect(notices.getByText(/count the loaves/)).toBeVisible()

  await ana.getByRole('button', { name: 'Do not disturb: off' }).click()
  await ana
    .getByRole('dialog', { name: 'Do not disturb' })
    .getByRole('button', { name: 'Until I switch it off' })
    .click()
  await expect(ana.getByRole('button', { name: 'Do not disturb: on' })).toBeVisible()
  await sendTo(ben, 'Ana', 'Action required', 'Please count the rolls.')
  await expect(ana.getByRole('link', { name: /^Inbox, 2 need you/ })).toBeVisible()
  await expect(ana.getByText(/count the rolls/)).toHaveCount(0)
  await ana.reload()
  await expect(ana.getByRole('button', { name: 'Do not disturb: on' })).toBeVisible()
})
