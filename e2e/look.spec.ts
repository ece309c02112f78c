/** Where things stand on the page: columns and parents of the tree, the inspector over tabs, toasts, the notice bar, room for the chat. */
import type { Locator, Page } from '@playwright/test'
import { LANGUAGE_COOKIE } from '@/lib/i18n/locale'
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { fulfilRequest, openPerson, type Person } from './fixtures/person'
import type { TestServer } from './fixtures/server'
import { askAna } from './fixtures/work'

const app = serverForFile({ withLoad: true })
// The browser's own words about a lost connection.
test.use({ allowedTroubles: /ERR_INTERNET_DISCONNECTED/ })

type Box = { x: number; y: number; width: number; height: number }
const boxOf = async (part: Locator): Promise<Box> => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

let loaded: Promise<string> | null = null
/** A finished task of three agents with 220 steps each: more than the tree holds at first. out: its address */
async function longTask(server: TestServer): Promise<string> {
  loaded ??= fill(server, await openPerson(server, 'olga'))
  return loaded
}
async function fill(server: TestServer, olga: Person): Promise<string> {
  try {
    const load = { agents: 3, tasks: 1, stepsPerAgent: 220, changesPerSecond: 10_000, bytes: 40, seconds: 150 }
    await server.load(load)
    const tasks = async (): Promise<string | undefined> => {
      const all =
        await olga.get<Record<string, { task_id: string; task_name: string; execution_state: string }>>(
          '/api/states?type=task',
        )
      return Object.values(all).find((one) => one.task_name === 'load 1' && one.execution_state === 'finished')?.task_id
    }
    await expect.poll(tasks, { timeout: 150_000 }).toBeDefined()
    return `/tasks/${await tasks()}`
  } finally {
    olga.close()
  }
}

const tree = (page: Page): Locator => page.getByRole('main').getByRole('treegrid', { name: 'State tree' })
const inspector = (page: Page): Locator => page.getByRole('complementary', { name: 'Inspector' })

test('a name in the tree has at least 320 px and its state beside it, also with the inspector open', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', `${await longTask(app.server)}/tree`)
  await waitForLive(page)
  const columns = async () => {
    const of = (name: string) => boxOf(tree(page).getByRole('columnheader', { name }))
    return { name: await of('Name'), state: await of('State') }
  }
  const wide = await columns()
  expect(wide.name.width).toBeGreaterThanOrEqual(320)
  // What names take ends where states begin: no empty column between them.
  expect(wide.name.width).toBeLessThanOrEqual(460)
  await tree(page).getByRole('row', { level: 4 }).nth(2).click()
  await expect(inspector(page)).toBeVisible()
  const narrow = await columns()
  expect(narrow.name.width).toBeGreaterThanOrEqual(320)
  expect(narrow.state.width).toBeGreaterThanOrEqual(119)
  expect(narrow.state.x - narrow.name.x - narrow.name.width).toBeLessThanOrEqual(12)
  await expect(
    tree(page)
      .locator('b:visible')
      .filter({ hasText: /^Done$/ })
      .first(),
  ).toBeInViewport()
})

test('[R132] the tree of a finished task opens at its top, and the stage and the member of what is below stay in sight', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', `${await longTask(app.server)}/tree`)
  await waitForLive(page)
  const rows = tree(page).getByRole('rowgroup')
  const top = tree(page).getByRole('row', { level: 1 })
  await expect(top).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Follow live' })).toHaveAttribute('aria-pressed', 'false')

  const pane = rows.locator('..')
  const edge = (await boxOf(pane)).y
  await pane.evaluate((element) => element.scrollTo({ top: 2_600 }))
  const pinned = tree(page).locator('[role=row][data-pinned]')
  await expect(pinned).toHaveCount(2)
  const [stage, agent] = [pinned.first(), pinned.last()]
  await expect(stage).toHaveAttribute('aria-level', '2')
  await expect(agent).toHaveAttribute('aria-level', '3')
  expect(Math.round((await boxOf(stage)).y - edge)).toBe(0)
  const height = (await boxOf(stage)).height
  expect(Math.round((await boxOf(agent)).y - edge)).toBe(Math.round(height))

  // The row below them is a step of that member, and the arrows never hide the focus behind them.
  await agent.focus()
  await page.keyboard.press('ArrowDown')
  const focused = tree(page).locator('[role=row]:focus')
  await expect(focused).toHaveAttribute('aria-level', '4')
  await pane.evaluate((element) => element.scrollTo({ top: 2_600 }))
  // The page has followed the scroll before the next key.
  await expect(pinned).toHaveCount(2)
  await page.keyboard.press('PageDown')
  await page.keyboard.press('ArrowUp')
  await expect(focused).toHaveAttribute('aria-level', '4')
  expect((await boxOf(focused)).y - edge).toBeGreaterThanOrEqual(2 * height - 1)
  // What is in sight is what the tree says: the step's own member.
  const name = (await agent.getAttribute('aria-label'))?.split(',')[0] ?? ''
  await expect(focused).toHaveAccessibleName(new RegExp(`of ${name}`))
})

