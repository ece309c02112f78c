/** A person has a part of a stage, like an agent: they say when it is done, and then the stage is judged. */
import { collapseUrgentAlways, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { askForWork, writeFiles } from './fixtures/work'

const app = serverForFile()
const AGREEING = { 'north.csv': 'item,price\nbolt,1.10\n', 'south.csv': 'item,price\nhook,2.00\n' }

test('a person’s part ends when they say so, and then the manager judges the stage', async ({ open }) => {
  const page = await open(app.server, 'ana')
  await waitForLive(page)
  await collapseUrgentAlways(page)
  writeFiles(app.server, 'bench', AGREEING)
  await askForWork(page, 'Compare the lists in bench and write a report')
  await page
    .getByRole('article', { name: /^Request from \w+: Write / })
    .getByRole('button', { name: 'Approve', exact: true })
    .click()
  const part = page.getByRole('article', { name: /^Your part of stage/ })
  const task = await part.getByRole('link').first().getAttribute('href')
  // A text is required: the manager reads it.
  await part.getByRole('button', { name: 'Mark complete' }).click()
  await expect(part).toContainText('Add a sentence')
  await part.getByRole('textbox', { name: 'What did you do?' }).fill('I read it, it is right.')
  await part.getByRole('button', { name: 'Mark complete' }).click()
  await expect(part).toHaveCount(0)

  await page.goto(`${app.server.url}${task}/tree`)
  await expect(page.getByRole('row', { name: /^Ana, person, Done/ }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /, task, Done/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /^task_manager, step of Manager, Done/ }).first()).toBeAttached()
})

test('a person returns their part with a reason, and the manager plans anew', { tag: ['@desktop', '@all'] }, async ({
  open,
}) => {
  const page = await open(app.server, 'olga')
  await waitForLive(page)
  await collapseUrgentAlways(page)
  writeFiles(app.server, 'rack', AGREEING)
  await askForWork(page, 'Compare the lists in rack and write a report')
  const allow = page.getByRole('article', { name: /^Request from \w+: Write / })
  await allow.getByRole('button', { name: 'Approve', exact: true }).click()
  const part = page.getByRole('article', { name: /^Your part of stage/ })
  await part.getByRole('button', { name: "I can't do this" }).click()
  await part.getByRole('textbox', { name: 'Why not?' }).fill('leave out south')
  await part.getByRole('button', { name: "I can't do this" }).click()
  // The stage is retried: another report waits for confirmation, now without that list. A file that is there is shown as changes first.
  await expect(allow.getByRole('radio', { name: 'Changes from the file' })).toBeChecked()
  await allow.getByRole('radio', { name: 'Text' }).check()
  await expect(allow).toContainText('bolt')
  await expect(allow).not.toContainText('hook')
  // What was done anew is no failure in the words of the chat.
  await allow.getByRole('link').first().click()
  const chat = page.getByRole('log', { name: /^Group chat of/ })
  await expect(chat).toContainText('is being retried')
  await expect(chat).not.toContainText(/failed/i)
})
