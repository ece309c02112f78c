/** An archive that was exported is opened from its file by an operator, read, and removed. */
import type { Page } from '@playwright/test'
import { expect, navigateTo, serverForFile, test } from './fixtures/console'
import { finishTask } from './fixtures/work'

const app = serverForFile()
const ARCHIVED = '/tasks?state=archived'

// The browser logs each refused request.
test.use({ allowedTroubles: /status of 4(22|04)/ })

async function archiveOf(page: Page, task: string): Promise<Buffer> {
  const answer = await page.request.get(new URL(`/api${task}/export?as=archive`, page.url()).href)
  expect(answer.status()).toBe(200)
  return answer.body()
}

/** Chooses a file in the list of opened archives. */
async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open an archive…' }).click()
  await (await choosing).setFiles({ name, mimeType: 'application/zip', buffer })
}

test('[R529] an operator opens a file, reads its chat, tree and result, finds nothing to press, and removes it @phone-in-all', async ({
  open,
}, info) => {
  test.setTimeout(180_000)
  const folder = `opened-${info.project.name}`
  const task = await finishTask(app.server, folder)
  const page = await open(app.server, 'ana', ARCHIVED)
  const list = page.getByRole('region', { name: 'Opened from files' })
  await expect(list).toContainText('No archive is open.')

  await choose(page, 'notes.zip', Buffer.from('no archive'))
  await expect(list.getByRole('status')).toContainText("isn't a ZIP file")
  await choose(page, `${folder}.zip`, await archiveOf(page, task))
  await expect(page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/)
  expect(new URL(page.url()).pathname).not.toBe(task)
  const mark = page.locator('[data-kind=opened]')
  await expect(mark).toContainText('Opened from a file, read only')
  await expect(mark).toContainText(`${folder}.zip`)
  await expect(mark).toContainText('opened by Ana')
  await expect(page.getByText("This task was opened from a file, so it's read-only.")).toBeVisible()
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByText(`Compare ${folder}: price 3.50 in total, from 2 files.`)).toBeVisible()
  await expect(result.getByRole('button', { name: 'Ask for a change' })).toHaveCount(0)
  await expect(result.getByRole('link', { name: 'Ask again' })).toHaveCount(0)
  // The workspace has a file of that path: it is another one.
  await expect(result.getByRole('link', { name: `${folder}/report.md`, exact: true })).toHaveCount(0)
  await page
    .getByRole('tab', { name: 'Tree' })
    .or(page.getByRole('link', { name: 'Tree' }))
    .first()
    .click()
  await expect(page.getByRole('treegrid').or(page.getByRole('tree')).first()).toContainText('Tester')

  await navigateTo(page, ARCHIVED)
  await expect(list.getByRole('link', { name: new RegExp(folder) })).toBeVisible()
  await list.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(list).toContainText('No archive is open.')
})