test('[R197] the strip at the right of a tree leads anywhere in it; what the tree does not hold is said', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', `${await longTask(app.server)}/tree`)
  await waitForLive(page)
  const top = tree(page).getByRole('row', { level: 1 })
  await expect(top).toBeInViewport()
  const strip = await boxOf(tree(page).locator('[data-strip]'))
  expect(strip.width).toBe(12)
  await page.mouse.click(strip.x + 6, strip.y + strip.height - 2)
  await expect(top).not.toBeInViewport()
  await page.mouse.click(strip.x + 6, strip.y + 2)
  await expect(top).toBeInViewport()

  // Of each member the newest hundred are there at first, and the rest is said and comes by a press.
  await tree(page)
    .getByRole('row', { name: /^Show \d+ earlier steps$/ })
    .first()
    .click()
  await page.getByRole('searchbox', { name: 'Filter tree' }).fill('count 90')
  await expect(
    tree(page)
      .getByRole('row', { name: /, Count 90$/ })
      .first(),
  ).toBeVisible()
  await page.getByRole('searchbox', { name: 'Filter tree' }).fill('no such step')
  await expect(
    tree(page).getByText("No matching rows. Planned steps that aren't loaded yet aren't searched."),
  ).toBeVisible()
})

test('the inspector stays open from tab to tab, and says what a reader needs of a step', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  const page = await open(app.server, 'olga', `${await longTask(app.server)}/tree`)
  await waitForLive(page)
  await tree(page).getByRole('row', { level: 4 }).nth(2).click()
  const details = inspector(page).getByRole('region').first()
  const id = await details.getAttribute('data-id')
  await page.getByRole('tab', { name: 'Chat' }).click()
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
  await expect(details).toHaveAttribute('data-id', id ?? '')
  // It is a step of this very task.
  await expect(inspector(page).getByRole('link', { name: 'Open in task' })).toHaveCount(0)
  await page.keyboard.press('2')
  await expect(tree(page)).toBeVisible()
  await expect(details).toHaveAttribute('data-id', id ?? '')
  // Unknown numbers are left out.
  await expect(inspector(page)).not.toContainText('≈ —')
  await expect(inspector(page)).not.toContainText('first token 0')
})

test('a whole name of a task covers nothing at its right while it is pointed at', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  const page = await open(app.server, 'olga', await longTask(app.server))
  await waitForLive(page)
  const heading = page.getByRole('heading', { name: 'load 1', level: 1 })
  await heading.hover()
  const room = await heading.evaluate((name) => {
    const box = name.parentElement
    const chip = box?.nextElementSibling
    if (!box || !chip) return null
    const whole = getComputedStyle(box, '::after')
    return chip.getBoundingClientRect().left - box.getBoundingClientRect().left - Number.parseFloat(whole.width)
  })
  expect(room).toBeGreaterThanOrEqual(0)
})

