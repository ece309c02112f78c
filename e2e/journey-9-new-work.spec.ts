/** Asking for new work: about files in the workspace, a pasted text, and dropped files. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { LISTS, writeFiles } from './fixtures/work'

const app = serverForFile()

test('a request for work becomes a task that ends with a correct report in the workspace', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  writeFiles(app.server, 'yard', LISTS)
  const page = await open(app.server, 'ana', '/tasks')
  await waitForLive(page)
  await page.getByRole('button', { name: 'New request' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New request' })
  const wish = dialog.getByRole('textbox', { name: 'What do you need?' })
  // The text box has the focus.
  await expect(wish).toBeFocused()
  await expect(dialog).toContainText('yard')
  await wish.fill('Compare the lists in yard and write a report')
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
    .getByRole('article', { name: /^Request from \w+: Allow/ })
    .getByRole('button', { name: 'Approve', exact: true })
    .click()
  const report = join(app.server.workspace, 'yard/report.md')
  await expect
    .poll(() => existsSync(report) && readFileSync(report, 'utf8'))
    .toMatch(/\| bolt \| price \| .*1\.30 \(Ana\)/)
  expect(readFileSync(report, 'utf8')).toContain('3.70')
})

test('the agents work on a pasted list without reading a file', { tag: ['@desktop', '@all'] }, async ({ open }) => {
  const page = await open(app.server, 'olga', '/tasks')
  await waitForLive(page)
  await page.getByRole('button', { name: 'New request' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New request' })
  await dialog.getByRole('textbox', { name: 'What do you need?' }).fill('Compare these lists:')
  const pasted = 'cellar:\nwine: 4.10\nbeer: 2.00\n\nkitchen:\nwine: 4.60\nmilk: 1.50\n'
  await dialog.getByRole('textbox', { name: 'Pasted text' }).fill(pasted)
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto(`${app.server.url}/inbox`)
  const question = page.getByRole('article', { name: /^Request from \w+: .*wine/ })
  await expect(question).toContainText('4.10')
  await question.getByRole('radio', { name: '4.60' }).click()
  await question.getByRole('button', { name: 'Send answer' }).click()
  // 4.60 + 2.00 + 1.50
  await expect(page.getByRole('article').filter({ hasText: '8.10' }).first()).toBeVisible()
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
