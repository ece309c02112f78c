/** The size of items in the inbox: where it opens at each width, and nothing scrolls sideways. */
import type { Page } from '@playwright/test'
import { LANGUAGE_COOKIE } from '../lib/i18n/locale'
import { collapseUrgentAlways, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { taskByForm } from './fixtures/modelServer'
import { askAna, postCommand } from './fixtures/work'

const app = serverForFile()

const scrollsSideways = (page: Page): Promise<boolean> =>
  page
    .locator('[data-pane=main] [data-scroll]')
    .first()
    .evaluate((element) => element.scrollWidth > element.clientWidth)

test('[R138, R140] list and item stand side by side; on a phone the item opens in its row, and nothing scrolls sideways, also beside a reminder', {
  tag: '@desktop',
}, async ({ open }) => {
  await askAna(app.server, 'shed')
  const page = await open(app.server, 'ana', '/inbox')
  await collapseUrgentAlways(page)
  await waitForLive(page)
  const stages = [{ intention: 'Read the lists', allocation: { ana: 'Read both of them.' } }]
  await postCommand(page, '/api/tasks', taskByForm('manager', ['ana'], stages, 'Lists'))
  // The question is open, for an agent waits; the part is a row.
  const part = page.getByRole('region', { name: 'Your parts' }).getByRole('listitem')
  await expect(part).toHaveCount(1)
  const card = page.locator('article[data-kind=answer]')
  const [row, item] = [await part.boundingBox(), await card.boundingBox()]
  expect((row?.x ?? 0) + (row?.width ?? 0)).toBeLessThan(item?.x ?? 0)
  expect(row?.height).toBeLessThanOrEqual(64)

  await page.setViewportSize({ width: 360, height: 740 })
  await expect(card).toBeVisible()
  expect((await part.boundingBox())?.height).toBeLessThanOrEqual(84)
  const remind = page.getByRole('menuitem', { name: 'Remind me in 15 minutes' })
  // The Urgent that comes meanwhile closes the menu.
  await expect(async () => {
    if ((await remind.count()) === 0) await card.getByRole('button', { name: 'More' }).click({ timeout: 3_000 })
    await remind.click({ timeout: 3_000 })
  }).toPass()
  await expect(page.getByRole('link', { name: 'Reminders · 1' })).toBeVisible()
  expect(await scrollsSideways(page)).toBe(false)
  await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: 'zh', url: app.server.url }])
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
  await expect(page.locator('a[href*="snoozed=1"]')).toBeVisible()
  expect(await scrollsSideways(page)).toBe(false)
})
