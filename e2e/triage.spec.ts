/** Many items in the inbox: lines that open, filters kept as views, one act on several, snoozed ones. */
import type { Page } from '@playwright/test'
import { LANGUAGE_COOKIE } from '../lib/i18n/locale'
import { collapseUrgentAlways, expect, openRow, serverForFile, test, waitForLive } from './fixtures/console'
import { messageTo, planOf, scriptedTeam, startModelServer, taskByForm } from './fixtures/modelServer'
import { askAna, postCommand, sendMessage } from './fixtures/work'

const app = serverForFile()

// One answer of the server is replaced by a refusal.
test.use({ allowedTroubles: /status of 409/ })

test('[R138, R139, R140, R141] rows open by keys, a filter is kept as a view, several are done at once, a snoozed one is brought back', {
  tag: '@desktop',
}, async ({ open }) => {
  await askAna(app.server, 'shed')
  const page = await open(app.server, 'ana', '/inbox')
  await waitForLive(page)
  await collapseUrgentAlways(page)
  const ben = await open(app.server, 'ben', '/settings/profile')
  // Of the last only the beginning is on screen: it is announced.
  for (const text of ['Weigh the flour', 'Light the oven', `Clean the shop. ${'Every shelf of it. '.repeat(40)}`])
    await sendMessage(ben, 'ana', text, 'action')

  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  const box = question.getByRole('textbox', { name: 'Your answer' })
  const flour = page.getByRole('article', { name: /Weigh the flour/ })
  await expect(flour).toBeVisible()
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: 'Clean the shop' })).toBeVisible()
  await expect(box).toBeVisible()
  await question.focus()
  await page.keyboard.press('x')
  await expect(box).toHaveCount(0)
  await expect(question).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(box).toBeVisible()

  await page.getByRole('button', { name: 'Filter' }).click()
  const choose = async (filter: 'From' | 'Task' | 'Type', value: string | RegExp): Promise<void> => {
    await page.getByRole('combobox', { name: filter }).click()
    await page.getByRole('option', { name: value }).click()
  }
  await choose('From', 'Ben')
  await expect(question).toHaveCount(0)
  await expect(flour).toBeVisible()
  await choose('From', 'Anyone')
  await choose('Task', /shed/)
  await expect(flour).toHaveCount(0)
  await expect(question).toBeVisible()
  await choose('Task', 'Any task')
  await choose('Type', 'Action required')
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
  const filter = page.getByRole('button', { name: 'Filter' })
  await expect(filter).toHaveAttribute('aria-expanded', 'true')
  await filter.click()
  await expect(filter).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveCount(0)
  await expect(page.getByText('Filters are on.')).toBeVisible()

  await page.getByRole('button', { name: 'Select' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Mark 3 as done' }).click()
  await expect(page.getByText('3 items marked as done.')).toBeVisible()
  await expect(flour).toHaveCount(0)
  // With no row left nothing is counted as selected.
  const bar = page.getByRole('region', { name: 'Selected items' })
  await expect(bar).not.toContainText('Nothing selected')
  await bar.getByRole('button', { name: 'Undo' }).click()
  await expect(bar).toContainText('Undone.')
  await expect(flour).toBeVisible()

  await page.goto(`${app.server.url}/inbox`)
  await question.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Remind me in 15 minutes' }).click()
  await page.getByRole('link', { name: 'Reminders · 1' }).click()
  await expect(question).toContainText('bolt')
  await page.getByRole('button', { name: 'Bring back now' }).click()
  await expect(page.getByText('No matching items')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(question).toBeVisible()

  // One refusal stops none of the others, says why, and stays selected.
  await page.getByRole('button', { name: 'Select' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  const settle = '**/api/messages/*/done'
  await page.route(
    settle,
    (route) => route.fulfill({ status: 409, json: { error: 'LATE', message: 'it is locked', status_code: 409 } }),
    {
      times: 1,
    },
  )
  await page.getByRole('button', { name: 'Mark 3 as done' }).click()
  await expect(bar).toContainText('2 items marked as done.')
  await expect(bar).toContainText("1 item couldn't be updated:")
  await expect(bar.getByRole('listitem')).toContainText('it is locked')
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Undo' }).click()
  await expect(flour).toBeVisible()

  for (const text of ['The oven smokes', 'The door jams']) await sendMessage(ben, 'ana', text, 'urgent')
  await expect(page.getByRole('article', { name: /The door jams/ })).toBeVisible()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Acknowledge 3' }).click()
  await expect(bar).toContainText('3 items acknowledged.')
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Hand over 6…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over your items' })
  await dialog.getByRole('combobox', { name: 'To' }).click()
  await page.getByRole('option', { name: 'Olga' }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('I leave at noon.')
  await dialog.getByRole('button', { name: 'Hand over 6 items' }).click()
  await expect(bar).toContainText('6 items handed over.')
})

const scrollsSideways = (page: Page): Promise<boolean> =>
  page
    .locator('[data-pane=main] [data-scroll]')
    .first()
    .evaluate((element) => element.scrollWidth > element.clientWidth)

test('[R138, R140, R141] a request is one line, on a phone too; nothing scrolls sideways, and two questions get one answer', {
  tag: '@desktop',
}, async ({ open, start }) => {
  const model = await startModelServer(({ skill, stage }) =>
    skill === 'planning'
      ? planOf('send_message', 'ask which list holds')
      : messageTo('ana', 'Which list holds?', stage, true),
  )
  try {
    const server = await start({
      config: scriptedTeam(model.url, [{ name: 'Boss', isManager: true }, { name: 'Reader' }, { name: 'Writer' }]),
    })
    const page = await open(server, 'ana', '/inbox')
    await collapseUrgentAlways(page)
    await waitForLive(page)
    for (const agent of ['reader', 'writer']) {
      const stages = [{ intention: 'Read the lists', allocation: { [agent]: 'Read them.' } }]
      await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', agent], stages, `Lists of ${agent}`))
    }
    const requests = page.locator('article[data-kind=answer]')
    await expect(requests).toHaveCount(2)
    const line = page.locator('article[data-kind=answer]:has([data-fold=closed])')
    await expect(line).toHaveCount(1)
    await expect(line.getByRole('button', { name: 'Review' })).toHaveAttribute('aria-description', 'Which list holds?')
    const heightOf = async (): Promise<number> => (await line.boundingBox())?.height ?? 0
    expect(await heightOf()).toBeLessThanOrEqual(48)

    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(heightOf).toBeLessThanOrEqual(64)
    const card = page.locator('article[data-kind=answer]:has([data-fold=open])')
    const remind = page.getByRole('menuitem', { name: 'Remind me in 15 minutes' })
    // The Urgent that comes meanwhile closes the menu.
    await expect(async () => {
      if ((await remind.count()) === 0) await card.getByRole('button', { name: 'More' }).click({ timeout: 3_000 })
      await remind.click({ timeout: 3_000 })
    }).toPass()
    await expect(page.getByRole('link', { name: 'Reminders · 1' })).toBeVisible()
    expect(await scrollsSideways(page)).toBe(false)
    await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: 'zh', url: server.url }])
    await page.goto(`${server.url}/inbox`)
    await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
    await expect(page.locator('a[href*="snoozed=1"]')).toBeVisible()
    expect(await scrollsSideways(page)).toBe(false)
    await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: 'en', url: server.url }])

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${server.url}/inbox`)
    await openRow(requests.first())
    await page.getByRole('button', { name: 'Select' }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Answer 2…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Same answer to several questions' })
    await dialog.getByRole('textbox', { name: 'Your answer' }).fill('The older one.')
    await dialog.getByRole('button', { name: 'Send to 2 questions' }).click()
    await expect(page.getByText('2 questions answered.')).toBeVisible()
  } finally {
    await model.close()
  }
})
