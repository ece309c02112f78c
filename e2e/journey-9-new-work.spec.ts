/** Asking for new work: about files in the workspace, a pasted text, and dropped files. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { printedLink } from './fixtures/newcomer'
import { LISTS, writeFiles } from './fixtures/work'

const app = serverForFile()
// A newcomer has no session yet: the browser logs the refused request for it.
test.use({ allowedTroubles: /status of 401/ })

test('a request for work becomes a task that ends with a correct report in the workspace', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  writeFiles(app.server, 'yard', LISTS)
  const page = await open(app.server, 'ana', '/tasks')
  await waitForLive(page)
  await page.getByRole('button', { name: 'New request' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New request' })
  const wish = dialog.getByRole('textbox', { name: 'What do you need?' })
  // The text box has the focus, and offers what is in the workspace.
  await expect(wish).toBeFocused()
  await wish.pressSequentially('Compare the lists in @ya')
  await dialog.getByRole('option', { name: 'yard', exact: true }).click()
  await wish.pressSequentially('and write a report')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog).toHaveCount(0)
  const row = page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: /Compare yard/ })
  await expect(row).toBeVisible()

  await page.keyboard.press('Escape')
  await page.goto(`${app.server.url}/inbox`)
  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await question.getByRole('radio', { name: '1.30' }).click()
  await question.getByRole('button', { name: 'Send answer' }).click()
  await page
    .getByRole('article', { name: /^Request from \w+: Write / })
    .getByRole('button', { name: 'Approve', exact: true })
    .click()
  const report = join(app.server.workspace, 'yard/report.md')
  await expect
    .poll(() => existsSync(report) && readFileSync(report, 'utf8'))
    .toMatch(/\| bolt \| price \| .*1\.30 \(Ana\)/)
  expect(readFileSync(report, 'utf8')).toContain('3.70')
})

test('[R764] a newcomer comes from the first page to a result on own files with one sentence and at most six clicks', {
  tag: '@desktop',
}, async ({ open, start }) => {
  const server = await start({
    config: `${readFileSync('config/convene.yaml', 'utf8')}\nrehearsal: { delay_ms: 2 }\n`,
  })
  const page = await open(server, null, await printedLink(server))
  let clicks = 0
  const click = async (part: Locator): Promise<void> => {
    clicks += 1
    await part.click()
  }
  const need = page.getByRole('textbox', { name: 'What do you need?' })
  await expect(need).toBeVisible()
  await waitForLive(page)
  const chooser = page.waitForEvent('filechooser')
  await click(page.getByRole('button', { name: 'Add files' }))
  const files = Object.entries(LISTS).map(([name, text]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) }))
  await (await chooser).setFiles(files)
  await expect(page.getByRole('button', { name: 'Remove west.csv' })).toBeVisible()
  await need.fill('Compare these lists')
  await click(page.getByRole('button', { name: 'Send request' }))
  const question = page.getByRole('article', { name: /^Request from \w+: .*bolt/ })
  await click(question.getByRole('radio', { name: '1.30' }))
  await click(question.getByRole('button', { name: 'Send answer' }))
  await click(page.getByRole('listitem').filter({ hasText: 'price 3.70 in total' }).getByRole('link'))
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('3.70')
  expect(clicks).toBeLessThanOrEqual(6)
})

test('[R144, R270] added files are taken over in the order they were chosen and kept in the workspace, each is read once, and what was not understood is said', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'dana', '/tasks')
  await waitForLive(page)
  await page.getByRole('button', { name: 'New request' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New request' })
  // The first one takes longer than the others.
  await page.route('**/api/attachments', async (route) => {
    if (route.request().postData()?.includes('notes.txt')) await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Add files' }).click()
  await (await chooser).setFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo\nthree\n') },
    { name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('four\n') },
    { name: 'picture.txt', mimeType: 'text/plain', buffer: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1') },
  ])
  await expect(dialog).toContainText("picture.txt isn't a text file")
  const notes = dialog.getByRole('button', { name: 'Remove notes.txt' })
  await expect(notes).toBeVisible()
  const day = new Date().toISOString().slice(0, 10)
  // Stored at once, it is there after a reload.
  await expect.poll(() => existsSync(join(app.server.workspace, `inbox/${day}-1/notes.txt`))).toBe(true)
  // Files added together share a folder.
  await expect.poll(() => existsSync(join(app.server.workspace, `inbox/${day}-1/more.txt`))).toBe(true)
  const wish = dialog.getByRole('textbox', { name: 'What do you need?' })
  const text = 'Count the lines of notes.txt and more.txt. Who wrote the notes?'
  await wish.fill(text)
  const kept = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/api/drafts/task%3Anew-work') &&
      ['notes.txt', 'more.txt'].every((name) => answer.request().postData()?.includes(name)),
  )
  await kept
  await page.reload()
  await page.getByRole('button', { name: 'New request' }).first().click()
  await expect(notes).toBeVisible()
  await expect(wish).toHaveValue(text)
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Request sent with 2 files.')).toBeVisible()
  const row = page.getByRole('table', { name: 'Tasks' }).getByRole('row', { name: /Count notes\.txt, more\.txt/ })
  await expect(row).toContainText('Done')
  // A file that came along and is named in the text is one file.
  await expect(row).not.toContainText('failed')
  await page.getByRole('link', { name: 'Inbox' }).first().click()
  await expect(page.getByText(/nothing is done about it: “Who wrote the notes”/).first()).toBeVisible()
})
