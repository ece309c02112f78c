/** An FYI: who has read it is said to the sender, and nothing disturbs the one who reads it. */

import type { Page } from '@playwright/test'
import { expect, isLive, serverForFile, test } from './fixtures/console'
import { handsOf, wayAt } from './fixtures/hands'

const town = serverForFile()

/** How often the console made a sound since it was loaded. */
const sounds = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.documentElement.getAttribute('data-sounds')))

/** Count each tone that any page of this browser starts. */
const countSounds = (page: Page): Promise<unknown> =>
  page.context().addInitScript(() => {
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function counted(...when) {
      const root = document.documentElement
      root.setAttribute('data-sounds', String(Number(root.getAttribute('data-sounds')) + 1))
      start.apply(this, when)
    }
  })

test('an FYI says who has read it, and makes neither sound nor toast nor a mark in the title', async ({
  open,
}, info) => {
  const way = wayAt(info)
  const ana = await open(town.server, 'ana', '/tasks')
  const hands = handsOf(ana, way)
  await hands.press(ana.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
  const ben = await open(town.server, 'ben', '/settings/display')
  await countSounds(ben)
  await ben.reload()
  await isLive(ben)
  // From the first press on a browser lets pages be heard.
  await ben.getByRole('heading', { name: 'Settings', level: 1 }).click()
  const title = await ben.title()
  const form = ana.getByRole('form', { name: 'Write a message' })
  const box = form.getByRole('textbox', { name: 'Message' })
  const send = form.getByRole('button', { name: 'Send', exact: true })
  await hands.write(box, 'The bakery opens at six.')
  await hands.press(send)
  const sent = ana.getByRole('article', { name: /The bakery opens at six/ })
  await expect(sent.getByRole('button', { name: /^Receipts: Read by/ })).toBeVisible()
  await expect(ben.getByRole('link', { name: /^Inbox, \d+ need you/ })).toBeVisible()
  await expect(ben.getByText('The bakery opens at six.')).toHaveCount(0)
  await expect(ben).toHaveTitle(title)
  expect(await sounds(ben)).toBe(0)

  const { press } = handsOf(ben, way)
  await press(ben.getByRole('link', { name: 'Tasks', exact: true }))
  await press(ben.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
  await expect(sent.getByRole('button', { name: /^Receipts: Read by [1-9]/ })).toBeVisible()
  await expect(ben).not.toHaveTitle(/^\(\d|🚨/)
  await hands.press(sent.getByRole('button', { name: /^Receipts: Read by/ }))
  const receipts = ana.getByRole('dialog', { name: 'Receipts' })
  await expect(receipts.getByRole('row', { name: /^Ben/ })).toContainText('read')
  expect(await sounds(ben)).toBe(0)

  // An Urgent is heard, so a sound would have been.
  await ana.keyboard.press('Escape')
  await expect(receipts).toHaveCount(0)
  await box.pressSequentially('/urgent @Ben')
  await ana.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: /^Ben/ }).click()
  await box.pressSequentially('It burns.')
  await send.click()
  await expect.poll(() => sounds(ben)).toBeGreaterThan(0)
})
