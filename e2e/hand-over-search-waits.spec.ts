/** Handing over open requests as one card; the waits of a task, open and ended; the search for all of it. */
import { collapseUrgentAlways, expect, openItem, serverForFile, test, waitForLive } from './fixtures/console'
import { askAboutLists, postCommand, sendMessage } from './fixtures/work'

const app = serverForFile()

test('Ana hands over her open requests, Olga accepts, and the task and the search show it', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  const ana = await open(app.server, 'ana', '/inbox')
  await collapseUrgentAlways(ana)
  await waitForLive(ana)
  await askAboutLists(ana, app.server, 'vault')
  const mine = ana.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(mine).toBeVisible()
  const task = (await mine.getByRole('link').first().getAttribute('href')) ?? ''

  // The waits of this task: the same table and graph as for all tasks.
  const waits = await open(app.server, 'olga', `${task}/waits`)
  await expect(waits.getByRole('tab', { name: 'Waits' })).toHaveAttribute('aria-selected', 'true')
  await expect(waits.getByRole('table', { name: 'Waits' }).getByRole('row', { name: /^Coder/ })).toBeVisible()
  await expect(waits.getByRole('figure', { name: 'Who waits for whom' })).toBeVisible()

  // Olga has claimed it; Ana takes it over with a reason, which all can read.
  const olga = await open(
    app.server,
    'olga',
    (await mine.getAttribute('data-id').then((id) => `/requests/${id}`)) ?? '',
  )
  await collapseUrgentAlways(olga)
  const seen = olga.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await postCommand(olga, `/api/requests/${await mine.getAttribute('data-id')}/claim`, { reason: null })
  await mine.getByRole('button', { name: 'Take over…' }).click()
  const taking = ana.getByRole('alertdialog', { name: 'Take over from Olga?' })
  await expect(taking.getByRole('button', { name: 'Take over' })).toBeDisabled()
  await taking.getByRole('textbox', { name: /^Reason/ }).fill('I know the lists.')
  await taking.getByRole('button', { name: 'Take over' }).click()
  await expect(seen.getByText('Taken by Ana until')).toBeVisible()

  // Messages to her are handed over too, with her drafts.
  const ben = await open(app.server, 'ben', '/settings/display')
  await sendMessage(ben, 'ana', 'Look at the page of prices', 'action')
  await mine.getByRole('textbox', { name: 'Your answer' }).fill('The list of the west')
  await expect(ana.getByRole('link', { name: /page of prices/ })).toBeVisible()
  await ana.getByRole('button', { name: 'Hand over…' }).first().click()
  const dialog = ana.getByRole('dialog', { name: 'Hand over your items' })
  await expect(dialog.getByRole('checkbox', { name: /Coder · .*bolt/ })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: /^Ben · .*page of prices/ })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'Your draft is included' })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Hand over 2 items' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'To' }).click()
  await ana.getByRole('option', { name: 'Olga' }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('I am on the road until noon.')
  await dialog.getByRole('button', { name: 'Hand over 2 items' }).click()
  await expect(dialog).toHaveCount(0)

  await olga.goto(`${app.server.url}/inbox`)
  const card = olga.getByRole('article', { name: 'Ana handed you 2 items' })
  await expect(card).toContainText('I am on the road until noon.')
  // Until Olga accepts, both are asked; she accepts once for all.
  await expect(mine).toBeVisible()
  await expect(olga.getByRole('button', { name: 'Accept' })).toHaveCount(1)
  await card.getByRole('button', { name: 'Accept' }).click()
  await expect(card).toHaveCount(0)
  await expect(mine).toHaveCount(0)
  await expect(ana.getByRole('link', { name: /page of prices/ })).toHaveCount(0)
  const theirs = await openItem(olga, /page of prices/)
  await expect(theirs).toContainText('Ana handed this to you.')
  await theirs.getByRole('button', { name: 'Mark as done' }).click()
  await expect(theirs).toHaveCount(0)
  const hers = await openItem(olga, /^Request from Coder: .*bolt/)
  // Ana no longer has it; Olga acknowledges it by claiming it.
  await hers.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(hers.getByText('Taken by you until')).toBeVisible()
  await hers.getByRole('button', { name: 'Use this draft' }).click()
  await expect(hers.getByRole('textbox', { name: 'Your answer' })).toHaveValue('The list of the west')
  await hers.getByRole('textbox', { name: 'Your answer' }).fill('1.30')
  await hers.getByRole('button', { name: 'Send answer' }).click()
  await expect(hers).toHaveCount(0)

  await waits.getByRole('checkbox', { name: 'Show ended waits' }).check()
  const ended = waits.getByRole('table', { name: 'Ended waits' })
  await expect(ended.getByRole('row', { name: /Coder.*Answered by Olga/ })).toBeVisible()

  await olga.goto(`${app.server.url}/search?q=bolt`)
  const found = olga.getByRole('region', { name: 'Messages' }).getByRole('link', { name: /bolt: 1\.10/ })
  await expect(found.locator('mark').first()).toHaveText('bolt')
  await olga.getByRole('tab', { name: 'Requests' }).click()
  await olga
    .getByRole('link', { name: /bolt: 1\.10/ })
    .first()
    .click()
  await expect(olga.getByRole('heading', { name: /^Request \d+/ })).toBeVisible()
})