test('[R133] a toast covers neither the composer nor the navigation, and beside a list nothing of the page', async ({
  open,
}, info) => {
  const page = await open(app.server, 'dana', '/tasks')
  await waitForLive(page)
  await page
    .getByRole('link', { name: /base task|Requests/i })
    .first()
    .click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.getByRole('button', { name: 'Task actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  const toast = page.locator('[data-sonner-toast]')
  await expect(toast).toBeVisible()
  await expect(async () => {
    const box = await boxOf(toast)
    for (const part of [
      // On a phone there is no list beside the page.
      info.project.name === 'phone' ? page.getByRole('form', { name: 'Write a message' }) : page.getByRole('main'),
      page.getByRole('navigation', { name: 'Main' }),
      page.getByRole('banner'),
      page.getByRole('tablist').first(),
    ])
      expect(overlap(box, await boxOf(part))).toBe(false)
  }).toPass({ timeout: 5_000 })
})

test('[R133] without a list of tasks a toast is beside the text, or the end of the page can be scrolled above it', async ({
  open,
}, info) => {
  const page = await open(app.server, 'dana', '/settings/display')
  await waitForLive(page)
  await page.getByRole('radio', { name: 'Dark' }).check()
  const toast = page.locator('[data-sonner-toast]')
  await expect(toast).toBeVisible()
  await toast.getByRole('button', { name: 'Undo' }).focus()
  const main = page.getByRole('main')
  const last = main.locator('fieldset, label, p').last()
  await expect(async () => {
    const box = await boxOf(toast)
    if (info.project.name === 'phone')
      await page.locator('main .page-scroll').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
    else expect(box.x + box.width).toBeLessThan((await boxOf(last)).x)
    expect(overlap(box, await boxOf(last))).toBe(false)
  }).toPass({ timeout: 5_000 })
})

test('[R133] one notice at a time, the most important, and the page below it does not move', async ({ open }) => {
  const page = await open(app.server, 'ben', '/tasks')
  await waitForLive(page)
  const place = (): Promise<Box> => boxOf(page.getByRole('main'))
  const before = await place()
  const notice = page.locator('[data-notice]:is(section)')
  await expect(notice).toHaveCount(0)
  await page.context().setOffline(true)
  await expect(page.getByText(/^Offline since/).first()).toBeVisible()
  await expect(notice).toHaveCount(1)
  expect(await place()).toEqual(before)
  await page.context().setOffline(false)
  await waitForLive(page)
  await expect(notice).toHaveCount(0)

  const olga = await openPerson(app.server, 'olga')
  try {
    // The base task is the first.
    const [base] = Object.values(await olga.get<Record<string, { task_id: string }>>('/api/states?type=task'))
    const message = { type: 'urgent', stage: null, answers: null, replyTo: null, mention: false }
    const sent = await olga.post('/api/messages', {
      ...message,
      task: base?.task_id,
      receivers: ['ben'],
      text: 'The oven is on fire.',
    })
    expect(sent.status).toBe(200)
  } finally {
    olga.close()
  }
  await expect(page.getByRole('alertdialog', { name: 'Urgent from Olga' })).toBeVisible()
  await page.keyboard.press('Escape')
  const urgent = page.getByRole('region', { name: 'Urgent, not acknowledged' })
  await expect(urgent).toBeVisible()
  expect(await place()).toEqual(before)
  // It stays until it is acknowledged, beside what is always in the bar.
  const banner = page.getByRole('banner')
  const parts = [
    urgent.getByRole('button', { name: 'Show' }),
    banner.getByRole('button', { name: 'Search or run a command' }),
    banner.getByRole('link', { name: /^Notices/ }).or(banner.getByRole('button', { name: /^Notices/ })),
  ]
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 })
  await page.context().setOffline(true)
  await expect(page.getByRole('button', { name: /^Connection: offline/ })).toBeVisible()
  await expect(notice).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Urgent, not acknowledged' })).toBeVisible()
  expect(await place()).toEqual(before)
  await page.context().setOffline(false)
})

