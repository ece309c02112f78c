/**
 * All pages with little room: 360 px in the pseudo-language, whose texts are 40 % longer; a window zoomed to 200 %; the largest
 * text. Only elements with their own scroller scroll sideways, and forced colours keep edges.
 */
import type { Page } from '@playwright/test'
import { DISPLAY_KEY } from '@/client/themeScript'
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { askAna, finishTask } from './fixtures/work'

const app = serverForFile()

/** Elements that overflow the right edge without their own scroller. */
const wide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    const isHeld = (element: Element): boolean => {
      for (let up = element.parentElement; up !== null; up = up.parentElement) {
        const { overflowX } = getComputedStyle(up)
        if (overflowX !== 'visible' && up.getBoundingClientRect().right <= edge + 1) {
          // Hidden overflow inside a part is truncated on purpose, at the edge of a pane it is lost; auto scrolls, where keys can reach it.
          if (overflowX === 'hidden' || overflowX === 'clip') return !up.matches('[data-pane], body')
          return up.hasAttribute('tabindex') || up.matches('ol, nav, [role=tablist], table *')
        }
      }
      return false
    }
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { right, width, height } = element.getBoundingClientRect()
        return width > 1 && height > 1 && right > edge + 1 && !isHeld(element)
      })
      .map((element) => `${element.tagName.toLowerCase()} ${element.className.toString().slice(0, 60)}`)
      .slice(0, 5)
  })

/** Sideways scrollers without a name or focus. */
const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body, main, main > *, [data-pane] > *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
      .map((element) => `${element.tagName.toLowerCase()} ${element.className.toString().slice(0, 60)}`),
  )

async function walk(page: Page, addresses: readonly string[], what: string): Promise<void> {
  await page.goto(`${app.server.url}/inbox`)
  for (const address of addresses) {
    await navigateTo(page, address)
    await isLiveAnyLanguage(page)
    expect.soft(await wide(page), `${what}: ${address}`).toEqual([])
    expect.soft(await sideways(page), `${what}: ${address} scrolls sideways`).toEqual([])
  }
}

/** The chip's name is in another language here. */
const isLiveAnyLanguage = async (page: Page): Promise<void> => {
  await expect(page.locator('main h1').first()).toBeAttached()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
}

test('no page scrolls sideways', { tag: '@desktop' }, async ({ open }) => {
  test.setTimeout(480_000)
  const finished = await finishTask(app.server, 'shed')
  const { task } = await askAna(app.server, 'walk')
  // Ana is asked: her inbox has a row.
  const page = await open(app.server, 'ana', '/agents')
  // Her Urgent may stand over the page already.
  const agent =
    (await page.getByRole('link', { name: 'Coder, agent', includeHidden: true }).first().getAttribute('href')) ?? ''
  const pages = [
    '/inbox',
    '/inbox?view=waiting',
    '/tasks',
    task,
    `${task}/tree`,
    `${task}/timeline`,
    finished,
    '/files',
    '/files/shed/west.csv',
    '/agents',
    agent,
    '/tools',
    '/direct',
    '/notices',
    '/directory/peers',
    '/directory/exchange',
    '/search?q=bolt',
    '/waits',
    '/settings/profile',
    '/settings/notifications',
    '/settings/display',
    '/settings/people',
    '/settings/models',
    '/settings/templates',
    '/settings/system',
    '/settings/system/audit',
    '/gallery/requests',
    '/gallery/messages',
    '/help',
  ]
  await page.context().addCookies([{ name: 'convene_language', value: 'en-XA', url: app.server.url }])
  await page.setViewportSize({ width: 360, height: 740 })
  await walk(page, pages, 'en-XA at 360')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-XA')
  // A wide element is detected, so the check works.
  await page.locator('main').evaluate((main) => {
    const bar = main.appendChild(document.createElement('hr'))
    bar.style.cssText = 'width: 500px; height: 9px; position: fixed; top: 0; left: 0'
  })
  expect(await wide(page)).toHaveLength(1)

  // A window of 1280 px zoomed to 200 % has 640 CSS px; the largest text is 1.3 times as big.
  await page.context().addCookies([{ name: 'convene_language', value: 'en', url: app.server.url }])
  await page.setViewportSize({ width: 640, height: 400 })
  await page.evaluate((key) => localStorage.setItem(key, JSON.stringify({ scale: 130 })), DISPLAY_KEY)
  await walk(
    page,
    ['/inbox', '/tasks', task, `${task}/tree`, `${task}/timeline`, '/waits', '/settings/display'],
    '130 % at 640',
  )
  await expect(page.locator('html')).toHaveAttribute('data-scale', '130')
})

// A phone widens its window to overflowing content, and then puts dialogs beside the screen.
test('on a phone the window stays as wide as the screen, however long a truncated line is', async ({ open }, info) => {
  test.skip(info.project.name !== 'phone', 'the window of a desk never grows')
  const { task } = await askAna(app.server, 'walk')
  const page = await open(app.server, 'ana', task)
  const strip = page.getByRole('region', { name: 'Waiting for you in this task' })
  await expect(strip).toBeVisible()
  // The waiting member has a long name: the text for screen readers is behind the truncated one.
  await strip
    .locator('b')
    .first()
    .evaluate((name) => name.append(' of the northern warehouses'.repeat(4)))
  await strip.evaluate((element) => element.getBoundingClientRect().width)
  expect(await page.evaluate(() => window.innerWidth)).toBe(360)
})

test('forced colours keep the edges of chips and cards; more contrast darkens the tertiary text', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', '/gallery/marks?theme=light')
  await waitForLive(page)
  const chip = page.locator('[data-family] [data-state=waiting]').first()
  const third = page.locator('[data-family] p.text-t3').first()
  const colour = (): Promise<string> => third.evaluate((element) => getComputedStyle(element).color)
  const usual = await colour()
  await page.emulateMedia({ contrast: 'more' })
  expect(await colour()).not.toBe(usual)
  await page.emulateMedia({ contrast: null, forcedColors: 'active' })
  const edge = await chip.evaluate((element) => {
    const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element)
    return { borderTopWidth, borderTopStyle, isSeen: borderTopColor !== backgroundColor }
  })
  expect(edge).toEqual({ borderTopWidth: '1px', borderTopStyle: 'solid', isSeen: true })
  await page.emulateMedia({ forcedColors: null, reducedMotion: 'reduce' })
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1).length,
  )
  expect(moving).toBe(0)
})
