/** The size of items in the inbox: a request is one line at every width, and nothing scrolls sideways. */
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

test('[R138, R140] a request is one line, on a phone too; nothing scrolls sideways, also beside a reminder', {
  tag: '@desktop',
}, async ({ open }) => {
  await askAna(app.server, 'shed')
  const page = await open(app.server, 'ana', '/inbox')
  await collapseUrgentAlways(page)
  await waitForLive(page)
  const stages = [{ intention: 'Read the lists', allocation: { ana: 'Read both of them.' } }]
  await postCommand(page, '/api/tasks', taskByForm('manager', ['ana'], stages, 'Lists'))
  // The question is open, for it blocks an agent; the part is a line.
  const line = page.locator('article[data-kind=part]:has([data-fold=closed])')
  await expect(line).toHaveCount(1)
  await expect(line.getByRole('button', { name: 'Review' })).toHaveAttribute('aria-description', /Read both of them/)
  const heightOf = async (): Promise<number> => (await line.boundingBox())?.height ?? 0
  expect(await heightOf()).toBeLessThanOrEqual(48)

  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(heightOf).toBeLessThanOrEqual(64)
  const card = page.locator('article[data-kind=answer]:has([data-fold=open])')
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
