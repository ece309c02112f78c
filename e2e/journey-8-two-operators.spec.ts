/** Two people answer one request: the first counts, the other hears who it was and keeps the text. */

import { expect, isLive, test } from './fixtures/console'
import { askAboutLists } from './fixtures/work'

// A browser tells of each refusal.
test.use({ allowedTroubles: /status of 409/ })

test('whoever is second is told so in place, and loses nothing', async ({ open, start }) => {
  const server = await start()
  const ana = await open(server, 'ana', '/settings/display')
  await isLive(ana)
  await askAboutLists(ana, server, 'barn')
  const link = ana.getByRole('link', { name: /^Inbox, [1-9] need you/ })
  await expect(link).toBeVisible()
  await ana.goto(`${server.url}/inbox`)
  const card = ana.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  const address = await card.getByRole('link').first().getAttribute('href')
  // Olga is an operator: she may answer for Ana.
  const olga = await open(server, 'olga', address ?? '')
  const urgent = olga.getByRole('article', { name: /^Urgent from Coder to Ana/ })
  await urgent.getByRole('button', { name: 'Answer for Ana' }).click()
  const hers = olga.getByRole('article', { name: /^Request from Coder: .*bolt/ })

  await card.getByRole('textbox', { name: 'Your answer' }).pressSequentially('1.10')
  await expect(hers.getByText(/Ana is writing/)).toBeVisible()
  await hers.getByRole('textbox', { name: /^Reason/ }).fill('Ana is on the road.')
  await hers.getByRole('textbox', { name: 'Your answer' }).fill('1.30, by the newer list')
  await card.getByRole('button', { name: 'Send answer' }).click()
  await expect(card).toHaveCount(0)
  await hers.getByRole('button', { name: 'Send answer' }).click()
  await expect(olga.getByText(/answered .* before you\. Your text is kept\./)).toBeVisible()
  const kept = olga.getByRole('status').filter({ hasText: 'Your text is kept.' })
  await expect(kept).toContainText('1.30, by the newer list')
  // She is no member of the task, so she cannot write in it; the text is hers all the same.
  await expect(kept.getByRole('button', { name: 'Send as a message' })).toBeDisabled()
  await expect(kept.getByRole('button', { name: 'Copy' })).toBeEnabled()
  await kept.getByRole('button', { name: 'Discard' }).click()
  await expect(kept).toHaveCount(0)
})
