/** An Urgent reaches its receiver on every page, stays until it is acknowledged, and its sender sees that it was. */
import type { Page } from '@playwright/test'
import { expect, navigateTo, openItem, serverForFile, test, waitForLive } from './fixtures/console'
import { type InputWay, inputOf, inputWayAt } from './fixtures/input'
import { neverReuse } from './fixtures/pages'
import { sendMessage } from './fixtures/work'

const app = serverForFile()

async function openBase(page: Page, way: InputWay = 'mouse'): Promise<void> {
  await inputOf(page, way).press(page.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
}

async function sendTo(
  page: Page,
  who: string,
  type: 'FYI' | 'Action required' | 'Urgent',
  text: string,
  way: InputWay = 'mouse',
): Promise<void> {
  const input = inputOf(page, way)
  const form = page.getByRole('form', { name: 'Write a message' })
  const box = form.getByRole('textbox', { name: 'Message' })
  const option = page.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: new RegExp(`^${who}`) })
  if (way === 'mouse') {
    await box.pressSequentially(`@${who}`)
    await option.click()
  } else {
    await page.keyboard.press('c')
    await expect(box).toBeFocused()
    await page.keyboard.type(`@${who}`)
    await expect(option).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
  }
  await input.choose(
    form.getByRole('button', { name: /^Message type/ }),
    page.getByRole('menuitemradio', { name: type }),
  )
  if (way === 'mouse') {
    await box.fill(text)
    await form.getByRole('button', { name: 'Send', exact: true }).click()
  } else {
    await expect(form.getByRole('button', { name: `Message type: ${type}` })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await expect(box).toBeFocused()
    await page.keyboard.type(text)
    await expect(box).toHaveValue(text)
    await page.keyboard.press('Enter')
  }
}

// The browser without windows, which the short suite is driven by, knows no notices by push.
test('push is offered where the browser knows it @all', async ({ open }) => {
  const ana = await open(app.server, 'ana', '/settings/notifications')
  await expect(ana.getByRole('button', { name: 'Turn on push notifications' })).toBeVisible()
})

test('an Urgent opens as a dialog on any page, collapses to a bar, and ends when it is acknowledged', async ({
  open,
}, info) => {
  const way = inputWayAt(info)
  const ana = await open(app.server, 'ana', '/settings/notifications')
  await expect(ana.getByText('Not set up.')).toHaveCount(2)
  const ben = await open(app.server, 'ben', '/tasks')
  await openBase(ben, way)
  await sendTo(ben, 'Ana', 'Urgent', 'The oven is on fire.', way)
  await expect(ana.getByRole('alertdialog', { name: 'Urgent from Ben' })).toBeVisible()
  await expect(ana).toHaveTitle(/🚨/)
  await expect(ana.locator('link[rel=icon][data-mark=urgent]')).toHaveCount(1)
  await ana.keyboard.press('Escape')
  const bar = ana.getByRole('region', { name: 'Urgent, not acknowledged' })
  await expect(bar).toBeVisible()
  await navigateTo(ana, '/inbox')
  const row = await openItem(ana, /The oven is on fire\./)
  // All its buttons are inside the card.
  const reply = row.getByRole('link', { name: 'Reply' })
  await reply.scrollIntoViewIfNeeded()
  await expect(reply).toBeInViewport({ ratio: 1 })
  await ana.goto(`${app.server.url}/tasks`)
  await expect(bar).toBeVisible()
  const input = inputOf(ana, way)
  await input.press(bar.getByRole('button', { name: 'Show' }))
  const dialog = ana.getByRole('alertdialog')
  await expect(dialog).toBeVisible()
  // All that can be done stands in one row, on a phone at the lower edge.
  const isPhone = info.project.name === 'phone'
  const acts = ['Answer', 'Acknowledge', isPhone ? 'Later' : 'Remind me in…']
  const tops = await Promise.all(
    acts.map(async (name) =>
      Math.round((await dialog.getByRole('button', { name, exact: true }).boundingBox())?.y ?? -1),
    ),
  )
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(8)
  if (isPhone) {
    const edge = await dialog.boundingBox()
    expect((edge?.y ?? 0) + (edge?.height ?? 0)).toBeGreaterThan(720)
  }
  // Its buttons ignore presses for half a second, since they may be meant for the page underneath.
  await expect(async () => {
    if ((await dialog.count()) > 0) await input.press(dialog.getByRole('button', { name: 'Acknowledge' }))
    await expect(dialog).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
  await expect(bar).toHaveCount(0)
  await expect(ana).not.toHaveTitle(/🚨/)
  await expect(ana.locator('link[rel=icon][data-mark]')).toHaveCount(0)
  await inputOf(ben, way).press(ben.getByRole('button', { name: 'Receipts: 1 of 1 acknowledged' }))
  const receipts = ben.getByRole('dialog', { name: 'Receipts' })
  await expect(receipts.getByText(/ sound in an open page, sent$/)).toBeVisible()
  await expect(receipts.getByRole('list', { name: 'Receipt history' }).getByRole('listitem')).toHaveText([
    / delivered$/,
    / read$/,
  ])
  await ana.goto(`${app.server.url}/inbox`)
  await expect(ana.getByText('The oven is on fire.').last()).toBeVisible()
})

test('a desk is asked about desktop notices after its first Urgent or Action was handled, a phone never is @all', async ({
  open,
}, info) => {
  const olga = await open(app.server, 'olga', '/inbox')
  neverReuse(olga)
  await olga.context().addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'default' }))
  await olga.reload()
  await waitForLive(olga)
  const ben = await open(app.server, 'ben', '/tasks')
  await openBase(ben)
  await sendTo(ben, 'Olga', 'Action required', 'Please weigh the flour.')
  const row = await openItem(olga, /weigh the flour/)
  // By keyboard: a pointer that rests where the toast opens would hold it.
  await row.getByRole('button', { name: 'Mark as done' }).press('Enter')
  const undo = olga.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  const question = olga.getByRole('region', { name: 'Turn on desktop notifications?' })
  // It does not open under the toast.
  await expect(question).toHaveCount(0)
  await expect(undo).toHaveCount(0)
  if (info.project.name !== 'phone') {
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Not now' }).click()
  }
  await expect(question).toHaveCount(0)
})

test('[R430] the menu of the dialog opens above it, and what it snoozes comes back by Show', {
  tag: '@desktop',
}, async ({ open }) => {
  const dana = await open(app.server, 'dana', '/settings/display')
  await waitForLive(dana)
  const ben = await open(app.server, 'ben', '/settings/profile')
  await sendMessage(ben, 'dana', 'The gate is open.', 'urgent')
  const dialog = dana.getByRole('alertdialog', { name: 'Urgent from Ben' })
  await dialog.getByRole('button', { name: 'Remind me in…' }).click()
  await dana.getByRole('menuitem', { name: 'Remind me in an hour' }).click()
  await expect(dialog).toHaveCount(0)
  await dana.getByRole('region', { name: 'Urgent, not acknowledged' }).getByRole('button', { name: 'Show' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Your answer' })).toBeVisible()
})