test('[R133] a notice covers nothing of a dialog, however high that is', async ({ open }) => {
  const page = await open(app.server, 'olga', '/tasks')
  await waitForLive(page)
  await page.getByRole('button', { name: 'New request' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New request' })
  await dialog.getByRole('checkbox', { name: 'Choose the members myself' }).check()
  for (let stages = 0; stages < 4; stages++) await dialog.getByRole('button', { name: 'Add stage' }).click()
  await page.context().setOffline(true)
  const notice = page.locator('[data-notice]:is(section)')
  await expect(notice).toBeVisible()
  expect(overlap(await boxOf(dialog), await boxOf(notice))).toBe(false)
  await page.context().setOffline(false)
})

test('on a phone “Connect a model” opens at its first choice', async ({ open }, info) => {
  test.skip(info.project.name !== 'phone', 'At the width of a desktop the whole form is shown.')
  const page = await open(app.server, 'olga', '/settings/models?connect=1')
  const dialog = page.getByRole('dialog', { name: 'Connect a model' })
  const first = dialog.getByRole('radio').first()
  await expect(first).toBeFocused()
  await expect(first).toBeInViewport({ ratio: 1 })
})

test('the first setting of the system begins beside the list of settings', { tag: ['@desktop', '@all'] }, async ({
  open,
}) => {
  const page = await open(app.server, 'olga', '/settings/system')
  const version = await boxOf(page.getByText('Version', { exact: true }))
  const tabs = await boxOf(page.getByRole('navigation', { name: 'Settings sections' }))
  expect(version.x).toBeGreaterThan(tabs.x + tabs.width)
  expect(Math.abs(version.y - tabs.y)).toBeLessThanOrEqual(40)
})

test('on a phone the conversation has at least 420 px while nothing urgent is open', async ({ open }, info) => {
  test.skip(info.project.name !== 'phone', 'A desk has room.')
  const page = await open(app.server, 'olga', await longTask(app.server))
  await waitForLive(page)
  const chat = page.getByRole('log', { name: /^Group chat of/ })
  await expect(chat).toBeVisible()
  // The result of a finished task stands above what was said.
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toBeVisible()
  expect((await boxOf(chat)).height + (await boxOf(result)).height).toBeGreaterThanOrEqual(420)
  await navigateTo(page, '/tasks')
  await page
    .getByRole('link', { name: /base task|Requests/i })
    .first()
    .click()
  const box = page.getByRole('textbox', { name: 'Message' })
  await expect(box).toBeVisible()
  expect((await boxOf(chat)).height).toBeGreaterThanOrEqual(420)
  // Everything of the composer is there as soon as one writes.
  await box.click()
  await expect(page.getByRole('button', { name: /^Message type/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeInViewport()

  // The tools of the tree stand in one line, in Chinese too.
  await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: 'zh', url: app.server.url }])
  await page.goto(`${app.server.url}${await longTask(app.server)}/tree`)
  const tools = page.getByRole('toolbar', { name: '浏览状态树' })
  await expect(tools).toBeVisible()
  const tops = await tools.getByRole('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(8)
})

test('[R225] a jump in the tree changes the lines that are drawn, and makes none anew', {
  tag: '@desktop',
}, async ({ open }) => {
  const page = await open(app.server, 'olga', `${await longTask(app.server)}/tree`)
  await waitForLive(page)
  const lines = tree(page).locator('[role=row][data-id]')
  await lines.first().focus()
  const drawn = await lines.evaluateAll((all) => {
    for (const one of all) one.toggleAttribute('data-met', true)
    return all.length
  })
  const before = await lines.last().getAttribute('data-id')
  await page.keyboard.press('End')
  await expect(tree(page).locator('[role=row]:focus')).toBeInViewport()
  await expect(lines.first()).toHaveAttribute('data-met')
  expect(await lines.last().getAttribute('data-id')).not.toBe(before)
  expect(await lines.evaluateAll((all) => all.filter((one) => !one.hasAttribute('data-met')).length)).toBeLessThan(
    drawn / 3,
  )
  // The line with the focus is the last one, for the keys and for the eyes.
  await page.keyboard.press('ArrowUp')
  const focused = await tree(page).locator('[role=row]:focus').getAttribute('aria-rowindex')
  await page.keyboard.press('ArrowDown')
  await expect(tree(page).locator('[role=row]:focus')).toHaveAttribute('aria-rowindex', String(Number(focused) + 1))
  // Ctrl with an arrow goes to a cell of the line, and back.
  await page.keyboard.press('Control+ArrowRight')
  await expect(tree(page).locator('[role=gridcell]:focus')).toHaveCount(1)
  await page.keyboard.press('Control+ArrowLeft')
  await expect(tree(page).locator('[role=row]:focus')).toHaveAttribute('aria-rowindex', String(Number(focused) + 1))
})

test('[R293] an agent is selected in the stage in which it was pressed, also after a reload', {
  tag: '@desktop',
}, async ({ open }) => {
  const { task } = await askAna(app.server, 'stages')
  const ana = await openPerson(app.server, 'ana')
  const isFinished = async (): Promise<boolean> => {
    const mine = ana.requests().filter(({ request }) => task.endsWith(request.task))
    for (const row of mine) await fulfilRequest(ana, row)
    const states = await ana.get<Record<string, { task_id: string; execution_state: string }>>('/api/states?type=task')
    return Object.values(states).some((one) => task.endsWith(one.task_id) && one.execution_state === 'finished')
  }
  await expect.poll(isFinished, { timeout: 60_000 }).toBe(true)
  ana.close()

  // Ana has Urgent requests of other tests, whose dialog would open.
  const page = await open(app.server, 'olga', task)
  await page.setViewportSize({ width: 1760, height: 900 })
  await waitForLive(page)
  // Beside the chat, and once: the list has the tasks.
  const trees = page.getByRole('treegrid', { name: 'State tree' })
  await expect(trees).toHaveCount(1)
  // The manager has judged both stages, and has planned and ended the task outside of them.
  const pressed = trees.getByRole('row', { name: /^Manager, agent/ }).last()
  const id = await pressed.getAttribute('data-id')
  await pressed.click()
  const selected = page.locator('[role=treegrid] [role=row][aria-selected=true]')
  const selectedIds = (): Promise<(string | null)[]> =>
    selected.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')))
  await expect.poll(selectedIds).toEqual([id])
  await page.reload()
  await expect.poll(selectedIds).toEqual([id])
  await page.getByRole('button', { name: 'Close inspector' }).click()
  await expect(selected).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
})

test('[R546] steps that have left the live world are found by their words, and come by the page', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  const page = await open(app.server, 'olga', `${await longTask(app.server)}/tree`)
  await waitForLive(page)
  const gap = tree(page)
    .getByRole('row', { name: /^Show \d+ earlier steps$/ })
    .first()
  const countOf = async (): Promise<number> => Number(/\d+/.exec((await gap.getAttribute('aria-label')) ?? '')?.[0])
  const before = await countOf()
  expect(before).toBeGreaterThan(100)
  await gap.click()
  await expect.poll(countOf).toBeLessThan(before)

  const filter = page.getByRole('searchbox', { name: 'Filter tree' })
  await filter.fill('count 3')
  const found = tree(page)
    .getByRole('row', { name: /, Count 3$/ })
    .first()
  await expect(found).toBeVisible()
  await found.click()
  await expect(page).toHaveURL(/\/tree\?.*inspect=StepState_/)
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('heading', { name: 'Count 3' })).toBeVisible()
  // Without the filter the steps of the page are there, and the rest is one row again.
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(gap).toBeVisible()
})

test('[R549] the next error is gone to where its page is not loaded, and the strip marks it', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  const task = await longTask(app.server)
  const page = await open(app.server, 'olga', '/tasks')
  // Load has no failures: the third step of a member is made one on its way here.
  const lane = { stage: '', agent: '' }
  let failed = ''
  await page.route('**/tree/ruler', async (route) => {
    const lanes = [{ ...lane, failed: 1, places: [2] }]
    await route.fulfill({ json: { lanes: lane.agent === '' ? [] : lanes } })
  })
  await page.route('**/tree/failure*', async (route) => {
    const steps = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/failure.*/, `steps?stage=${lane.stage}&agent=${lane.agent}&at=2`),
    })
    const found = await steps.json()
    failed = found.rows[2].id
    Object.assign(found.rows[2], { state: 'failed', chip: 'failed', counts: { waiting: 0, failed: 1, steps: 0 } })
    await route.fulfill({ json: { step: failed, page: found } })
  })
  await navigateTo(page, `${task}/tree`)
  const gap = tree(page)
    .getByRole('row', { name: /^Show \d+ earlier steps$/ })
    .first()
  await expect(gap).toBeVisible()
  const [stage = '', agent = ''] = ((await gap.getAttribute('data-id')) ?? '').split('/')
  Object.assign(lane, { stage, agent })
  await page.reload()
  await waitForLive(page)
  await expect(tree(page).locator('[data-strip] path.stroke-failed')).toHaveAttribute('d', /M/)
  await page.getByRole('button', { name: 'Next error' }).click()
  const line = tree(page)
    .getByRole('row', { name: /Failed/ })
    .and(page.locator('[data-kind=step]'))
  await expect(line).toBeFocused()
  await expect(line).toHaveAttribute('data-id', failed)
})

