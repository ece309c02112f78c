/** The timeline of a task: its rows are the steps of the task, its picture follows time, zoom and theme. */
import type { Locator, Page } from '@playwright/test'
import type { StepPage } from '@/lib/wire'
import { checkAccessibility } from '../fixtures/axe'
import { collapseUrgentAlways, expect, serverForFile, test, waitForLive } from '../fixtures/console'
import { endOfPart, planOf, scriptedTeam, startModelServer, taskByForm } from '../fixtures/modelServer'
import { askAna, finishTask, postCommand } from '../fixtures/work'

const app = serverForFile()

const grid = (page: Page): Locator => page.getByRole('treegrid', { name: 'Timeline' })
const bars = (page: Page): Locator => grid(page).locator('[data-kind=bar]')
const asking = (page: Page): Locator =>
  grid(page).getByRole('row', { name: /^send_message, step of Coder, Waiting on Ana, started \d\d:\d\d:\d\d/ })
const axis = (page: Page): Locator => grid(page).locator('[data-axis]')
const picture = (page: Page): Promise<string> =>
  grid(page)
    .locator('canvas')
    .evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''))

/** Whether anything is drawn in the row of a bar, right of the words. */
const isDrawn = (row: Locator): Promise<boolean> =>
  row.evaluate((element) => {
    const canvas = element.parentElement?.querySelector('canvas')
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return false
    const [box, place] = [canvas.getBoundingClientRect(), element.getBoundingClientRect()]
    const ratio = canvas.width / box.width
    const { data } = context.getImageData(0, (place.top - box.top) * ratio, canvas.width, place.height * ratio)
    return data.some((value, at) => at % 4 === 3 && value > 0)
  })

test('[R472] the timeline has a row for each step and each question, and says who is waited for', {
  tag: '@desktop',
}, async ({ open }) => {
  const { task, request } = await askAna(app.server, 'timber')
  const page = await open(app.server, 'ana', task)
  await collapseUrgentAlways(page)
  await waitForLive(page)
  await page.keyboard.press('3')
  await expect(page).toHaveURL(new RegExp(`${task}/timeline$`))
  await expect(page.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true')
  await expect(asking(page)).toBeVisible()

  const answer = await page.request.get(`${app.server.url}/api${task}/steps`)
  const { steps }: StepPage = await answer.json()
  const ids = async (): Promise<string[]> =>
    bars(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''))
  const asked = `${request.split('/').at(-1)}/`
  const shown = await ids()
  // A call that another step wrote took no time, and has no row.
  const timed = steps.filter(({ startedAt, endedAt }) => startedAt !== null || endedAt === null)
  expect(timed.length).toBeLessThan(steps.length)
  expect(shown.filter((id) => !id.startsWith(asked)).toSorted()).toEqual(timed.map(({ id }) => id).toSorted())
  expect(shown.filter((id) => id.startsWith(asked))).toHaveLength(1)
  await expect(grid(page)).toHaveAttribute(
    'aria-rowcount',
    String(shown.length + (await grid(page).locator('[data-kind=lane]').count())),
  )
  await expect(grid(page).getByRole('row', { name: /^Coder, agent, Waiting on Ana/ })).toBeVisible()
  expect(await isDrawn(asking(page))).toBe(true)

  await checkAccessibility(page, 'timeline', '[role=tabpanel]')
})

test('keys go through time and rows, Enter inspects, and a reload shows the same', { tag: '@desktop' }, async ({
  open,
}) => {
  const { task, request } = await askAna(app.server, 'timber')
  const page = await open(app.server, 'ana', `${task}/timeline`)
  await collapseUrgentAlways(page)
  await waitForLive(page)
  await asking(page).focus()
  await page.keyboard.press('ArrowLeft')
  const focused = grid(page).locator('[role=row]:focus')
  await expect(focused).toHaveAccessibleName(/step of Coder, Done/)
  await page.keyboard.press('ArrowRight')
  await expect(asking(page)).toBeFocused()
  await page.keyboard.press('Enter')
  const id = await asking(page).getAttribute('data-id')
  await expect(page).toHaveURL(new RegExp(`/timeline\\?inspect=StepState_${id}$`))
  const details = page.getByRole('complementary', { name: 'Inspector' }).getByRole('region').first()
  await expect(details).toHaveAttribute('data-id', id ?? '')
  await page.reload()
  await expect(details).toHaveAttribute('data-id', id ?? '')
  await expect(asking(page)).toHaveAttribute('aria-selected', 'true')

  // Space closes the member's lane and leaves the focus there; a question leads to its request.
  const before = await bars(page).count()
  await asking(page).focus()
  await page.keyboard.press('Space')
  const coder = grid(page).getByRole('row', { name: /^Coder, agent/ })
  await expect(coder).toBeFocused()
  await expect(coder).toHaveAttribute('aria-expanded', 'false')
  expect(await bars(page).count()).toBeLessThan(before)
  await page.keyboard.press('Space')
  await expect(bars(page)).toHaveCount(before)
  await grid(page)
    .getByRole('row', { name: /^question to Ana, Waiting, started/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`${request}$`))
})

