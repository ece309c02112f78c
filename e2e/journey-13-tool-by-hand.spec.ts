/** A person runs a tool by hand: found, filled in, run in a task and stage, its result shown, recorded as their own step. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { tabTo } from './fixtures/input'
import { askForWork, postCommand, writeFiles } from './fixtures/work'

const app = serverForFile()

/** A task with a stage that runs until Ben says that his part is done. */
async function stock(page: Page, name: string): Promise<string> {
  const reply = await postCommand(page, '/api/tasks', {
    name,
    intention: 'Know what is sold',
    manager: 'ana',
    members: ['ben'],
    stages: [{ intention: 'Count the stock', allocation: { ben: 'count it' } }],
    reason: 'to run tools in',
  })
  return typeof reply === 'object' && reply !== null && 'task' in reply ? String(reply.task) : ''
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

test('a tool that reads is run with a form, and its result is a step by Ana', async ({ open }) => {
  const page = await open(app.server, 'ana', '/tools')
  await waitForLive(page)
  await stock(page, 'Shop')
  await page.getByRole('link', { name: /^query/ }).click()
  await choose(page, 'Task', 'Shop')
  await expect(page.getByRole('combobox', { name: 'Stage' })).toContainText('Count the stock')
  await choose(page, 'Stage', /Count the stock/)

  // Missing arguments are reported before anything is sent; what was typed survives a reload.
  await page.getByRole('button', { name: 'Run tool' }).click()
  await expect(page.getByRole('main').getByRole('alert').filter({ hasText: 'Required.' })).toBeVisible()
  await page.getByRole('textbox', { name: /^sql/ }).fill('select name, price from item order by id')
  await expect
    .poll(async () => (await page.request.get(`${app.server.url}/api/drafts/tool:db.query`)).text())
    .toContain('select name')
  await page.reload()
  await expect(page.getByRole('textbox', { name: /^sql/ })).toHaveValue('select name, price from item order by id')
  await expect(page.getByRole('combobox', { name: 'Task' })).toContainText('Shop')

  await page.getByRole('button', { name: 'Run tool' }).click()
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await expect(result.getByRole('row', { name: 'bolt 1.1' })).toBeVisible()
  await expect(result.getByText('3 rows')).toBeVisible()
  await result.getByRole('link', { name: 'Recorded as your step' }).click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('heading', { name: 'Query select name, price from item order by id' })).toBeVisible()
  await expect(inspector.getByText('Ana, manually')).toBeVisible()
  await expect(
    page.getByRole('row', { name: /^tool db, step of Ana, .*Query select name, price from item/ }).first(),
  ).toBeVisible()

  // From the step back to the tool, filled in; the tool's own error is shown.
  await inspector.getByRole('link', { name: 'Run by hand' }).click()
  const box = page.getByRole('textbox', { name: /^sql/ })
  await expect(box).toHaveValue('select name, price from item order by id')
  await box.fill('select nonsense')
  await page.getByRole('button', { name: 'Run tool' }).click()
  await expect(result.getByRole('alert')).toContainText('no such column: nonsense')
})

