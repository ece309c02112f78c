/** No page fetches more at first than it may: bytes and nodes are counted; times are for `npm run bench -- pages`. */

import { expect, isLive, serverForFile, test } from './fixtures/console'
import { budgets, FONTS_KB, firstLoad, NODES } from './fixtures/firstLoad'
import { askAboutLists } from './fixtures/work'

const town = serverForFile()

// A browser tells of each file that it could not fetch.
test.use({ allowedTroubles: /ERR_FAILED/ })

test('the first load of a page stays within its budget', async ({ open, browser }) => {
  const page = await open(town.server, 'ana', '/inbox')
  await isLive(page)
  await askAboutLists(page, town.server, 'scale')
  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  const task = await question.getByRole('link').first().getAttribute('href')
  for (const budget of budgets(task ?? '')) {
    const { scriptsKB, fontsKB, monoKB, nodes } = await firstLoad(browser, town.server, budget)
    // Less than a tenth of it would mean that the measurement missed the page.
    expect.soft(scriptsKB, `scripts of ${budget.name}`).toBeGreaterThan(budget.kB / 10)
    expect.soft(scriptsKB, `scripts of ${budget.name}`).toBeLessThanOrEqual(budget.atMost)
    expect.soft(fontsKB, `typefaces of ${budget.name}`).toBeLessThanOrEqual(FONTS_KB)
    // Nobody has written anything yet on the page of signing in.
    if (budget.name === 'login') expect.soft(monoKB, 'the typeface of code').toBe(0)
    expect.soft(nodes, `nodes of ${budget.name}`).toBeLessThanOrEqual(NODES)
  }
})

/** Words that only the file of menus has. */
const OF_MENUS = /radix-dropdown-menu-content-available-height/

test('a menu whose file cannot be had says so and loses nothing; the next press opens it @desk', async ({ open }) => {
  const page = await open(town.server, 'ana', '/settings/profile')
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    const response = await route.fetch()
    return OF_MENUS.test(await response.text()) ? route.abort() : route.fulfill({ response })
  })
  await page.goto(`${town.server.url}/tasks`)
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  const form = page.getByRole('form', { name: 'Write a message' })
  await form.getByRole('textbox', { name: 'Message' }).fill('Half a thought')
  const button = form.getByRole('button', { name: /^Message type/ })
  await button.click()
  const notice = page.getByRole('region', { name: /^Notifications/ }).getByText('could not be fetched')
  await expect(notice).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought')

  await page.unroute('**/_next/static/chunks/*.js')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'FYI' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Message type: Action required' })).toBeFocused()
  await expect(form.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought')
})