test('[R474] buttons, keys, the wheel and a drag over the axis zoom; Fit shows all again', { tag: '@desktop' }, async ({
  open,
}) => {
  const task = await finishTask(app.server, 'timing')
  const page = await open(app.server, 'ana', `${task}/timeline`)
  await waitForLive(page)
  const fit = page.getByRole('button', { name: 'Fit' })
  await expect(fit).toHaveAttribute('aria-disabled', 'true')
  // Nothing goes on in a task that is over.
  await expect(page.getByRole('button', { name: 'Follow live' })).toHaveCount(0)
  // The manager's own steps end a moment after the task.
  await expect(async () => {
    const { steps }: StepPage = await (await page.request.get(`${app.server.url}/api${task}/steps`)).json()
    expect(steps.filter(({ endedAt }) => endedAt === null)).toEqual([])
    const timed = steps.filter(({ startedAt }) => startedAt !== null)
    expect(await bars(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''))).toEqual(
      expect.arrayContaining(timed.map(({ id }) => id)),
    )
  }).toPass()
  await page.evaluate(() => document.fonts.ready)
  const whole = await picture(page)
  const fitsAgain = async (): Promise<void> => {
    await expect(fit).not.toHaveAttribute('aria-disabled', 'true')
    expect(await picture(page)).not.toBe(whole)
    await fit.click()
    await expect(fit).toHaveAttribute('aria-disabled', 'true')
    await expect.poll(() => picture(page)).toBe(whole)
  }
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await fitsAgain()
  const box = await axis(page).boundingBox()
  if (box === null) throw new Error('the axis is not drawn')
  const at = (share: number): [number, number] => [box.x + box.width * share, box.y + 14]
  await page.mouse.move(...at(0.2))
  await page.mouse.down()
  await page.mouse.move(...at(0.5), { steps: 3 })
  await page.mouse.up()
  await fitsAgain()
  await page.mouse.move(box.x + 50, box.y + 100)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -200)
  await page.keyboard.up('Control')
  await fitsAgain()
  await bars(page).first().focus()
  await page.keyboard.press('+')
  await expect(fit).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('0')
  await expect(fit).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(() => picture(page)).toBe(whole)

  // Without the lines below it the critical path is another picture; another theme has other colours.
  await expect(page.getByText(/^Critical path: \d/)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Critical path' }).uncheck()
  await expect(page.getByText(/^Critical path: \d/)).toHaveCount(0)
  await expect.poll(() => picture(page)).not.toBe(whole)
  await page.getByRole('checkbox', { name: 'Critical path' }).check()
  await expect.poll(() => picture(page)).toBe(whole)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => picture(page)).not.toBe(whole)
})

test('[R544] an address that names a step far back shows its bar, in a lane that was closed', {
  tag: ['@desktop', '@all'],
}, async ({ open, start }) => {
  test.setTimeout(240_000)
  const model = await startModelServer(({ agent, skill }) => {
    if (agent === 'Boss') return new Promise(() => undefined)
    if (skill === 'quick_think') return '<quick_think>thought</quick_think>'
    return skill === 'planning' ? planOf('quick_think', 'think', 170) : endOfPart(skill, 'thought')
  })
  try {
    const config = `${scriptedTeam(model.url, [{ name: 'Boss', isManager: true }, { name: 'Coder' }])}
limits: { steps_per_part: 200 }
`
    const server = await start({ config })
    const page = await open(server, 'ana', '/tasks')
    await waitForLive(page)
    const stage = { intention: 'Think', allocation: { coder: 'Think a lot.' } }
    await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', 'coder'], [stage], 'Long page'))
    const task = await page.getByRole('link', { name: 'Long page' }).getAttribute('href')
    const stepsOf = async (): Promise<StepPage['steps']> => {
      const answer = await page.request.get(`${server.url}/api${task}/steps?limit=500`)
      const { steps }: StepPage = await answer.json()
      return steps.filter(({ executor }) => executor === 'quick_think')
    }
    await expect
      .poll(async () => (await stepsOf()).filter(({ endedAt }) => endedAt !== null).length, { timeout: 120_000 })
      .toBe(170)
    const far = (await stepsOf())[10]?.id ?? ''
    await page.goto(`${server.url}${task}/timeline?inspect=StepState_${far}`)
    const row = grid(page).locator(`[data-id="${far}"]`)
    await expect(row).toBeInViewport()
    await expect(row).toHaveAttribute('aria-selected', 'true')
    await expect.poll(() => isDrawn(row)).toBe(true)
    await expect(grid(page).getByRole('row', { name: /^Coder, agent/ })).toHaveAttribute('aria-expanded', 'true')
  } finally {
    await model.close()
  }
})

test('on a phone the bars have the room, and a touch on a row opens its details', async ({ open }, info) => {
  test.skip(info.project.name !== 'phone', 'a desk has the other columns')
  const { task } = await askAna(app.server, 'timber')
  const page = await open(app.server, 'ana', `${task}/timeline`)
  await collapseUrgentAlways(page)
  await waitForLive(page)
  await expect(asking(page)).toBeAttached()
  await expect(grid(page).getByRole('columnheader')).toHaveText(['Agent, step'])
  expect((await axis(page).boundingBox())?.width).toBeGreaterThan(200)
  await asking(page).tap()
  await expect(page).toHaveURL(/inspect=StepState_/)
})
