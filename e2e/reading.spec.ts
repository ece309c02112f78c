/** Long, missing and archived things stay readable: names, roles, message types, an error with what to do next. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import {
  collapseUrgent,
  collapseUrgentAlways,
  connection,
  expect,
  navigateTo,
  openItem,
  serverForFile,
  test,
  waitForLive,
} from './fixtures/console'
import { taskByForm } from './fixtures/modelServer'
import { askAna, postCommand } from './fixtures/work'

const LONG_NAME = 'Regression and acceptance tester of everything that leaves the house'
const LONG_TASK =
  'Compare the price lists of the eastern and the western suppliers, and say which bolts, nuts and hooks are cheaper where'
// Ana gets requests here, whose dialog opens at any time; other tests use Olga.
const app = serverForFile({
  config: readFileSync('config/examples/journeys.yaml', 'utf8').replace(
    /^humans:$/m,
    `  - { id: checker, name: ${LONG_NAME}, role: last reader, profile: Reads., skills: [all] }\n\nhumans:`,
  ),
})

// The browser's own words about a lost connection.
test.use({ allowedTroubles: /ERR_INTERNET_DISCONNECTED/ })

const BEN = [{ intention: 'Clean', allocation: { ben: 'Clean the oven.' } }]
/** out: its address */
async function longTask(page: Page, members: readonly string[] = ['olga', 'ben']): Promise<string> {
  const { task } = (await postCommand(page, '/api/tasks', taskByForm('manager', members, BEN, LONG_TASK))) as {
    task: string
  }
  return `/tasks/${task}`
}

const boxOf = async (part: Locator): Promise<{ left: number; right: number; top: number; height: number }> =>
  part.evaluate((element) => {
    const { left, right, top, height } = element.getBoundingClientRect()
    return { left, right, top, height }
  })
const isCut = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => element.scrollWidth > element.clientWidth + 1)

test('the name of a task takes one line, and is shown whole under the pointer', { tag: '@desktop' }, async ({
  open,
}) => {
  const page = await open(app.server, 'olga', '/settings/display')
  await waitForLive(page)
  await navigateTo(page, await longTask(page))
  const name = page.getByRole('heading', { level: 1, name: LONG_TASK })
  await expect(name).toBeVisible()
  expect((await boxOf(name)).height).toBeLessThan(40)
  expect(await isCut(name)).toBe(true)
  const over = name.locator('..')
  const whole = (): Promise<string> => over.evaluate((box) => getComputedStyle(box, '::after').content)
  await expect(name).toBeFocused()
  await name.evaluate((heading) => heading.blur())
  expect(await whole()).not.toContain(LONG_TASK)
  await name.hover()
  await expect.poll(whole).toContain(LONG_TASK)
})

test('the heading keeps the focus when the name of a task takes the place of what stood there while it loaded', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', '/settings/display')
  await waitForLive(page)
  const [first, second] = [await longTask(page), await longTask(page)]
  // The files of the page are loaded with the first task.
  await navigateTo(page, first)
  const name = page.getByRole('heading', { level: 1, name: LONG_TASK })
  await expect(name).toBeFocused()
  await page.context().setOffline(true)
  await expect(connection(page, 'offline')).toBeVisible()
  await navigateTo(page, second)
  await expect(page.getByRole('heading', { level: 1, name: 'Task', exact: true })).toBeFocused()
  await page.context().setOffline(false)
  await expect(name).toBeFocused()
})

test('the role beside a long name stays readable', { tag: ['@phone-in-all', '@all'] }, async ({ open }) => {
  const page = await open(app.server, 'ana', '/agents')
  await waitForLive(page)
  const link = page.getByRole('table', { name: 'Agents' }).getByRole('link', { name: `${LONG_NAME}, agent` })
  await expect(link).toHaveAttribute('title', LONG_NAME)
  const role = page.getByText('last reader', { exact: true })
  expect(await isCut(role)).toBe(false)
  expect((await boxOf(link)).right).toBeLessThanOrEqual((await boxOf(role)).left)
  // Enough of the name stays to recognise it.
  expect((await boxOf(link)).right - (await boxOf(link)).left).toBeGreaterThan(100)
})

test('the table of waits says who waits for whom', { tag: ['@desktop', '@all'] }, async ({ open }) => {
  await askAna(app.server, 'reading')
  const page = await open(app.server, 'olga', '/waits')
  const row = page.getByRole('table', { name: 'Waits' }).getByRole('row', { name: /Ana/ }).first()
  for (const [at, name] of [
    [0, 'Regression and'],
    [1, 'Alexandra Mo'],
  ] as const) {
    const text = row.getByRole('cell').nth(at).locator('.cut').last()
    await text.evaluate((element, other) => {
      element.textContent = other
    }, name)
    expect(await isCut(text), name).toBe(false)
  }
})

test('a missing task is reported once, with what to do next', { tag: ['@desktop', '@all'] }, async ({ open }) => {
  const page = await open(app.server, 'olga', '/tasks/nothing')
  const said = page.getByRole('alert').filter({ has: page.getByRole('heading') })
  await expect(said.getByRole('heading', { level: 1 })).toHaveText('Task not found')
  await expect(page.getByRole('complementary', { name: 'List' }).getByRole('navigation')).toBeAttached()
  await expect(said).toHaveCount(1)
  await expect(page.getByRole('complementary', { name: 'List' }).getByRole('radiogroup')).toHaveCount(0)
  await said.getByRole('link', { name: 'All tasks' }).click()
  await expect(page.getByRole('table', { name: 'Tasks' })).toBeVisible()
})

