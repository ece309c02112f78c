/** The dialog of an Urgent leaves alone what is being read. */
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { neverReuse } from './fixtures/pages'
import { sendMessage } from './fixtures/work'

const app = serverForFile()

test('the dialog does not come over a card that is being read', { tag: ['@desktop', '@all'] }, async ({ open }) => {
  test.slow()
  const lee = await open(app.server, 'lee', '/inbox')
  await waitForLive(lee)
  const ana = await open(app.server, 'ana', '/settings/profile')
  await waitForLive(ana)
  await lee.clock.install()
  neverReuse(lee)
  await sendMessage(ana, 'lee', 'Read this before the bell.', 'urgent')
  const row = lee.getByRole('article', { name: /before the bell/ })
  await expect(row).toBeVisible()
  const dialog = lee.getByRole('alertdialog', { name: 'Urgent from Ana' })
  for (let seconds = 0; seconds < 45; seconds += 5) {
    await lee.clock.runFor(5_000)
    await lee.mouse.move(400 + seconds, 300)
    expect(await dialog.count(), `after ${seconds + 5} s of reading`).toBe(0)
  }
  // A reader who sits still reads on; elsewhere the dialog comes.
  await lee.clock.runFor(60_000)
  expect(await dialog.count(), 'nobody moves').toBe(0)
  await navigateTo(lee, '/tasks')
  await lee.clock.runFor(21_000)
  await expect(dialog).toBeVisible()
})
