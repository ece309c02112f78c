/** Many items in the inbox: lines that open, filters kept as views, one act on several, snoozed ones. */

import { collapseUrgentAlways, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { askAna, postCommand } from './fixtures/work'

const app = serverForFile()

test('[R138, R139, R140, R141] rows open by keys, a filter is kept as a view, several are done at once, a snoozed one is brought back', {
  tag: '@desktop',
}, async ({ open }) => {
  await askAna(app.server, 'shed')
  const page = await open(app.server, 'ana', '/inbox')
  await waitForLive(page)
  await collapseUrgentAlways(page)
  const tasks: Record<string, { task_id: string; task_name: string }> = await (
    await page.request.get(`${app.server.url}/api/states?type=task`)
  ).json()
  const task = Object.values(tasks).find(({ task_name }) => /base/.test(task_name))?.task_id
  const ben = await open(app.server, 'ben', '/settings/profile')
  const { person } = await (await page.request.get(`${app.server.url}/api/me`)).json()
  const about = { stage: null, answers: null, replyTo: null, mention: true }
  for (const text of ['Weigh the flour', 'Light the oven'])
    await postCommand(ben, '/api/messages', { task, receivers: [person.agent_id], type: 'action', text, ...about })

  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  const box = question.getByRole('textbox', { name: 'Your answer' })
  const flour = page.getByRole('article', { name: /Weigh the flour/ })
  await expect(flour).toBeVisible()
  await expect(box).toBeVisible()
  await question.focus()
  await page.keyboard.press('x')
  await expect(box).toHaveCount(0)
  await expect(question).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(box).toBeVisible()

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Action required' }).click()
  await expect(question).toHaveCount(0)
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('Chores')
  await page.keyboard.press('Enter')
  const view = page.getByRole('list', { name: 'Saved views' }).getByRole('link', { name: 'Chores' })
  await expect(view).toBeVisible()
  await page.goto(`${app.server.url}/inbox`)
  await expect(question).toBeVisible()
  await view.click()
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL(/kind=action/)

  await page.getByRole('button', { name: 'Select' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Mark 2 as done' }).click()
  await expect(page.getByText('2 items marked as done.')).toBeVisible()
  await expect(flour).toHaveCount(0)

  await page.goto(`${app.server.url}/inbox`)
  await question.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Remind me in 15 minutes' }).click()
  await page.getByRole('link', { name: 'Reminders · 1' }).click()
  await expect(question).toContainText('bolt')
  await page.getByRole('button', { name: 'Bring back now' }).click()
  await expect(page.getByText('No matching items')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(question).toBeVisible()
})
