/** A change of a result is asked for where it is read: by a mark, by keyboard; both tasks link to each other. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, serverForFile, test } from '../fixtures/console'
import { finishTask } from '../fixtures/work'

const app = serverForFile()
const FINISHED_WITHIN_MS = 90_000

// The browser logs each refused request.
test.use({ allowedTroubles: /status of 413/ })

test.beforeEach(() => test.setTimeout(FINISHED_WITHIN_MS + 90_000))

const resultOf = (page: Page) => page.getByRole('region', { name: 'Result' })

/** As a reader marks text with the mouse. */
const mark = (page: Page, text: string): Promise<void> =>
  resultOf(page)
    .getByText(text)
    .first()
    .evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const selection = window.getSelection()
      selection?.removeAllRanges()
      selection?.addRange(range)
    })

test('[R513] a marked passage and a comment become a task that begins with the files, and both pages link to each other', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  const first = await finishTask(app.server, 'yard')
  const page = await open(app.server, 'ana', first)
  const result = resultOf(page)
  await expect(result.getByText(/^Compare yard:/)).toBeVisible()
  await mark(page, 'Compare yard:')
  await result.getByRole('button', { name: 'Ask for a change to this' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for a change of “Compare yard”' })
  await expect(dialog.getByRole('figure')).toContainText('Compare yard: price 3.50 in total')
  const comment = dialog.getByRole('textbox', { name: 'What should change?' })
  await comment.fill('Make it friendlier.')
  // What is typed is a draft: it is there after a reload, with its passage.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.reload()
  await result.getByRole('button', { name: 'Ask for a change…' }).click()
  await expect(comment).toHaveValue('Make it friendlier.')
  await expect(dialog.getByRole('figure')).toContainText('Compare yard: price 3.50 in total')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Change requested.')).toBeVisible()
  await expect(dialog).toBeHidden()
  // The manager makes the task; this page learns of it without a reload.
  const links = page.getByRole('list', { name: 'Linked tasks' })
  await expect(links).toHaveText('Changed by Change Compare yard', { timeout: FINISHED_WITHIN_MS })
  await links.getByRole('link', { name: 'Change Compare yard' }).click()
  await expect(links).toHaveText('A change of Compare yard')
  await expect(resultOf(page).getByText(/^Change Compare yard: not finished/)).toBeVisible({
    timeout: FINISHED_WITHIN_MS,
  })
  await expect(resultOf(page).getByRole('row', { name: /^Change asked for in “Compare yard”/ })).toContainText(
    'Make it friendlier.',
  )
  await expect(resultOf(page).getByRole('row', { name: /^Files read/ })).toContainText('yard/report.md')
  await links.getByRole('link', { name: 'Compare yard' }).click()
  await expect(page).toHaveURL(new RegExp(`${first}$`))
})

test('[R513] each part of a result has a button for the keyboard, and a refusal keeps what was typed', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'ana', await finishTask(app.server, 'shed'))
  const result = resultOf(page)
  await result.getByRole('button', { name: 'Ask for a change to the facts' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('figure')).toContainText('Total of price: 3.50')
  await expect(dialog.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true')
  const long = 'x'.repeat(16 * 1024 + 1)
  await dialog.getByRole('textbox').fill(long)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The comment')
  await expect(dialog.getByRole('textbox')).toHaveValue(long)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog.getByRole('figure')).toHaveCount(0)
})

test('[R516] the preview of a file shows the version of the result, and leads to the current one', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  const page = await open(app.server, 'ana', await finishTask(app.server, 'barn'))
  const result = resultOf(page)
  await result.getByRole('button', { name: 'Preview report.md' }).click()
  await expect(result.getByRole('article', { name: 'report.md' })).toContainText('3.50')
  await expect(result.getByText('The file has changed since.')).toHaveCount(0)
  // Changed on the disk, which no step records: the preview stays as the task left the file.
  const path = join(app.server.workspace, 'barn/report.md')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('3.50', '9.99'))
  await page.reload()
  await result.getByRole('button', { name: 'Preview report.md' }).click()
  await expect(result.getByRole('article', { name: 'report.md' })).toContainText('3.50')
  await expect(result.getByRole('article', { name: 'report.md' })).not.toContainText('9.99')
})

test('[R515] the result of my request is a line with its headline in the inbox, and is read once its page was open', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  await finishTask(app.server, 'mill')
  const page = await open(app.server, 'ana', '/inbox')
  const row = page.getByRole('listitem').filter({ hasText: 'Compare mill: price 3.50 in total' })
  await row.getByRole('link').click()
  await page.getByRole('link', { name: 'Open task' }).click()
  await expect(resultOf(page).getByText(/^Compare mill:/)).toBeVisible()
  await page.waitForResponse((answer) => answer.url().endsWith('/api/receipts'))
  await page.goto(`${app.server.url}/inbox`)
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await expect(row).toHaveCount(0)
})
