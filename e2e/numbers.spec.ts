/** The page of numbers: what it shows is what the tasks used; charts have tables; a participant's are their own. */
import type { Page } from '@playwright/test'
import type { Numbers, StepPage } from '@/lib/wire'
import { checkAccessibility } from './fixtures/axe'
import { collapseUrgentAlways, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { askAna } from './fixtures/work'

const app = serverForFile()

const numbersOf = async (page: Page): Promise<Numbers> => {
  const day = new Date().toISOString().slice(0, 10)
  const answer = await page.request.get(`${app.server.url}/api/numbers?from=${day}&to=${day}`)
  return answer.json()
}

test('[R492] the page shows what the tasks used, each chart also as a table, and can be narrowed to one member', {
  tag: '@desktop',
}, async ({ open }) => {
  const { task } = await askAna(app.server, 'timber')
  const page = await open(app.server, 'ana', '/tasks')
  await collapseUrgentAlways(page)
  await waitForLive(page)
  await page.getByRole('link', { name: 'Numbers' }).click()
  await expect(page.getByRole('heading', { name: 'Numbers', level: 1 })).toBeVisible()

  // What the page says of the task is the sum over its steps.
  const { steps }: StepPage = await (await page.request.get(`${app.server.url}/api${task}/steps`)).json()
  const calls = steps.flatMap((step) => step.calls)
  expect(calls.length).toBeGreaterThan(2)
  const sum = (of: (call: (typeof calls)[number]) => number | null): number =>
    calls.reduce((all, call) => all + (of(call) ?? 0), 0)
  const numbers = await numbersOf(page)
  const own = numbers.tasks.find(({ id }) => task.endsWith(id))
  expect(own).toMatchObject({
    calls: calls.length,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
  })
  await expect(page.getByRole('table', { name: 'By task' }).getByRole('row', { name: /Compare timber/ })).toContainText(
    String(calls.length),
  )

  const chart = page.getByRole('region', { name: 'Tokens', exact: true })
  await expect(chart.locator('canvas')).toBeVisible()
  const toggle = chart.getByRole('button', { name: 'Tokens as a table' })
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(chart.getByRole('table', { name: 'Tokens' }).getByRole('row')).toHaveCount(2)
  await checkAccessibility(page, 'numbers')

  await page.getByRole('button', { name: 'Show only Coder' }).click()
  await expect(page).toHaveURL(/agent=/)
  await expect(page.getByRole('table', { name: 'By member' }).getByRole('row')).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Member' }).click()
  await page.getByRole('option', { name: 'All members' }).click()
  await expect(page).not.toHaveURL(/agent=/)
  await page.goto(`${app.server.url}/tasks`)
  await expect(
    page.getByRole('row', { name: /Compare timber/ }).getByRole('img', { name: /\d+ steps in the last day/ }),
  ).toBeVisible()
})

test('[R489] [R492] a participant sees the numbers of their own tasks, and an empty page says so', {
  tag: ['@phone-in-all', '@all'],
}, async ({ open }) => {
  await askAna(app.server, 'gravel')
  const page = await open(app.server, 'lee', '/numbers')
  await collapseUrgentAlways(page)
  await expect(page.getByText('Of the tasks you are in.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cost', exact: true })).toBeVisible()
  expect((await numbersOf(page)).tasks.map(({ name }) => name)).not.toContain('Compare gravel')
  await expect(page.getByRole('table', { name: 'By task' })).toHaveCount(0)
})
