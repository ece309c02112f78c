/** First loads stay within their budgets of bytes, nodes and layout shift; times are measured by `npm run bench -- pages`. */
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { budgets, FONTS_KB, firstLoad, NODES, SHIFT } from './fixtures/firstLoad'
import { askAboutLists } from './fixtures/work'

const app = serverForFile()

test('the first load of a page stays within its budget', async ({ open, browser }) => {
  const page = await open(app.server, 'ana', '/inbox')
  await waitForLive(page)
  await askAboutLists(page, app.server, 'scale')
  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  const task = await question.getByRole('link').first().getAttribute('href')
  for (const budget of budgets(task ?? '')) {
    const { scriptsKB, fontsKB, monoKB, nodes, shift } = await firstLoad(browser, app.server, budget)
    // Less than a tenth would mean that the measurement missed the page.
    expect.soft(scriptsKB, `scripts of ${budget.name}`).toBeGreaterThan(budget.kB / 10)
    expect.soft(scriptsKB, `scripts of ${budget.name}`).toBeLessThanOrEqual(budget.kB)
    expect.soft(fontsKB, `typefaces of ${budget.name}`).toBeLessThanOrEqual(FONTS_KB)
    // The sign-in page has no Markdown and no code.
    if (budget.name === 'login') expect.soft(monoKB, 'the typeface of code').toBe(0)
    expect.soft(nodes, `nodes of ${budget.name}`).toBeLessThanOrEqual(NODES)
    expect.soft(shift, `how far ${budget.name} moves while it comes`).toBeLessThanOrEqual(SHIFT)
  }
})
