/** What waits for one goes over to another as one card; who waits in a task, and what is over; finding all of it again. */

import { expect, isLive, serverForFile, test } from './fixtures/console'
import { askAboutLists } from './fixtures/work'

const town = serverForFile()

test('Ana hands over what waits for her, Olga accepts, and the task and the search tell of it', {
  tag: '@desk',
}, async ({ open }) => {
  const ana = await open(town.server, 'ana', '/inbox')
  await isLive(ana)
  await askAboutLists(ana, town.server, 'vault')
  const mine = ana.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(mine).toBeVisible()
  const task = (await mine.getByRole('link').first().getAttribute('href')) ?? ''

  // Who stands still in this task: the same table and picture as for all tasks.
  const waits = await open(town.server, 'olga', `${task}/waits`)
  await expect(waits.getByRole('tab', { name: 'Waits' })).toHaveAttribute('aria-selected', 'true')
  await expect(waits.getByRole('table', { name: 'Waits' }).getByRole('row', { name: /^Coder/ })).toBeVisible()
  await expect(waits.getByRole('figure', { name: 'Who waits for whom' })).toBeVisible()

  await ana.getByRole('button', { name: 'Hand over…' }).first().click()
  const dialog = ana.getByRole('dialog', { name: 'Hand over what waits for you' })
  await expect(dialog.getByRole('checkbox', { name: /Coder · .*bolt/ })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Hand over 1 item' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'To' }).click()
  await ana.getByRole('option', { name: 'Olga' }).click()
  await dialog.getByRole('textbox', { name: 'One sentence for them' }).fill('I am on the road until noon.')
  await dialog.getByRole('button', { name: 'Hand over 1 item' }).click()
  await expect(dialog).toHaveCount(0)

  const olga = await open(town.server, 'olga', '/inbox')
  const card = olga.getByRole('article', { name: 'Ana handed you 1 item' })
  await expect(card).toContainText('I am on the road until noon.')
  // Until she accepts, both are asked.
  await expect(mine).toBeVisible()
  await card.getByRole('button', { name: 'Accept' }).click()
  await expect(card).toHaveCount(0)
  await expect(mine).toHaveCount(0)
  const hers = olga.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await hers.getByRole('textbox', { name: 'Your answer' }).fill('1.30')
  await hers.getByRole('button', { name: 'Send answer' }).click()
  await expect(hers).toHaveCount(0)

  await waits.getByRole('checkbox', { name: 'Show ended waits' }).check()
  const ended = waits.getByRole('table', { name: 'Ended waits' })
  await expect(ended.getByRole('row', { name: /Coder.*Answered by Olga/ })).toBeVisible()

  await olga.goto(`${town.server.url}/search?q=bolt`)
  const found = olga.getByRole('region', { name: 'Messages' }).getByRole('link', { name: /bolt: 1\.10/ })
  await expect(found.locator('mark').first()).toHaveText('bolt')
  await olga.getByRole('tab', { name: 'Requests' }).click()
  await olga
    .getByRole('link', { name: /bolt: 1\.10/ })
    .first()
    .click()
  await expect(olga.getByRole('heading', { name: /^Request \d+/ })).toBeVisible()
})
