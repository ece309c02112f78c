/** An Urgent reaches its receiver on every page, stays until it is acknowledged, and its sender sees that it was. */
import type { Page } from '@playwright/test'
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { type InputWay, inputOf, inputWayAt } from './fixtures/input'
import { recordedNotifications, recordNotifications } from './fixtures/notifications'
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
  const row = ana.getByRole('article', { name: /The oven is on fire\./ })
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
  await expect(ana.getByRole('article', { name: /The oven is on fire\./ })).toBeVisible()
})

test('[R222] an Urgent that comes over an open menu waits in the bar until the menu is closed', {
  tag: '@desktop',
}, async ({ open }) => {
  const olga = await open(app.server, 'olga', '/settings/profile')
  await waitForLive(olga)
  const ben = await open(app.server, 'ben', '/settings/profile')
  await waitForLive(ben)
  await olga.getByRole('button', { name: /^Olga/ }).click()
  const menu = olga.getByRole('menu')
  await expect(menu).toBeVisible()
  await sendMessage(ben, 'olga', 'The gate is stuck.', 'urgent')
  await expect(olga.locator('[data-notice=urgent]')).toBeVisible()
  await expect(menu).toBeVisible()
  await expect(olga.getByRole('alertdialog')).toHaveCount(0)
  await olga.keyboard.press('Escape')
  await expect(olga.getByRole('alertdialog', { name: 'Urgent from Ben' })).toBeVisible()
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
  const row = olga.getByRole('article', { name: /weigh the flour/ })
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

/** The count in the navigation; the tests of this file share a server, so it may include other items. */
async function needsMe(page: Page): Promise<number> {
  const name = await page.getByRole('link', { name: /^Inbox, \d+ / }).ariaSnapshot()
  return Number(/Inbox, (\d+) /.exec(name)?.[1])
}

test('[R224] a mention is a toast elsewhere in the app, and silent during do-not-disturb, which begins in all open pages', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  const ana = await open(app.server, 'ana', '/settings/display')
  await recordNotifications(ana)
  await ana.reload()
  const ben = await open(app.server, 'ben', '/tasks')
  await openBase(ben)
  await ana.getByRole('heading', { name: 'Settings' }).click()
  await sendTo(ben, 'Ana', 'Action required', 'Please count the loaves.')
  const notices = ana.getByRole('region', { name: /^Notifications/ })
  await expect(notices.getByText(/count the loaves/)).toBeVisible()

  const other = await open(app.server, 'ana', '/tasks')
  await waitForLive(other)
  await ana.getByRole('button', { name: 'Do not disturb: off' }).click()
  await ana.getByRole('dialog', { name: 'Do not disturb' }).getByRole('button', { name: 'Until I turn it off' }).click()
  for (const page of [ana, other]) await expect(page.getByRole('button', { name: 'Do not disturb: on' })).toBeVisible()
  const before = await needsMe(ana)
  await sendTo(ben, 'Ana', 'Action required', 'Please count the rolls.')
  await expect.poll(() => needsMe(ana)).toBe(before + 1)
  // The page checks for alerts once a second: the next one comes after the check.
  await sendTo(ben, 'Ana', 'Action required', 'Please count the cakes.')
  await expect.poll(() => needsMe(ana)).toBe(before + 2)
  const came = (await recordedNotifications(ana)).notices.join()
  expect(came).toContain('count the loaves')
  expect(came).not.toContain('count the rolls')
  await ana.reload()
  await expect(ana.getByRole('button', { name: 'Do not disturb: on' })).toBeVisible()
})

test('[R142] a rule about a member keeps their messages from notifying me, except urgent ones', {
  tag: '@desktop',
}, async ({ open }) => {
  const lee = await open(app.server, 'lee', '/settings/notifications')
  await waitForLive(lee)
  const rules = lee.getByRole('region', { name: 'By member' })
  await rules.getByRole('combobox', { name: 'Add a member…' }).click()
  await lee.getByRole('option', { name: 'Ben', exact: true }).click()
  await expect(rules.getByRole('combobox', { name: 'Notify me about: Ben' })).toContainText('Urgent only')
  await navigateTo(lee, '/settings/display')
  const ben = await open(app.server, 'ben', '/settings/profile')
  const dana = await open(app.server, 'dana', '/settings/profile')
  await sendMessage(ben, 'lee', 'Please count the pans.', 'action')
  await sendMessage(dana, 'lee', 'Please count the lids.', 'action')
  const toasts = lee.getByRole('region', { name: /^Notifications/ })
  await expect(toasts.getByText(/count the lids/)).toBeVisible()
  await expect(toasts.getByText(/count the pans/)).toHaveCount(0)
  await sendMessage(ben, 'lee', 'The pans are on fire.', 'urgent')
  await expect(lee.getByRole('alertdialog', { name: 'Urgent from Ben' })).toBeVisible()
})

test('[R425] [R430] Show shows an Urgent that was snoozed with the menu of its dialog, or comes during do not disturb', {
  tag: '@desktop',
}, async ({ open }) => {
  const dana = await open(app.server, 'dana', '/settings/display')
  const ben = await open(app.server, 'ben', '/settings/profile')
  await waitForLive(ben)
  await sendMessage(ben, 'dana', 'The gate is open.', 'urgent')
  const dialog = dana.getByRole('alertdialog', { name: 'Urgent from Ben' })
  const bar = dana.getByRole('region', { name: 'Urgent, not acknowledged' })
  const answer = dialog.getByRole('textbox', { name: 'Your answer' })
  await dialog.getByRole('button', { name: 'Remind me in…' }).click()
  await dana.getByRole('menuitem', { name: 'Remind me in an hour' }).click()
  await expect(dialog).toHaveCount(0)
  await bar.getByRole('button', { name: 'Show' }).click()
  // The page looks at its Urgents three times a second: the dialog is still there after an answer is written.
  await answer.pressSequentially('Who left it open?', { delay: 50 })
  await expect(answer).toHaveValue('Who left it open?')
  await dana.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await dana.getByRole('button', { name: 'Do not disturb: off' }).click()
  await dana
    .getByRole('dialog', { name: 'Do not disturb' })
    .getByRole('link', { name: 'Sounds and quiet hours' })
    .click()
  const override = dana.getByRole('checkbox', { name: /^Urgent messages override/ })
  await override.click()
  await expect(override).not.toBeChecked()
  await dana.getByRole('button', { name: 'Do not disturb: off' }).click()
  await dana
    .getByRole('dialog', { name: 'Do not disturb' })
    .getByRole('button', { name: 'Until I turn it off' })
    .click()
  await sendMessage(ben, 'dana', 'The gate is on fire.', 'urgent')
  await expect(bar.getByText('2', { exact: true })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await bar.getByRole('button', { name: 'Show' }).click()
  await expect(answer).toHaveValue('Who left it open?')
  await answer.pressSequentially(' Close it.', { delay: 50 })
  await answer.press('Control+Enter')
  await expect(bar.getByText(/on fire/)).toBeVisible()
})
