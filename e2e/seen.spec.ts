/**
 * The main addresses as people see them: on a desk and a phone, light and dark, in English and Chinese. Each has its heading,
 * nothing sticks out sideways, and every text has contrast; the pictures stay in test-results.
 */

import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findings } from './fixtures/axe'
import { expect, navigateTo, serverForFile, test } from './fixtures/console'
import { askAna, finishTask } from './fixtures/work'

const app = serverForFile()

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } } as const
const THEMES = ['light', 'dark'] as const
const LANGUAGES = ['en', 'zh'] as const

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
    ['settings-templates', '/settings/templates'],
  ]
}

const sticksOut = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('every main address is whole in both sizes, themes and languages @all @desktop', async ({ open }, info) => {
  test.setTimeout(1_800_000)
  const all = await addresses()
  const page = await open(app.server, 'ana', '/inbox')
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
        for (const colorScheme of THEMES) {
          const seen = `${name}-${size}-${colorScheme}-${language}`
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
          await page.screenshot({ path: join(info.project.outputDir, 'seen', `${seen}.png`) })
          expect.soft(await sticksOut(page), `${seen} sticks out`).toBeLessThanOrEqual(0)
          expect.soft(await findings(page, null, true), seen).toEqual([])
        }
      }
    }
  }
})
