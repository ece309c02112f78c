/** A message to a role group: one bubble, one receipt a member; done by one of two shows as one of two. */

import { expect, serverForFile, test } from './fixtures/console'

const town = serverForFile()

test('an Action to a role group counts who has done it', async ({ open }) => {
  const ana = await open(town.server, 'ana', '/tasks')
  await ana.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  const form = ana.getByRole('form', { name: 'Write a message' })
  const text = form.getByRole('textbox', { name: 'Message' })
  await text.pressSequentially('@des')
  const combobox = form.getByRole('combobox', { name: 'Message' })
  await expect(combobox).toBeFocused()
  const listbox = ana.getByRole('listbox', { name: 'Members' })
  await listbox.getByRole('option', { name: /designers/ }).click()
  await form.getByRole('button', { name: /^Message type/ }).click()
  await ana.getByRole('menuitemradio', { name: 'Action required' }).click()
  await text.fill('Please look at the new sign.')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ana.getByRole('button', { name: /^Receipts: 0 of 2 done/ })).toBeVisible()

  const ben = await open(town.server, 'ben', '/inbox')
  const row = ben.getByRole('article', { name: /look at the new sign/ })
  await row.getByRole('button', { name: 'Mark as done' }).click()
  await expect(row).toHaveCount(0)
  await ana.getByRole('button', { name: /^Receipts: 1 of 2 done/ }).click()
  await expect(ana.getByRole('dialog', { name: 'Receipts' }).getByRole('row', { name: /^Ben/ })).toContainText('done')
})

test('those addressed can be kept as a group, and be addressed by its name', async ({ open }) => {
  const ana = await open(town.server, 'ana', '/tasks')
  await ana.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  const form = ana.getByRole('form', { name: 'Write a message' })
  const listbox = ana.getByRole('listbox', { name: 'Members' })
  for (const name of ['Ben', 'Dana']) {
    await form.getByRole('textbox', { name: 'Message' }).pressSequentially(`@${name}`)
    await listbox.getByRole('option', { name: new RegExp(`^${name}`) }).click()
  }
  await form.getByRole('textbox', { name: 'Message' }).pressSequentially('@')
  await listbox.getByRole('option', { name: 'Save these as a group' }).click()
  const dialog = ana.getByRole('dialog', { name: 'Save these as a group' })
  await dialog.getByRole('textbox', { name: 'Name of the group' }).fill('Window team')
  await dialog.getByRole('button', { name: 'Save the group' }).click()
  await expect(dialog).toHaveCount(0)

  await ana.reload()
  await form.getByRole('textbox', { name: 'Message' }).fill('')
  await form.getByRole('textbox', { name: 'Message' }).pressSequentially('@win')
  await listbox.getByRole('option', { name: /Window team · 2/ }).click()
  await form.getByRole('textbox', { name: 'Message' }).fill('The window is next.')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ana.getByRole('button', { name: 'Receipts: Read by 0 of 2' })).toBeVisible()
})

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
  await sent.getByRole('button', { name: /^Receipts: Read by/ }).click()
  await expect(ana.getByRole('dialog', { name: 'Receipts' }).getByRole('row', { name: /^Ben/ })).toContainText('read')
})
