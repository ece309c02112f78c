/**
 * The gallery matches its accepted pictures (e2e/pictures): under 0.5 % of the pixels differ; and axe finds nothing serious.
 *
 * After an intended change: npx playwright test gallery --update-snapshots, and review the differences.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { chineseFont } from '../scripts/browser.mjs'
import { findings } from './fixtures/axe'
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'

const WIDTH = 1280
const DIFFERENT_AT_MOST = 0.005
const DRAWN_WITH = 'e2e/pictures/drawn-with.txt'

const FAMILIES = [
  'marks',
  'controls',
  'messages',
  'requests',
  'decisions',
  'composing',
  'tables',
  'tree',
  'inbox',
  'inspector',
  'tools',
  'frame',
  'faces',
  'timeline',
  'results',
  'numbers',
] as const
/** The short suite draws each part in one of them, in turn. */
const THEMES = ['light', 'dark'] as const
const isWhole = process.env.CONVENE_ALL === '1'
const OVERLAYS = ['dialog', 'confirm', 'urgent', 'palette', 'peer', 'toast'] as const

const app = serverForFile()

/** The renderer: another browser or other fonts give other pixels. */
const drawnWith = (browserVersion: string): string => `Chromium ${browserVersion}, ${chineseFont()} for Chinese\n`

const GALLERY = '/gallery'

async function show(page: Page, name: string, search = 'theme=light'): Promise<void> {
  await page.setViewportSize({ width: page.viewportSize()?.width ?? WIDTH, height: 900 })
  await navigateTo(page, `${GALLERY}/${name}?${search}`)
  await expect(page.locator('html')).toHaveAttribute('data-theme', search.includes('dark') ? 'dark' : 'light')
  const family = page.locator(`[data-family=${name}]`)
  await expect(family).toBeVisible()
  // Lazy files show skeletons until they have loaded, also behind overlays.
  await expect(family.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
  const height = await family.evaluate((element) => element.getBoundingClientRect().bottom)
  await page.setViewportSize({ width: page.viewportSize()?.width ?? WIDTH, height: Math.ceil(height) + 40 })
}

test('every part in every state matches its accepted picture', async ({ open, browser }, info) => {
  test.skip(process.platform !== 'linux', 'the pictures were drawn on Linux')
  test.setTimeout(480_000)
  const here = drawnWith(browser.version())
  if (['all', 'changed'].includes(info.config.updateSnapshots)) writeFileSync(DRAWN_WITH, here)
  const then = readFileSync(DRAWN_WITH, 'utf8')
  const why =
    here === then ? 'the picture that was accepted' : `drawn here with ${here.trim()}; accepted with ${then.trim()}`
  const page = await open(app.server, 'olga', '/settings/display')
  await waitForLive(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })

  const compare = (name: string, selector: string): Promise<void> =>
    expect.soft(page.locator(selector), `${name}: ${why}`).toHaveScreenshot(`${name}.png`, {
      maxDiffPixelRatio: DIFFERENT_AT_MOST,
    })

  await page.setViewportSize({ width: WIDTH, height: 900 })
  for (const [at, family] of FAMILIES.entries()) {
    for (const theme of isWhole ? THEMES : THEMES.slice(at % 2, (at % 2) + 1)) {
      await show(page, family, `theme=${theme}`)
      await compare(`${family}-${theme}`, '[data-family]')
      // The list of members is shown without its text box: check colours alone.
      const areColoursAlone = family === 'composing' || (isWhole && theme === 'dark')
      expect.soft(await findings(page, '[data-family]', areColoursAlone), `${family}, ${theme}`).toEqual([])
    }
  }
  await show(page, 'requests', 'theme=light&language=zh')
  await compare('requests-zh', '[data-family]')
  await show(page, 'tables', 'theme=light&density=compact')
  await compare('tables-compact', '[data-family] section[aria-label="AgentTable"]')
  await page.setViewportSize({ width: 1024, height: 640 })
  for (const overlay of OVERLAYS) {
    await show(page, 'overlays', `theme=light&open=${overlay}`)
    await compare(`overlay-${overlay}`, '[role=dialog], [role=alertdialog], [data-sonner-toast]')
  }
  await page.setViewportSize({ width: 360, height: 740 })
  // A new page: components mounted on a phone render differently.
  await page.goto(`${app.server.url}${GALLERY}?theme=light`)
  for (const family of ['composing', 'frame'] as const) {
    await show(page, family)
    await compare(`${family}-360`, '[data-family]')
  }
})
