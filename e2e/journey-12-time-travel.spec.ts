/** A task is looked at as it was: from mark to mark, by keys and by pointer, read only, and back to live. */
import type { Page } from '@playwright/test'
import { connection, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { INPUT_WAYS } from './fixtures/input'
import { finishTask } from './fixtures/work'

const server = serverForFile()

const atOf = (page: Page): number => Number(new URL(page.url()).searchParams.get('at'))
const treeOf = (page: Page): Promise<string> => page.getByRole('tabpanel', { name: 'Tree' }).innerText()

const withAt = (page: Page, seq: number): string => {
  const url = new URL(page.url())
  url.searchParams.set('at', String(seq))
  return url.href
}

/** Each link within the task, in each of its views and in the inspector, names the moment. */
async function keepsTheMoment(page: Page, task: string, seq: number): Promise<void> {
  const id = new URL(page.url()).pathname.split('/')[2] ?? task
  const links = page.locator(`:is([data-pane=main], [data-pane=inspector]) a[href^="/tasks/${id}"]`)
  const lost = (): Promise<string[]> =>
    links.evaluateAll(
      (all, at) =>
        all.flatMap((one) => {
          const href = one.getAttribute('href') ?? ''
          return new URL(href, location.href).searchParams.get('at') === at ? [] : [href]
        }),
      String(seq),
    )
  for (const view of ['Chat', 'Timeline', 'Waits', 'Tree']) {
    await page.getByRole('tab', { name: view, exact: true }).click()
    await expect(page.getByRole('tabpanel', { name: view })).not.toHaveAttribute('aria-busy', 'true')
    await expect(page.getByRole('slider', { name: 'Moment' })).toHaveAttribute('aria-valuenow', String(seq))
    expect(await links.count()).toBeGreaterThan(0)
    expect(await lost()).toEqual([])
  }
  expect(atOf(page)).toBe(seq)
}

/** What the menu of the task would change is off, and says why. */
async function menuIsOff(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Task actions' }).click()
  const exporting = page.getByRole('menuitem', { name: 'Export…' })
  await expect(exporting).toHaveAttribute('aria-disabled', 'true')
  await expect(exporting).toHaveAttribute('aria-description', /Go back to live/)
  await page.keyboard.press('Escape')
}

for (const way of INPUT_WAYS)
  test(`[R629] [R638] a finished task is looked at as it was, and what is now comes back, by ${way} @phone-in-all`, async ({
    open,
  }, info) => {
    test.setTimeout(180_000)
    const task = await finishTask(server.server, `travel-${way}`)
    const page = await open(server.server, 'ana', `${task}/tree`)
    await waitForLive(page)
    const isByKey = way === 'keys'
    await expect(page.getByRole('treegrid').first()).toBeVisible()
    const now = await treeOf(page)
    if (isByKey) await page.keyboard.press('t')
    else {
      await page.getByRole('button', { name: 'Task actions' }).click()
      await page.getByRole('menuitem', { name: 'Time travel' }).click()
    }
    const slider = page.getByRole('slider', { name: 'Moment' })
    await expect(page.getByText(/^You are looking at/).first()).toBeVisible()
    await expect(slider).toHaveAttribute('aria-valuetext', /change [\d,]+ of [\d,]+/)
    const last = atOf(page)

    await slider.focus()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('PageUp')
    await expect.poll(() => atOf(page)).toBeLessThan(last)
    await expect.poll(() => treeOf(page)).not.toBe(now)
    // On a phone the tree has no column of bars.
    if (info.project.name === 'desktop') await expect(page.locator('[data-bar]').first()).toBeVisible()
    const marked = atOf(page)
    // Keys work wherever the focus is, and Space plays where it presses nothing.
    await page.getByRole('heading', { level: 1 }).first().focus()
    await page.keyboard.press('.')
    await expect.poll(() => atOf(page)).toBeGreaterThan(marked)
    await page.keyboard.press(',')
    await expect.poll(() => atOf(page)).toBe(marked)
    await page.keyboard.press(' ')
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
    await page.keyboard.press(' ')
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    await page.keyboard.press(',')
    await expect.poll(() => atOf(page)).toBeLessThanOrEqual(marked)
    await page.goto(withAt(page, marked))
    await keepsTheMoment(page, task, marked)
    await menuIsOff(page)

    // Nothing can be sent.
    await page.getByRole('tab', { name: 'Chat' }).click()
    const send = page.getByRole('main').getByRole('button', { name: 'Send' })
    await expect(send).toHaveAttribute('aria-disabled', 'true')
    await expect(send).toHaveAttribute('aria-description', /Go back to live/)
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveCount(0)

    // A link opens the same moment, and it differs from now.
    const shared = await open(server.server, 'ana', new URL(page.url()).pathname + new URL(page.url()).search)
    await expect(shared.getByRole('slider', { name: 'Moment' })).toHaveAttribute('aria-valuenow', String(marked))
    await shared.getByRole('button', { name: 'Compare with now' }).click()
    await expect(shared.getByRole('dialog').getByRole('heading', { name: /^Steps: / })).toBeVisible()

    await page.getByRole('button', { name: 'Back to live' }).click()
    await expect(slider).toHaveCount(0)
    await expect(connection(page, 'live')).toBeVisible()
    await page.getByRole('tab', { name: 'Tree' }).click()
    await expect.poll(() => treeOf(page)).toBe(now)
  })

test('moments are played from the beginning, and end at the last change', { tag: '@all' }, async ({ open }) => {
  test.setTimeout(180_000)
  const task = await finishTask(server.server, 'travel-play')
  const page = await open(server.server, 'ana', `${task}?at=1`)
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.focus()
  await page.keyboard.press('Home')
  const first = Number(await slider.getAttribute('aria-valuenow'))
  await page.getByRole('combobox', { name: 'Speed' }).click()
  await page.getByRole('option', { name: '60×' }).click()
  await slider.focus()
  await page.keyboard.press(' ')
  await expect.poll(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThan(first)
  await expect
    .poll(async () => (await slider.getAttribute('aria-valuenow')) === (await slider.getAttribute('aria-valuemax')), {
      timeout: 60_000,
    })
    .toBe(true)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
})
