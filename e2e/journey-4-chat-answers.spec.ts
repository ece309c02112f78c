/** Chat, card, strip and inbox answer the same request; each of them closes it everywhere. */
import { collapseUrgent, expect, serverForFile, test } from './fixtures/console'
import { arrowTo, inputOf, inputWayAt } from './fixtures/input'
import { askAna } from './fixtures/work'

// Each test uses another person, so that no earlier request interferes.
const app = serverForFile()

test('a chat message that answers a request closes it everywhere', async ({ open }, info) => {
  const { server } = app
  const way = inputWayAt(info)
  await askAna(server, 'shed')
  const inbox = await open(server, 'ana', '/inbox')
  const article = inbox.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(article).toBeVisible()

  const chat = await open(server, 'ana', '/tasks')
  // The urgent dialog opens here too; opening the chat closes it.
  await collapseUrgent(chat, 'Coder')
  const input = inputOf(chat, way)
  await input.press(chat.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: /Compare shed/ }))
  const log = chat.getByRole('log', { name: /^Group chat of/ })
  const urgent = log.getByRole('article', { name: /^Urgent from Coder to you/ })
  await expect(urgent).toBeVisible()
  const strip = chat.getByRole('region', { name: 'Waiting for you in this task' })
  await expect(strip).toContainText('Coder is waiting for you')
  // In the narrow list a chip without a time is an icon, with no room for a text that is not there.
  const stage = chat.getByRole('complementary', { name: 'List' }).getByRole('row', { level: 2 }).first()
  expect((await stage.locator('[data-state]').first().boundingBox())?.width ?? 99).toBeLessThanOrEqual(24)
  await input.press(urgent.getByRole('button', { name: 'Acknowledge' }))
  await expect(urgent.getByText('acknowledged', { exact: true })).toBeVisible()
  await expect(urgent.getByRole('button', { name: 'Undo' })).toBeVisible()
  if (way === 'keys') await arrowTo(chat, urgent, 'k')
  else await urgent.focus()
  await chat.keyboard.press('r')
  const form = chat.getByRole('form', { name: 'Write a message' })
  await expect(form.getByText(/^Answers request \d+ from Coder/)).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await chat.keyboard.type('1.30')
  await input.press(form.getByRole('button', { name: 'Send', exact: true }))

  await expect(log.getByText('Answered by Ana').first()).toBeVisible()
  await expect(log.getByRole('article', { name: /^Urgent from Coder to you/ })).toContainText('Answered by Ana')
  await expect(strip.filter({ hasText: 'Coder is waiting for you' })).toHaveCount(0)
  // The inbox in the other browser.
  await expect(article).toHaveCount(0)
})
