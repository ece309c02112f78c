/** A waiting agent continues when its request is answered in the inbox, by mouse or by keys alone. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { collapseUrgent, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { inputOf, inputWayAt } from './fixtures/input'
import { askAboutLists } from './fixtures/work'

// Each test uses another person. The first needs Tester, which waits for a confirmation after each of them.
const app = serverForFile()

test('a request is answered with the page’s keys alone', { tag: '@desktop' }, async ({ open }) => {
  const { server } = app
  const page = await open(server, 'olga', '/inbox')
  await waitForLive(page)
  await askAboutLists(page, server, 'store')
  const article = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(article).toBeVisible()
  await page.keyboard.press('n')
  // A new screen moves the focus to its heading; an earlier key would lose its focus.
  await expect(page.getByRole('heading', { name: /^Request \d+/ })).toBeFocused()
  const box = article.getByRole('textbox', { name: 'Your answer' })
  await expect(box).toBeVisible()
  await page.keyboard.press('r')
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
  // Next comes the file to be written, which waits for a confirmation.
  const next = page.getByRole('article', { name: /^Request from \w+: Write / })
  await expect(next).toBeVisible()
  expect(existsSync(join(server.workspace, 'store/report.md'))).toBe(false)
})

test('a request answered in the inbox leaves it, and the agent no longer waits in the tree', async ({ open }, info) => {
  const { server } = app
  const way = inputWayAt(info)
  const page = await open(server, 'ana', '/settings/profile')
  await waitForLive(page)
  await askAboutLists(page, server, 'stock')
  await collapseUrgent(page, 'Coder')
  await expect(page).toHaveTitle(/🚨/)

  const { press, write } = inputOf(page, way)
  await press(page.getByRole('link', { name: /^Inbox, \d+ need you/ }))
  await press(page.getByRole('tab', { name: /^Needs me/ }))
  const article = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(article).toBeVisible()
  await expect(article.getByRole('radio', { name: '1.10' })).toBeVisible()
  // The findings before the question are one press away; other actions are beside the answer where there is room.
  const evidence = article.getByRole('list', { name: 'Based on' }).getByRole('link')
  await expect(evidence.first()).toHaveAttribute('href', /\/steps\//)
  for (const act of ['Ask back', 'Hand over']) {
    await expect(article.getByRole('button', { name: act })).toBeVisible({ visible: info.project.name !== 'phone' })
  }
  const task = await article.getByRole('link').first().getAttribute('href')
  expect(task).toMatch(/^\/tasks\/[^/]+$/)

  const tree = await open(server, 'ana', `${task}/tree`)
  // The next urgent dialog may cover the tree; its rows can be read all the same.
  const coder = tree.getByRole('row', { name: /^Coder, agent/, includeHidden: true }).first()
  await expect(coder).toHaveAccessibleName(/Waiting on Ana/)
  // Following the newest steps would scroll the row away.
  const follow = tree.getByRole('button', { name: 'Follow live' })
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await inputOf(tree, way).press(follow)
  await expect(follow).toHaveAttribute('aria-pressed', 'false')
  await coder.scrollIntoViewIfNeeded()

  await write(article.getByRole('textbox', { name: 'Your answer' }), '1.30')
  await press(article.getByRole('button', { name: 'Send answer' }))
  await expect(article).toHaveCount(0)
  await expect(coder).not.toHaveAccessibleName(/Waiting on Ana/)
})
