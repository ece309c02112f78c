/** A whole task with keys alone: signing in, asking for work, answering, allowing, ending a part. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, isLive, serverForFile, test } from './fixtures/console'
import { PASSWORDS } from './fixtures/server'
import { LISTS, writeFiles } from './fixtures/work'

const town = serverForFile()
test.use({ allowedTroubles: /status of 401/ })

const MOST_TABS = 60

/** Press Tab until this has the focus. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  await expect(goal).toBeVisible()
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await goal.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`not reached by ${MOST_TABS} presses of Tab: ${goal}`)
}

test('goes from signing in to a finished task without a mouse', async ({ open }) => {
  writeFiles(town.server, 'mint', LISTS)
  const page = await open(town.server, null, '/login')
  await expect(page.getByRole('textbox', { name: 'Human agent ID' })).toBeFocused()
  await page.keyboard.type('ana')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORDS.ana)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await isLive(page)

  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeFocused()
  const ask = page.getByRole('button', { name: 'Ask for new work' }).first()
  await tabTo(page, ask)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Ask for new work' })
  await tabTo(page, dialog.getByRole('textbox', { name: 'What should be achieved?' }))
  await page.keyboard.type('Compare the lists in mint and write a report')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)

  // The question comes as a dialog; Escape puts it away, `n` goes to it.
  await expect(page.getByRole('alertdialog', { name: 'Urgent from Coder' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.keyboard.press('n')
  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(question).toBeVisible()
  await tabTo(page, question.getByRole('radio', { name: '1.10' }))
  await page.keyboard.press('ArrowRight')
  await expect(question.getByRole('radio', { name: '1.30' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(question.getByRole('radio', { name: '1.30' })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(question).toHaveCount(0)

  await page.keyboard.press('g')
  await page.keyboard.press('i')
  const allow = page.getByRole('article', { name: /^Request from Tester: Allow/ })
  await tabTo(page, allow.getByRole('button', { name: 'Approve', exact: true }))
  await page.keyboard.press('Enter')
  await expect(allow).toHaveCount(0)
  await expect.poll(() => existsSync(join(town.server.workspace, 'mint/report.md'))).toBe(true)

  const part = page.getByRole('article', { name: /^Your part of stage/ })
  await expect(part).toBeVisible()
  await tabTo(page, part.getByRole('textbox', { name: 'What did you do?' }))
  await page.keyboard.type('Checked, it is right.')
  await page.keyboard.press('Control+Enter')
  await expect(part).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('row', { name: /Compare mint/ })).toContainText('Done')
})

test('F6 goes round the landmarks, and the skip links lead past them', async ({ open }, info) => {
  const page = await open(town.server, 'ben', '/tasks')
  await isLive(page)
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().press('Enter')
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
  const landmarks = [
    page.getByRole('banner', { name: 'Convene' }),
    page.getByRole('navigation', { name: 'Main' }),
    ...(info.project.name === 'desktop' ? [page.getByRole('complementary', { name: 'List' })] : []),
    page.getByRole('main'),
  ]
  // From the heading in main once round.
  for (const landmark of landmarks) {
    await page.keyboard.press('F6')
    await expect(landmark).toBeFocused()
  }
  await page.reload()
  await isLive(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to what needs you' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the command palette finds a screen, a task and a setting by keys alone', async ({ open, start }) => {
  const server = await start()
  const page = await open(server, 'ana', '/inbox')
  await isLive(page)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const box = palette.getByRole('combobox', { name: 'Search or run a command' })
  await expect(box).toBeFocused()
  await page.keyboard.type('base task')
  await expect(palette.getByRole('option', { name: /MAS base task/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('nothing of this kind')
  await expect(palette.getByText(/^Nothing fits/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('language')
  await expect(palette.getByRole('option', { name: '中文' })).toBeVisible()
  await palette.getByRole('option', { name: '中文' }).click()
  await expect(page.getByRole('link', { name: /^收件箱/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('深色')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
