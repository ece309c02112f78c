/** An agent stands still until somebody answers: in the inbox, by mouse or by keys alone, and the agent goes on. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, foldUrgent, isLive, test } from './fixtures/console'
import { askAboutLists } from './fixtures/work'

test('is answered in the inbox, leaves it, and the agent no longer waits in the tree', async ({ open, start }) => {
  const server = await start()
  const page = await open(server, 'ana', '/settings/profile')
  await isLive(page)
  await askAboutLists(page, server, 'stock')
  await foldUrgent(page, 'Coder')
  await expect(page).toHaveTitle(/🚨/)

  await page.getByRole('link', { name: /^Inbox, \d+ need you/ }).click()
  await page.getByRole('tab', { name: /^Needs me/ }).click()
  const article = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(article).toBeVisible()
  await expect(article.getByRole('radio', { name: '1.10' })).toBeVisible()
  const task = await article.getByRole('link').first().getAttribute('href')
  expect(task).toMatch(/^\/tasks\/[^/]+$/)

  const tree = await open(server, 'ana', `${task}/tree`)
  // Whoever asks next may ring over the tree: its lines are read all the same.
  const coder = tree.getByRole('row', { name: /^Coder, agent/, includeHidden: true }).first()
  await expect(coder).toHaveAccessibleName(/Waiting on Ana/)
  // Where it follows the newest steps, the line would leave the screen.
  await tree.getByRole('checkbox', { name: 'Follow live' }).uncheck()
  await coder.scrollIntoViewIfNeeded()

  await article.getByRole('textbox', { name: 'Your answer' }).fill('1.30')
  await article.getByRole('button', { name: 'Send answer' }).click()
  await expect(article).toHaveCount(0)
  await expect(coder).not.toHaveAccessibleName(/Waiting on Ana/)
})

test('is answered with keys alone', { tag: '@desk' }, async ({ open, start }) => {
  const server = await start()
  const page = await open(server, 'olga', '/inbox')
  await isLive(page)
  await askAboutLists(page, server, 'store')
  const article = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(article).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: /^Request \d+/ })).toBeVisible()
  await page.keyboard.press('r')
  const box = article.getByRole('textbox', { name: 'Your answer' })
  await expect(box).toBeFocused()
  await page.keyboard.type('1.10')
  await page.keyboard.press('Control+Enter')
  await expect(
    page
      .getByRole('heading', { name: 'Inbox', level: 1 })
      .or(page.getByRole('article', { name: /^Your part/ }))
      .first(),
  ).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  // What came next is the file to be written; nothing is written before somebody said yes.
  const next = page.getByRole('article', { name: /^Request from \w+: Allow/ })
  await expect(next).toBeVisible()
  expect(existsSync(join(server.workspace, 'store/report.md'))).toBe(false)
})

test('is answered by choosing one of the choices', async ({ open, start }) => {
  const server = await start()
  const page = await open(server, 'ana', '/inbox')
  await isLive(page)
  await askAboutLists(page, server, 'depot')
  const article = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await article.getByRole('radio', { name: 'leave it out' }).click()
  await article.getByRole('button', { name: 'Send answer' }).click()
  await expect(article).toHaveCount(0)
  await page.getByRole('tab', { name: 'Done' }).click()
  await expect(page.getByRole('article', { name: /^Request from Coder: .*bolt/ }).first()).toContainText('leave it out')
})