test('a tool that may change something is shown whole and confirmed first, and then reported in the chat', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', '/tools')
  await waitForLive(page)
  const task = await stock(page, 'Prices')
  await page.getByRole('link', { name: /^write, asks/ }).click()
  await choose(page, 'Task', 'Prices')
  const statement = "update item set price = 1.2 where name = 'bolt'"
  await page
    .getByRole('button', { name: 'JSON' })
    .or(page.getByRole('radio', { name: 'JSON' }))
    .click()
  await page.getByRole('textbox', { name: 'Arguments (JSON)' }).fill(JSON.stringify({ sql: statement }))
  await page.getByRole('button', { name: 'Run tool' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Run db.write?' })
  await expect(dialog).toContainText(statement)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Run tool' }).click()
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('the price rose')
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('changes')
  await page.goto(`${app.server.url}/tasks/${task}`)
  await expect(page.getByText('Olga ran db.write manually · the price rose')).toBeVisible()
})

test('an operator who runs a pending call by hand is not asked to confirm it any more', { tag: '@desktop' }, async ({
  open,
}) => {
  const page = await open(app.server, 'ana')
  await waitForLive(page)
  writeFiles(app.server, 'loft', { 'a.csv': 'item,price\nbolt,1.10\n', 'b.csv': 'item,price\nhook,2.00\n' })
  await askForWork(page, 'Compare the lists in loft and write a report')
  const article = page.getByRole('article', { name: /^Request from \w+: Write / })
  await expect(article).toContainText('report.md', { timeout: 30_000 })
  const id = await article.getAttribute('data-id')
  await page.goto(`${app.server.url}/requests/${id}`)
  const body: { request: { step: string } } = await (
    await page.request.get(`${app.server.url}/api/requests/${id}`)
  ).json()
  // The edited arguments survive a reload and the end of the step.
  await article.getByRole('button', { name: 'Edit and approve' }).click()
  const edited = article.getByRole('textbox', { name: /^path/ })
  await edited.fill('loft/mine.md')
  await page.reload()
  await expect(edited).toHaveValue('loft/mine.md')
  await postCommand(page, `/api/steps/${body.request.step}/cancel`, { reason: 'I do it myself' })
  await expect(article.getByRole('region', { name: 'Your edited arguments' })).toContainText('mine.md')
  await page.getByRole('link', { name: 'Run by hand with these arguments' }).click()
  await expect(page.getByRole('textbox', { name: /^path/ })).toHaveValue('loft/mine.md')
  await page.getByRole('button', { name: 'Run tool' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Run', exact: true }).click()
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await expect(result).toContainText('Successfully wrote to loft/mine.md')
  expect(existsSync(join(app.server.workspace, 'loft/mine.md'))).toBe(true)
})

test('a tool is run by keyboard alone', { tag: '@desktop' }, async ({ open }) => {
  const page = await open(app.server, 'ana')
  await waitForLive(page)
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page.getByRole('heading', { name: 'Tools', level: 1 })).toBeFocused()
  const link = page.getByRole('link', { name: /^query/ })
  await expect(link).toBeVisible()
  await tabTo(page, link)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const task = page.getByRole('combobox', { name: 'Task' })
  await tabTo(page, task)
  await page.keyboard.press('Enter')
  // Focus enters the list, and moves in it, after the key.
  await expect(page.getByRole('option', { selected: true })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(page.getByRole('option').first()).toBeFocused()
  await page.keyboard.press('Enter')
  const box = page.getByRole('textbox', { name: /^sql/ })
  await tabTo(page, box)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('select count(*) as items from item')
  await tabTo(page, page.getByRole('button', { name: 'Run tool' }))
  await page.keyboard.press('Enter')
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await expect(result.getByRole('cell', { name: '3' })).toBeVisible()
  await tabTo(page, result.getByRole('link', { name: 'Recorded as your step' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Inspector' }).getByText('Ana, manually')).toBeVisible()
})

test('people are offered only their own tools', { tag: ['@desktop', '@all'] }, async ({ open }) => {
  const ben = await open(app.server, 'ben', '/tools')
  await expect(ben.getByRole('link', { name: /^query, read-only/ })).toBeVisible()
  await expect(ben.getByRole('link', { name: /^write_file/ })).toHaveCount(0)
  await ben.goto(`${app.server.url}/tools/files/write_file`)
  await expect(ben.getByRole('main').getByRole('alert')).toContainText("You don't have access to the tools of files.")
  await ben.goto(`${app.server.url}/tools/db/burn`)
  await expect(ben.getByRole('main').getByRole('alert')).toContainText('db no longer has a tool named burn.')
  const lee = await open(app.server, 'lee', '/tools')
  await expect(lee.getByRole('heading', { name: 'No tools available to you' })).toBeVisible()
})
