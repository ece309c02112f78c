/** A tool that may change a file waits for a person, who edits its arguments or refuses. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { arrowTo, INPUT_WAYS, inputOf, tabTo } from './fixtures/input'
import { askForWork, writeFiles } from './fixtures/work'

const app = serverForFile()
const AGREEING = { 'a.csv': 'item,price\nbolt,1.10\n', 'b.csv': 'item,price\nhook,2.00\n' }

for (const way of INPUT_WAYS) {
  test(`a confirmed call runs with the edited arguments and names who approved them, by ${way}`, {
    tag: way === 'keys' ? ['@desktop'] : [],
  }, async ({ open }) => {
    // Each run has its own person and inbox.
    const page = await open(app.server, way === 'keys' ? 'olga' : 'ana')
    const input = inputOf(page, way)
    const shelf = `shelf-${way}`
    await waitForLive(page)
    writeFiles(app.server, shelf, AGREEING)
    await askForWork(page, `Compare the lists in ${shelf} and write a report`)
    const article = page.getByRole('article', { name: /^Request from \w+: Write / })
    await input.press(article.getByRole('button', { name: 'Edit and approve' }))
    await expect(article.getByRole('textbox', { name: /^path/ })).toBeFocused()
    const tab = article.getByRole('tab', { name: 'JSON' })
    if (way === 'mouse') await tab.click()
    else {
      await tabTo(page, article.getByRole('tab', { selected: true }))
      await arrowTo(page, tab, 'ArrowRight')
    }
    const box = article.getByRole('textbox', { name: 'Arguments (JSON)' })
    const given: { path: string; content: string } = JSON.parse(await box.inputValue())
    expect(given.path).toContain('report.md')
    expect(existsSync(join(app.server.workspace, `${shelf}/report.md`))).toBe(false)

    await input.write(box, '{ not json')
    await box.press('Control+Enter')
    await expect(article).toContainText('Not a valid JSON object')
    expect(existsSync(join(app.server.workspace, `${shelf}/report.md`))).toBe(false)

    const content = '# Written by hand\n\nhook 2.00\n'
    await input.write(box, JSON.stringify({ ...given, content }))
    if (way === 'mouse') await article.getByRole('tab', { name: 'Form' }).click()
    else {
      await tabTo(page, article.getByRole('tab', { selected: true }))
      await page.keyboard.press('ArrowLeft')
    }
    await expect(article.getByRole('textbox', { name: /^content/ })).toHaveValue(content)
    const path = article.getByRole('textbox', { name: /^path/ })
    await input.write(path, `${shelf}/edited.md`)
    await path.press('Control+Enter')
    await expect(article).toHaveCount(0)
    const edited = join(app.server.workspace, `${shelf}/edited.md`)
    await expect.poll(() => existsSync(edited) && readFileSync(edited, 'utf8')).toBe(content)
    expect(existsSync(join(app.server.workspace, `${shelf}/report.md`))).toBe(false)

    const part = page.getByRole('article', { name: /^Your part of stage/ })
    const task = await part.getByRole('link').first().getAttribute('href')
    await page.goto(`${app.server.url}${task}/tree`)
    const step = page.getByRole('row', { name: /^tool .*, step of \w+, Done.*Write shelf-\w+\/edited\.md/ })
    if (way === 'mouse') await step.click()
    else {
      await tabTo(page, page.getByRole('main').getByRole('row').and(page.locator('[tabindex="0"]')))
      await arrowTo(page, step)
      await page.keyboard.press('Enter')
    }
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    const tool = inspector.getByRole('tab', { name: 'Tool' })
    if (way === 'mouse') await tool.click()
    else {
      await tabTo(page, inspector.getByRole('tab', { selected: true }))
      await arrowTo(page, tool, 'ArrowRight')
    }
    await expect(inspector).toContainText(`approved by ${way === 'keys' ? 'Olga' : 'Ana'}`)
    await expect(inspector).toContainText('edited.md')
  })
}
