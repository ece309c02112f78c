/** An FYI: who has read it is said to the sender, and nothing disturbs the one who reads it. */

import { expect, serverForFile, test } from './fixtures/console'

const town = serverForFile()

test('an FYI says who has read it, and makes neither sound nor toast nor a mark in the title', async ({ open }) => {
  const ana = await open(town.server, 'ana', '/tasks')
  await ana.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  const ben = await open(town.server, 'ben', '/settings/display')
  const form = ana.getByRole('form', { name: 'Write a message' })
  await form.getByRole('textbox', { name: 'Message' }).fill('The bakery opens at six.')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = ana.getByRole('article', { name: /The bakery opens at six/ })
  await expect(sent.getByRole('button', { name: /^Receipts: Read by/ })).toBeVisible()
  await expect(ben.getByRole('link', { name: /^Inbox, \d+ need you/ })).toBeVisible()
  await expect(ben.getByText('The bakery opens at six.')).toHaveCount(0)
  await expect(ben).toHaveTitle(/^Display|^Settings/)
  await ben.goto(`${town.server.url}/tasks`)
  await ben.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  await expect(sent.getByRole('button', { name: /^Receipts: Read by [1-9]/ })).toBeVisible()
  await expect(ben).not.toHaveTitle(/^\(\d|🚨/)
  await sent.getByRole('button', { name: /^Receipts: Read by/ }).click()
  await expect(ana.getByRole('dialog', { name: 'Receipts' }).getByRole('row', { name: /^Ben/ })).toContainText('read')
})