test('the type of a message stands at the top right, however many lines its head takes', async ({ open }) => {
  const page = await open(app.server, 'olga', '/settings/display')
  await waitForLive(page)
  await longTask(page)
  await navigateTo(page, '/direct')
  await page.getByRole('link', { name: /^Ben, person/ }).click()
  await page.getByRole('button', { name: 'Begin the conversation' }).click()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('The salt is gone.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const card = page.getByRole('article', { name: /The salt is gone/ }).last()
  await expect(card.getByRole('button', { name: /^Receipts/ })).toBeVisible()
  const badge = await boxOf(card.getByText('FYI', { exact: true }))
  const whole = await boxOf(card)
  expect(badge.top - whole.top).toBeLessThan(20)
  expect(whole.right - badge.right).toBeLessThan(20)
})

/** Links and buttons lower than 24 px, or that a finger 8 px beside their centre misses. */
const tooLow = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main a[href], main button')].flatMap((part) => {
      part.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = part.getClientRects()[0] ?? part.getBoundingClientRect()
      // The head of a table of cards is for screen readers.
      if (width < 2 || height < 2 || part.closest('.sr-only')) return []
      const isHit = (by: number): boolean => {
        const found = document.elementFromPoint(left + Math.min(width / 2, 40), top + height / 2 + by)
        return found !== null && (part.contains(found) || found.contains(part))
      }
      const isLow = height < 24 && getComputedStyle(part, '::after').position !== 'absolute'
      return isLow || !isHit(-8) || !isHit(8) ? [`${Math.round(height)} px: ${part.textContent?.slice(0, 40)}`] : []
    }),
  )

test('every link on a phone’s cards is large enough for a finger', async ({ open }, info) => {
  test.skip(info.project.name !== 'phone', 'a mouse hits what is lower')
  const page = await open(app.server, 'ana', '/settings/display')
  await waitForLive(page)
  const { task } = await askAna(app.server, 'fingers')
  await collapseUrgent(page, 'Coder')
  for (const address of ['/inbox', '/waits', '/agents', '/notices', '/tasks', task]) {
    await navigateTo(page, address)
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await expect(page.locator('main a[href]').first()).toBeVisible()
    expect.soft(await tooLow(page), address).toEqual([])
  }
})

const EIGHT_DAYS = 8 * 24 * 3_600_000

test('an archived task shows its name and the way back on a phone too', { tag: '@all' }, async ({ open, start }) => {
  test.skip(process.env.CONVENE_E2E_STORE !== undefined, 'with PostgreSQL the time is that of the database (R260)')
  const folder = mkdtempSync(join(tmpdir(), 'convene-clock-'))
  const clock = join(folder, 'ahead')
  try {
    const server = await start({
      env: {
        NODE_OPTIONS: `--require ${resolve('e2e/fixtures/laterClock.cjs')}`,
        CONVENE_E2E_AHEAD: clock,
        // A jump of days is not believed otherwise.
        CONVENE_TRUST_CLOCK: '1',
      },
    })
    const before = await open(server, 'ana', '/settings/display')
    await waitForLive(before)
    const task = await longTask(before, ['ana', 'ben'])
    await postCommand(before, `/api${task}/finish`, { state: 'finished', summary: 'All is clean.', reason: 'done' })
    // Its stage failed: the page says why it ended.
    await navigateTo(before, task)
    await expect(before.getByRole('list', { name: 'Stages' })).toContainText('the task ended')
    await before.close()
    await server.kill()
    writeFileSync(clock, String(EIGHT_DAYS))
    await server.start()
    const page = await open(server, 'ana', '/tasks')
    await page.setViewportSize({ width: 360, height: 740 })
    await collapseUrgentAlways(page)
    await expect(page.getByRole('table', { name: 'Tasks' })).not.toContainText(LONG_TASK)
    await navigateTo(page, task)
    const bar = page.getByRole('banner')
    await expect(bar).toContainText(LONG_TASK)
    await bar.getByRole('link', { name: 'All tasks' }).click()
    await expect(page.getByRole('table', { name: 'Tasks' })).toBeVisible()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a long message takes only a part of the inbox, and is shown whole after a press', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  const ben = await open(app.server, 'ben', '/tasks')
  const base = ben.getByRole('table', { name: 'Tasks' }).getByRole('link').first()
  const task = (await base.getAttribute('href'))?.split('/').at(-1)
  const text = Array.from({ length: 30 }, (_, n) => `line ${n} of the list`).join('\n')
  const rest = { type: 'fyi', stage: null, answers: null, replyTo: null, mention: false }
  await postCommand(ben, '/api/messages', { task, receivers: ['dana'], text, ...rest })
  const dana = await open(app.server, 'dana', '/inbox')
  const row = dana.getByRole('listitem').filter({ hasText: 'line 0 of the list' })
  await expect(row).toBeVisible()
  expect((await boxOf(row)).height).toBeLessThan(100)
  const item = await openItem(dana, /line 0 of the list/)
  expect((await boxOf(item)).height).toBeGreaterThan(600)
  // Once all of them are read, they do not stand under “Unread”.
  await expect(dana.getByRole('region', { name: 'Just read' })).toContainText('line 0 of the list')
  await expect(dana.getByRole('region', { name: 'Unread' })).toHaveCount(0)
  // On a phone it opens in the place of its row, and its buttons are below it.
  await dana.setViewportSize({ width: 360, height: 740 })
  await navigateTo(dana, '/inbox?view=fyi')
  await openItem(dana, /line 0 of the list/)
  const reply = item.getByRole('link', { name: 'Reply' })
  const written = await boxOf(item.getByText('line 0 of the list'))
  expect((await boxOf(reply)).top - written.top).toBeGreaterThanOrEqual(100)
})