test('[R216] running marks change in steps, all at the same moments, and no animation runs for them', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  await app.server.load({ agents: 2, tasks: 1, stepsPerAgent: 5_000, changesPerSecond: 5, seconds: 120 })
  const page = await open(app.server, 'olga', '/tasks')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  // Each look: how many marks show what, and what asks for a frame all the time.
  const look = (): Promise<{ shown: string[]; animations: number }> =>
    page.evaluate(() => ({
      shown: [...document.querySelectorAll<SVGElement>('main svg[style*=opacity]')].map((mark) => mark.style.opacity),
      animations: document.getAnimations().filter((one) => one.effect?.getTiming().iterations === Infinity).length,
    }))
  const seen = new Set<string>()
  await expect
    .poll(async () => {
      const { shown, animations } = await look()
      expect(animations).toBe(0)
      expect(new Set(shown).size).toBeLessThanOrEqual(1)
      for (const one of shown) seen.add(one)
      return seen.size
    })
    .toBeGreaterThan(3)
})

// For twenty seconds 240 changes a second keep a machine of two cores busy.
test('[R214] lines that come and go above the window leave what is read where it is', {
  tag: ['@desktop', '@all'],
}, async ({ open }) => {
  const olga = await openPerson(app.server, 'olga')
  const tasks = async (): Promise<string[]> =>
    Object.values(await olga.get<Record<string, { task_id: string }>>('/api/states?type=task')).map(
      (one) => one.task_id,
    )
  const known = await tasks()
  const load = { agents: 4, tasks: 1, stepsPerAgent: 2_000, changesPerSecond: 240, bytes: 40, seconds: 70 }
  await app.server.load(load)
  const made = async (): Promise<string | undefined> => (await tasks()).find((id) => !known.includes(id))
  await expect.poll(made).toBeDefined()
  const page = await open(app.server, 'olga', `/tasks/${await made()}/tree`)
  await waitForLive(page)
  const follow = page.getByRole('button', { name: 'Follow live' })
  if ((await follow.getAttribute('aria-pressed')) === 'true') await follow.click()
  const grid = tree(page)
  const rowCount = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'))
  const strip = await boxOf(grid.locator('[data-strip]'))
  const middle = { x: strip.x - 400, y: strip.y + strip.height / 2 }

  /** Scroll so far down (0 to 1), by the strip and then by the wheel. out: of the line in the middle, the places in which it is drawn */
  const read = async (part: number): Promise<() => Promise<number[]>> => {
    await page.mouse.click(strip.x + 6, strip.y + strip.height * part - 2)
    await page.mouse.move(middle.x, middle.y)
    await page.mouse.wheel(0, -200)
    const atMiddle = (): Promise<string> =>
      page.evaluate(
        ({ x, y }) => document.elementFromPoint(x, y)?.closest('[role=row]')?.getAttribute('data-id') ?? '',
        middle,
      )
    // The scroll itself has ended when the same line is there at two looks.
    const looks = ['']
    await expect.poll(async () => looks.push(await atMiddle()) > 2 && looks.at(-1) === looks.at(-2)).toBe(true)
    await page.evaluate((id) => {
      const places = new Set<number>()
      Object.assign(window, { places })
      const look = (): void => {
        const row = document.querySelector(`main [role=row][data-id="${id}"]`)
        if (!('places' in window) || window.places !== places) return
        places.add(row === null ? Number.NaN : Math.round(row.getBoundingClientRect().y))
        requestAnimationFrame(look)
      }
      look()
    }, looks.at(-1))
    return () =>
      page.evaluate(() => ('places' in window && window.places instanceof Set ? [...window.places].map(Number) : []))
  }

  // Steps of the last member fill the window; the lists above them grow.
  await expect.poll(rowCount, { timeout: 60_000 }).toBeGreaterThan(150)
  const before = await rowCount()
  const ofLast = await read(1)
  await expect.poll(rowCount).toBeGreaterThan(before + 30)
  expect(await ofLast()).toHaveLength(1)

  // Lists that hold their newest steps alone lose one above for each that comes below.
  const older = grid.getByRole('row', { name: /^Show \d+ earlier steps$/ })
  await page.mouse.wheel(0, -100_000)
  await expect(older.first()).toBeVisible({ timeout: 60_000 })
  const ofMiddle = await read(0.5)
  const newest = (): Promise<number> =>
    grid.locator('[role=row][data-seq]').evaluateAll((all) => Math.max(...all.map((one) => Number(one.dataset.seq))))
  const now = await newest()
  await expect.poll(newest).toBeGreaterThan(now + 60)
  expect(await ofMiddle()).toHaveLength(1)
  olga.close()
})
