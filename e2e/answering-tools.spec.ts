/** Confirmations: a form, what it would change, a trace of what was changed, and a rule of the task in place of asking. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  collapseUrgentAlways,
  expect,
  navigateTo,
  openItem,
  serverForFile,
  test,
  waitForLive,
} from './fixtures/console'
import { askForWork, writeFiles } from './fixtures/work'

const app = serverForFile()
const AGREEING = { 'a.csv': 'item,price\nbolt,1.10\n', 'b.csv': 'item,price\nhook,2.00\n' }
const BEFORE = '# An old report\n\nNothing in it.\n'

test('[R109, R226] a call is edited as a form, against the file and the proposal, and the settled card keeps the change', async ({
  open,
}) => {
  const page = await open(app.server, 'ana')
  await waitForLive(page)
  await collapseUrgentAlways(page)
  writeFiles(app.server, 'desk', { ...AGREEING, 'report.md': BEFORE })
  // What names its folder and its report is not asked about again.
  await askForWork(page, 'Compare the price lists in desk and write a report to desk/report.md')
  const article = page.getByRole('article', { name: /^Request from \w+: Write / })
  // What the call would do to the file stands first.
  const changes = article.getByRole('figure', { name: 'Changes of desk/report.md' })
  await expect(changes.getByText('Nothing in it.')).toBeVisible()
  await expect(page.getByRole('article', { name: /^Request from Manager/ })).toHaveCount(0)
  // A file that comes late changes nothing that somebody may be reading.
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/\/api\/files\/known\?paths=[^&]*report\.md$/, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  // What cannot be read yet cannot be allowed.
  const approve = article.getByRole('button', { name: 'Approve', exact: true })
  await expect(approve).toBeDisabled()
  await expect(article.getByRole('radio', { name: 'Preview' })).toBeChecked()
  await expect(approve).toBeEnabled()
  letGo()
  await expect(article.getByRole('radio', { name: 'Changes from the file' })).toBeVisible()
  await expect(article.getByRole('radio', { name: 'Preview' })).toBeChecked()
  await expect(
    article
      .getByRole('region', { name: /^Preview of content/ })
      .getByRole('table')
      .first(),
  ).toBeVisible()

  await article.getByRole('button', { name: 'Edit and approve' }).click()
  const path = article.getByRole('textbox', { name: /^path/ })
  await expect(path).toBeFocused()
  await expect(path).toHaveValue(/desk\/report\.md$/)
  const content = article.getByRole('textbox', { name: /^content/ })
  const proposed = await content.inputValue()
  const mine = proposed.replace(/^# .*$/m, '# Checked by hand')
  await content.fill(mine)
  await article.getByRole('radio', { name: 'Changes from the proposal' }).check()
  await expect(article.getByRole('figure', { name: 'Changes of content' })).toContainText('Checked by hand')

  // JSON is the second tab: a slip is named in words with its place, and nothing is lost on the way.
  await article.getByRole('tab', { name: 'JSON' }).click()
  const json = article.getByRole('textbox', { name: 'Arguments (JSON)' })
  expect(JSON.parse(await json.inputValue())).toMatchObject({ content: mine })
  await json.fill('{\n  "path": "desk/report.md')
  await json.press('Control+Enter')
  await expect(article.getByRole('alert')).toContainText('line 2, column')
  await article.getByRole('tab', { name: 'Form' }).click()
  await expect(json).toHaveValue('{\n  "path": "desk/report.md')
  await json.fill(JSON.stringify({ path: 'desk/report.md', content: mine }))
  await page.reload()
  await expect(json).toHaveValue(/Checked by hand/)
  await article.getByRole('tab', { name: 'Form' }).click()
  await expect(content).toHaveValue(mine)
  await path.press('Control+Enter')
  await expect(article).toHaveCount(0)
  const file = join(app.server.workspace, 'desk/report.md')
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(mine)

  await page.getByRole('tab', { name: 'Done' }).click()
  const settled = await openItem(page, /^Request from \w+: Write /)
  const id = await settled.getAttribute('data-id')
  await navigateTo(page, `/requests/${id}`)
  const card = page.getByRole('article', { name: /^Request from \w+: Write / })
  await expect(card).toContainText('Approved with changes by Ana')
  const difference = card.getByRole('region', { name: 'What was changed' })
  await expect(difference).toContainText('Checked by hand')
  await card.getByRole('button', { name: 'Show what was proposed' }).click()
  await expect(card.getByRole('region', { name: 'What was proposed' })).not.toContainText('Checked by hand')
})

test('[R108] an operator allows a tool for one task from the card, and revokes it in the task', {
  tag: '@desktop',
}, async ({ open }) => {
  const ben = await open(app.server, 'ben')
  await waitForLive(ben)
  await collapseUrgentAlways(ben)
  writeFiles(app.server, 'bench', AGREEING)
  await askForWork(ben, 'Compare the lists in bench and write a report')
  const hers = ben.getByRole('article', { name: /^Request from \w+: Write / })
  await expect(hers).toBeVisible()
  await hers.getByRole('button', { name: 'More' }).click()
  // A participant has no such entry.
  await expect(ben.getByRole('menuitem', { name: 'Take it' })).toBeVisible()
  await expect(ben.getByRole('menuitem', { name: 'Tool approvals…' })).toHaveCount(0)
  await ben.keyboard.press('Escape')
  const id = await hers.getAttribute('data-id')
  const task = await hers.getByRole('link').first().getAttribute('href')

  const olga = await open(app.server, 'olga', `/requests/${id}`)
  // A menu closes when its card is drawn anew with the first rows.
  await waitForLive(olga)
  await collapseUrgentAlways(olga)
  const card = olga.getByRole('article', { name: /^Request from \w+: Write / })
  const dialog = olga.getByRole('dialog', { name: 'Tool approvals' })
  const rule = async (choice: string, reason: string): Promise<void> => {
    await card.getByRole('button', { name: 'More' }).click()
    await olga.getByRole('menuitem', { name: 'Tool approvals…' }).click()
    // The strictest that still asks is chosen first.
    await expect(dialog.getByRole('radio', { name: 'asks first', exact: true })).toBeChecked()
    await dialog.getByRole('radio', { name: choice, exact: true }).check()
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill(reason)
    await dialog.getByRole('button', { name: 'Save rule', exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
  await rule('asks first', 'I want to see each of them.')
  // The call that waits is still asked.
  await expect(card.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
  await rule('runs without asking', 'It only writes drafts.')
  await expect(card).toContainText('Approved by Olga')
  await expect.poll(() => existsSync(join(app.server.workspace, 'bench/report.md'))).toBe(true)
  await expect(hers).toHaveCount(0)

  await navigateTo(olga, `${task}`)
  await expect(
    olga.getByText('Olga set files.write_file to always ask in this task · I want to see each of them.'),
  ).toBeVisible()
  await expect(olga.getByText('Olga allowed files.write_file for this task · It only writes drafts.')).toBeVisible()
  await olga.getByRole('button', { name: 'Task actions' }).click()
  await olga.getByRole('menuitem', { name: 'Tool approvals…' }).click()
  const list = olga.getByRole('dialog', { name: 'Tool approvals' })
  await expect(list.getByRole('listitem')).toContainText(/files\.write_file.*runs without asking.*by Olga/)
  await list.getByRole('button', { name: 'Revoke the rule for files.write_file' }).click()
  await expect(list.getByText('No rules. Each tool asks as configured.')).toBeVisible()
  await olga.keyboard.press('Escape')
  await expect(olga.getByText('Olga revoked the rule for files.write_file in this task')).toBeVisible()
})
