/** A task is looked at as it was: from mark to mark, by keys and by pointer, read only, and back to live. */
import type { Page } from '@playwright/test'
import { connection, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { INPUT_WAYS } from './fixtures/input'
import { finishTask } from './fixtures/work'

const server = serverForFile()

const atOf = (page: Page): number => Number(new URL(page.url()).searchParams.get('at'))
const treeOf = (page: Page): Promise<string> => page.getByRole('tabpanel', { name: 'Tree' }).innerText()

for (const way of INPUT_WAYS)
  test(`[R629] a finished task is looked at as it was, and what is now comes back, by ${way}`, async ({
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
    await page.keyboard.press('.')
    await expect.poll(() => atOf(page)).toBeGreaterThan(marked)
    await page.keyboard.press(',')
    await expect.poll(() => atOf(page)).toBe(marked)

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

test('moments are played from the beginning, and end at the last change', async ({ open }) => {
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
