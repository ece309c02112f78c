/**
 * The main addresses as people see them: on a desk and a phone, light and dark, in English and Chinese. Each has its heading,
 * nothing sticks out sideways, and every text has contrast; the pictures stay in test-results.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { LANGUAGES } from '@/lib/language'
import { findings } from './fixtures/axe'
import { expect, navigateTo, serverForFile, test } from './fixtures/console'
import { printedLink } from './fixtures/newcomer'
import { askAna, finishTask } from './fixtures/work'

const app = serverForFile()
// The browser logs the refused request for the session of a newcomer.
test.use({ allowedTroubles: /status of 401/ })

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } } as const
const THEMES = ['light', 'dark'] as const

/** Name of the picture and address. */
async function addresses(): Promise<readonly (readonly [string, string])[]> {
  const finished = await finishTask(app.server, 'shed')
  const { task, request } = await askAna(app.server, 'walk')
  return [
    ['inbox', '/inbox'],
    ['inbox-waiting', '/inbox?view=waiting'],
    ['inbox-done', '/inbox?view=done'],
    ['request', request],
    ['tasks', '/tasks'],
    ['task', task],
    ['tree', `${task}/tree`],
    ['timeline', `${task}/timeline`],
    ['finished', finished],
    ['new-request', '/tasks?ask=1'],
    ['agents', '/agents'],
    ['waits', '/waits'],
    ['tools', '/tools'],
    ['direct', '/direct'],
    ['directory', '/directory/peers'],
    ['search', '/search?q=bolt'],
    ['files', '/files'],
    ['file', '/files/shed/report.md'],
    ['notices', '/notices'],
    ['help', '/help'],
    ['settings-profile', '/settings/profile'],
    ['settings-notifications', '/settings/notifications'],
    ['settings-people', '/settings/people'],
    ['settings-models', '/settings/models'],
    ['settings-audit', '/settings/system/audit'],
    ['settings-templates', '/settings/templates'],
  ]
}

const sticksOut = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Both themes of what is on screen now. */
async function see(page: Page, name: string, folder: string): Promise<void> {
  for (const colorScheme of THEMES) {
    const seen = name.replace('*', colorScheme)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await page.screenshot({ path: join(folder, `${seen}.png`) })
    expect.soft(await sticksOut(page), `${seen} sticks out`).toBeLessThanOrEqual(0)
    expect.soft(await findings(page, null, true), seen).toEqual([])
  }
}

/** The urgent dialog of what waits for Ana: all that can be done stands in one row. out: nothing is urgent any more */
async function seeUrgent(page: Page, folder: string): Promise<void> {
  await navigateTo(page, '/help')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toBeVisible()
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    await see(page, `urgent-${size}-*-en`, folder)
    const tops = await dialog
      .getByRole('button')
      .filter({ visible: true })
      .evaluateAll((buttons) => buttons.slice(-3).map((button) => button.getBoundingClientRect().top))
    expect.soft(Math.max(...tops) - Math.min(...tops), `the buttons at ${size}`).toBeLessThan(8)
  }
  await expect(async () => {
    if ((await dialog.count()) > 0) await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(dialog).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
}

test('every main address is whole in both sizes, themes and languages @all @desktop', async ({ open }, info) => {
  test.setTimeout(1_800_000)
  const all = await addresses()
  const page = await open(app.server, 'ana', '/inbox')
  const folder = join(info.project.outputDir, 'seen')
  await seeUrgent(page, folder)
  for (const language of LANGUAGES) {
    await page.context().addCookies([{ name: 'convene_language', value: language, url: app.server.url }])
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport)
      await page.goto(`${app.server.url}/inbox`)
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`))
      for (const [name, address] of all) {
        await navigateTo(page, address)
        await expect(page.locator('main h1').first()).toBeAttached()
        await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
        await see(page, `${name}-${size}-*-${language}`, folder)
      }
    }
  }
})

// After a change of what they show: copy them to docs/images.
test('the pictures of the README, of a newcomer who plays the demo @all @desktop', async ({ open, start }, info) => {
  test.setTimeout(300_000)
  const server = await start({
    config: `${readFileSync('config/convene.yaml', 'utf8')}\nrehearsal: { delay_ms: 20 }\n`,
  })
  const page = await open(server, null, await printedLink(server))
  const take = (name: string) => page.screenshot({ path: join(info.project.outputDir, 'readme', `${name}.png`) })
  await page.getByRole('button', { name: 'Start the demo task' }).click()
  const question = page.getByRole('article', { name: /^Request from Reader: .*apple/ })
  await expect(question.getByRole('radio', { name: '3.50' })).toBeVisible({ timeout: 60_000 })
  await take('inbox-light')
  await question.getByRole('button', { name: 'Acknowledge' }).click()
  await question.getByRole('link', { name: 'Compare prices' }).click()
  const task = new URL(page.url()).pathname

  await page.getByRole('tab', { name: 'Timeline' }).click()
  await expect(
    page
      .getByRole('treegrid', { name: 'Timeline' })
      .getByRole('row', { name: /Waiting on Ana/ })
      .first(),
  ).toBeVisible()
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await take('timeline-light')

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('tab', { name: 'Tree' }).click()
  await page
    .getByRole('main')
    .getByRole('row', { name: /Failed.*west\.csv/ })
    .click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('tab', { name: 'Summary' }).click()
  await take('tree-dark')

  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(SIZES.phone)
  await navigateTo(page, task)
  await expect(question).toBeVisible()
  await take('phone-light')
})
