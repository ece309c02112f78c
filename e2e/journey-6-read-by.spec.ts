/** An FYI: its sender sees who has read it, and its receiver is not alerted. */
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { inputOf, inputWayAt } from './fixtures/input'
import { recordedNotifications, recordNotifications } from './fixtures/notifications'

const app = serverForFile()

test('an FYI says who has read it, and makes neither sound nor toast nor a mark in the title', async ({
  open,
}, info) => {
  const way = inputWayAt(info)
  const ana = await open(app.server, 'ana', '/tasks')
  const input = inputOf(ana, way)
  await input.press(ana.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
  const ben = await open(app.server, 'ben', '/settings/display')
  await recordNotifications(ben)
  await ben.reload()
  await waitForLive(ben)
  // Browsers allow sound from the first press on.
  await ben.getByRole('heading', { name: 'Settings', level: 1 }).click()
  const title = await ben.title()
  const form = ana.getByRole('form', { name: 'Write a message' })
  const box = form.getByRole('textbox', { name: 'Message' })
  const send = form.getByRole('button', { name: 'Send', exact: true })
  await input.write(box, 'The bakery opens at six.')
  await input.press(send)
  const sent = ana.getByRole('article', { name: /The bakery opens at six/ })
  await expect(sent.getByRole('button', { name: /^Receipts: Read by/ })).toBeVisible()
  await expect(ben.getByRole('link', { name: /^Inbox, \d+ need you/ })).toBeVisible()
  await expect(ben).toHaveTitle(title)

  const { press } = inputOf(ben, way)
  await press(ben.getByRole('link', { name: 'Tasks', exact: true }))
  await press(ben.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
  await expect(sent.getByRole('button', { name: /^Receipts: Read by [1-9]/ })).toBeVisible()
  await expect(ben.getByRole('article', { name: /The bakery opens at six/ })).toContainText('Read')
  await expect(ben).not.toHaveTitle(/^\(\d|🚨/)
  await input.press(sent.getByRole('button', { name: /^Receipts: Read by/ }))
  const receipts = ana.getByRole('dialog', { name: 'Receipts' })
  await expect(receipts.getByRole('row', { name: /^Ben/ })).toContainText('read')
  expect(await recordedNotifications(ben)).toEqual({ sounds: 0, notices: [] })

  // The inspector shows the message with the same receipts.
  const id = await sent.getAttribute('data-id')
  const task = new URL(ana.url()).pathname.split('/').slice(0, 3).join('/')
  const beside = await open(app.server, 'ana', `${task}/messages/${id}?inspect=Message_${id}`)
  const inspector = beside.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('tab', { name: 'Receipts' }).click()
  await expect(inspector.getByRole('row', { name: /^Ben/ })).toContainText('read')
  await inspector.getByRole('tab', { name: 'JSON' }).click()
  await expect(inspector.getByRole('tree')).toContainText('deliveries')

  // An Action alerts in the same situation, so the recorder works.
  await navigateTo(ben, '/settings/display')
  await ana.keyboard.press('Escape')
  await expect(receipts).toHaveCount(0)
  const option = ana.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: /^Ben/ })
  await input.write(box, '')
  await ana.keyboard.type('/action @Ben')
  if (way === 'keys') {
    await expect(option).toHaveAttribute('aria-selected', 'true')
    await ana.keyboard.press('Enter')
  } else await option.click()
  await ana.keyboard.type('Count the ovens.')
  await input.press(send)
  await expect.poll(async () => (await recordedNotifications(ben)).notices.join()).toContain('Count the ovens.')
  await expect.poll(async () => (await recordedNotifications(ben)).sounds).toBeGreaterThan(0)
})
