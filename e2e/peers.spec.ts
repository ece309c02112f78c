/** Another system is added in the page: its key is shown once, a test message reaches it, and it is taken out again. */
import { openListener } from '@/packages/interop/test/outside/listener'
import { expect, serverForFile, test } from './fixtures/console'

const app = serverForFile()

test('[R157] an operator adds a peer, gets its key once, sends it a test message, changes it and removes it @desktop', async ({
  open,
}) => {
  const received = { conversation_id: 'conv-theirs', message_id: 'm-1', status: 'received' }
  const other = await openListener(() => ({ status: 200, body: received }))
  const page = await open(app.server, 'ana', '/directory/peers')
  await page.getByRole('button', { name: 'Add peer…' }).click()
  const form = page.getByRole('dialog', { name: 'Add peer' })
  const add = form.getByRole('button', { name: 'Add and create key' })
  await form.getByRole('textbox', { name: 'Agent URI' }).fill('other.example')
  await add.click()
  await expect(form.getByRole('alert')).toHaveText('Enter an agent URI, such as agent://south.example/*.')
  await form.getByRole('textbox', { name: 'Agent URI' }).fill('agent://other.example/planner')
  await form.getByRole('textbox', { name: 'Base URL' }).fill(other.url)
  await form.getByRole('checkbox', { name: 'Allow addresses in private networks' }).check()
  await form.getByRole('textbox', { name: 'Tasks at once' }).fill('0')
  await add.click()
  await expect(form.getByRole('alert')).toContainText('Enter limits as numbers greater than 0.')
  await form.getByRole('textbox', { name: 'Tasks at once' }).fill('2')
  await add.click()
  const shown = page.getByRole('dialog', { name: 'Peer key' })
  const key = await shown.getByRole('textbox', { name: 'Key for this peer' }).inputValue()
  expect(key.length).toBeGreaterThan(20)
  await shown.getByRole('button', { name: "I've saved it" }).click()

  // The key works at once.
  const card = await fetch(`${app.server.url}/mamp/v1/cards`, { headers: { authorization: `Bearer ${key}` } })
  expect(card.status).toBe(200)

  await page.getByRole('link', { name: 'Details of agent://other.example/planner' }).click()
  const details = page.getByRole('dialog', { name: 'agent://other.example/planner' })
  await expect(details).toContainText('2 tasks at once')
  await details.getByRole('button', { name: 'Send test' }).click()
  await expect(details.getByRole('status')).toContainText('delivered')
  expect(other.got.map(({ body }) => JSON.parse(body))).toMatchObject([
    { protocol: 'mamp/1.0', to: 'agent://other.example/planner', content: 'Test message from Ana. No reply needed.' },
  ])

  await details.getByRole('button', { name: 'Edit…' }).click()
  const change = page.getByRole('dialog', { name: 'Edit peer' })
  await change.getByRole('textbox', { name: 'Tasks at once' }).fill('3')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(details).toContainText('3 tasks at once')
  await details.getByRole('button', { name: 'Remove…' }).click()
  await page
    .getByRole('dialog', { name: 'Remove this peer?' })
    .or(page.getByRole('alertdialog', { name: 'Remove this peer?' }))
    .getByRole('button', { name: 'Remove peer' })
    .click()
  await expect(details).toHaveCount(0)
  // Another node hears of it a moment later.
  const cards = () => fetch(`${app.server.url}/mamp/v1/cards`, { headers: { authorization: `Bearer ${key}` } })
  await expect.poll(async () => (await cards()).status).toBe(401)
  other.close()
})
