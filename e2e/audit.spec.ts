/** The audit: who did what, by filters in the address, as a file, for operators alone. */
import { readFile } from 'node:fs/promises'
import { expect, navigateTo, serverForFile, test } from './fixtures/console'
import { postCommand, sendMessage } from './fixtures/work'

const app = serverForFile()
const AUDIT = '/settings/system/audit'

test('[R524] an operator finds who did what and from where, by filters, and downloads it @phone-in-all', async ({
  open,
}, info) => {
  const ben = await open(app.server, 'ben', '/inbox')
  await sendMessage(ben, 'ana', 'a private word', 'fyi')
  const page = await open(app.server, 'ana', '/settings/profile')
  await postCommand(page, '/api/tasks', {
    name: 'Price page',
    intention: 'All prices',
    manager: 'ana',
    members: ['ben'],
    stages: [],
    reason: 'a customer asked',
  })
  await page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name: 'Audit' }).click()
  await expect(page).toHaveURL(new RegExp(`${AUDIT}$`))
  const table = page.getByRole('table', { name: 'What people did' })
  const made = table.getByRole('row', { name: /Ana created the task Price page · a customer asked/ })
  const wrote = table.getByRole('row', { name: /Sent a message to Ana/ })
  await expect(made).toContainText('127.0.0.1')
  await expect(wrote).toContainText('Ben')
  await expect(page.getByRole('main')).not.toContainText('private')

  const filters = page.getByRole('search', { name: 'Filters' })
  await filters.getByRole('combobox', { name: 'Person' }).click()
  await page.getByRole('option', { name: /^Ben/ }).click()
  await expect(made).toHaveCount(0)
  await expect(wrote).toBeVisible()
  await filters.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Team and setup' }).click()
  await expect(page.getByRole('heading', { name: 'No matching acts' })).toBeVisible()
  // The address is the filter: it survives a reload.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No matching acts' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(made).toBeVisible()

  await filters.getByLabel('From day').fill('2026-02-02')
  await filters.getByLabel('To day').fill('2026-02-01')
  await expect(filters.getByRole('alert')).toHaveText('The first day is after the last one.')
  await filters.getByLabel('To day').fill('2026-02-03')
  await expect(page.getByRole('heading', { name: 'No matching acts' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download all as CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('convene-audit.csv')
  expect(await readFile(await file.path(), 'utf8')).toContain('Ana created the task Price page')

  if (info.project.name === 'desktop') {
    // The keys of every table of records.
    await page.keyboard.press('j')
    await expect(table.getByRole('link').first()).toBeFocused()
  }
  await made.getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Price page', level: 1 })).toBeVisible()
})

test('[R524] who is no operator is told so and asks for nothing; the other language has its words', {
  tag: ['@phone-in-all', '@all'],
}, async ({ open }) => {
  const ben = await open(app.server, 'ben', '/inbox')
  await navigateTo(ben, AUDIT)
  await expect(ben.getByText('Only operators see who did what.')).toBeVisible()
  await expect(ben.getByRole('table')).toHaveCount(0)
  await expect(
    ben.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name: 'Audit' }),
  ).toHaveCount(0)
  await sendMessage(ben, 'ana', 'another word', 'fyi')
  const ana = await open(app.server, 'ana', '/settings/language')
  await ana.getByRole('radio', { name: '中文' }).check()
  await navigateTo(ana, AUDIT)
  await expect(ana.getByRole('table', { name: '人们做过的事' })).toContainText('向 Ana 发送了消息')
})
