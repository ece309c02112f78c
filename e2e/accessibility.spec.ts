/** axe finds nothing serious on any page, light and dark, while somebody is asked for something urgent. */

import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, foldUrgent, isLive, test } from './fixtures/console'
import { askAboutLists } from './fixtures/work'

test.use({ allowedTroubles: /status of 401/ })

/** A part of a page whose rest was looked at before; null: the whole page. */
type Part = 'main' | 'aside[aria-label=Inspector]' | '[role=tabpanel]' | '[role=dialog]' | '[role=alertdialog]' | null

/** What axe finds, by rule, with the places. Colours alone: only they differ between the themes. */
async function findings(page: Page, part: Part, isColoursAlone: boolean): Promise<string[]> {
  // There are no frames here, so nothing is gained by a second page in which axe would put their findings together.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  if (part !== null) axe.include(part)
  const { violations, passes } = await (isColoursAlone ? axe.withRules(['color-contrast']) : axe).analyze()
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    )
}

/** Colours that are on their way to others are neither. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  )

/** Everything in the light, then the colours in the dark; on a phone the colours are the same. */
async function check(page: Page, what: string, part: Part = null): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 600
  for (const colorScheme of isPhone ? (['light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await settled(page)
    expect.soft(await findings(page, part, colorScheme === 'dark'), `${what}, ${colorScheme}`).toEqual([])
  }
}

test('the sign-in page', async ({ open, start }) => {
  const server = await start()
  const page = await open(server, null, '/login')
  await expect(page.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
  await check(page, 'sign-in')
})

test('the inbox, the tasks, a task and the settings', async ({ open, start }, info) => {
  test.setTimeout(240_000)
  const server = await start()
  const page = await open(server, 'ana', '/inbox')
  await isLive(page)
  await askAboutLists(page, server, 'attic')
  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(question).toBeVisible()
  const task = await question.getByRole('link').first().getAttribute('href')
  await check(page, 'inbox')

  await page.goto(`${server.url}/settings/profile`)
  await expect(page.getByRole('alertdialog', { name: 'Urgent from Coder' })).toBeVisible()
  await check(page, 'urgent dialog', '[role=alertdialog]')
  await foldUrgent(page, 'Coder')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await check(page, 'settings with the urgent bar')

  await page.goto(`${server.url}/tasks`)
  await expect(page.getByRole('link', { name: /Compare attic/ })).toBeVisible()
  await check(page, 'tasks')
  await page.getByRole('button', { name: 'Ask for new work' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Ask for new work' })).toBeVisible()
  await check(page, 'ask for new work', '[role=dialog]')

  await page.goto(`${server.url}${task}`)
  await expect(
    page
      .getByRole('log', { name: /^Group chat of/ })
      .getByRole('article')
      .first(),
  ).toBeVisible()
  await check(page, 'chat')

  await page.goto(`${server.url}${task}/tree`)
  const step = page.getByRole('row', { name: /^tool .*, step of Coder, Done/ }).first()
  await expect(step).toBeVisible()
  await check(page, 'tree')

  if (info.project.name === 'phone') {
    const more = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' })
    await more.click()
    const places = page.getByRole('dialog', { name: 'More' })
    await check(page, 'more places', '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()
    await page.keyboard.press('Enter')
    await places.getByRole('link', { name: 'Waits' }).click()
    await expect(page.getByRole('heading', { name: 'Waits', level: 1 })).toBeFocused()
    await expect(more).toHaveAttribute('aria-current', 'true')
    return
  }
  await step.click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('tablist')).toBeVisible()
  // Beside a short page: axe reads all of what is there, and the tree is long.
  await page.goto(`${server.url}/settings/display${new URL(page.url()).search}`)
  await expect(inspector.getByRole('tablist')).toBeVisible()
  await check(page, 'inspector')
  for (const tab of ['Prompt', 'Response', 'Tool', 'JSON']) {
    await inspector.getByRole('tab', { name: tab, exact: true }).click()
    await expect(inspector.getByRole('tab', { name: tab, exact: true })).toHaveAttribute('aria-selected', 'true')
    await expect(inspector.locator('[aria-busy=true]')).toHaveCount(0)
    await check(page, `inspector, ${tab}`, 'aside[aria-label=Inspector]')
  }
})

const SOUTH_KEY = 'key-of-south'
const SOUTH = `  - uri: agent://south.example/*
    base_url: http://127.0.0.1:9
    key_env: SOUTH_KEY
    may: [mamp]
`

/** A message of another system, as it sends it. out: the status of the answer. */
async function writeFromSouth(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/mamp/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      protocol: 'mamp/1.0',
      message_id: 'offer-1',
      from: 'agent://south.example/seller',
      to: `agent://${new URL(url).host}/manager`,
      content: 'Chairs are here',
      metadata: { timestamp: '2026-03-04T10:00:00Z' },
    }),
  })
  return answer.status
}

test('the waits, the team and a profile, and the questions before an act', async ({ open, start }, info) => {
  test.skip(info.project.name !== 'desktop', 'an operator’s pages')
  test.setTimeout(240_000)
  const server = await start({ peers: SOUTH, env: { SOUTH_KEY } })
  const page = await open(server, 'olga', '/agents')
  await isLive(page)
  const asker = await open(server, 'ana', '/inbox')
  await isLive(asker)
  await askAboutLists(asker, server, 'attic')
  await expect(page.getByRole('row', { name: /Coder.*Waiting on Ana/ })).toBeVisible()
  await check(page, 'agents')

  await page.getByRole('link', { name: 'Coder, agent' }).click()
  await expect(page.getByRole('heading', { name: 'Coder', level: 1 })).toBeVisible()
  await check(page, 'profile')
  for (const tab of ['Queue', 'Memory', 'History', 'Config', 'State']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
    await check(page, `profile, ${tab}`, '[role=tabpanel]')
  }

  await page.goto(`${server.url}/tools`)
  const tool = page.getByRole('link', { name: /^query/ })
  await expect(tool).toBeVisible()
  await check(page, 'tools', 'main')
  await tool.click()
  await page.getByRole('textbox', { name: /^sql/ }).fill('select * from item')
  await page.getByRole('button', { name: 'Run tool' }).click()
  await expect(page.getByRole('region', { name: 'Result', exact: true }).getByRole('table')).toBeVisible()
  await check(page, 'a tool and its result')

  await page.goto(`${server.url}/search?q=bolt`)
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('link').first()).toBeVisible()
  await check(page, 'search', 'main')

  await page.goto(`${server.url}/direct`)
  await expect(page.getByRole('navigation', { name: 'Private conversations' }).getByRole('link').first()).toBeVisible()
  await check(page, 'private conversations')

  await page.goto(`${server.url}/notices`)
  await expect(page.getByRole('heading', { name: 'Notices', level: 1 })).toBeVisible()
  await check(page, 'notices', 'main')

  expect(await writeFromSouth(server.url, 'wrong')).toBe(401)
  expect(await writeFromSouth(server.url, SOUTH_KEY)).toBe(200)
  await page.goto(`${server.url}/directory/conversations`)
  await expect(
    page.getByRole('table', { name: 'Conversations' }).getByRole('link', { name: 'seller, agent from outside' }),
  ).toBeVisible()
  await check(page, 'conversations', 'main')
  await page.getByRole('tab', { name: 'Exchange' }).click()
  await expect(page.getByText('1 request without a good key')).toBeVisible()
  const came = page.getByRole('row', { name: /^In · mamp · offer-1 taken/ })
  await expect(came).toBeVisible()
  await check(page, 'exchange')
  await came.getByRole('link', { name: /^In/ }).click()
  await expect(page.getByRole('dialog', { name: /^Envelope/ }).getByText('Chairs are here')).toBeVisible()
  await check(page, 'envelope', '[role=dialog]')
  await page.goto(`${server.url}/directory/checkpoints`)
  await expect(page.getByRole('heading', { name: 'No checkpoints' })).toBeVisible()
  await check(page, 'checkpoints', 'main')

  await page.goto(`${server.url}/directory/peers`)
  await expect(page.getByRole('heading', { name: 'Directory', level: 1 })).toBeVisible()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await check(page, 'peers', 'main')

  await page.goto(`${server.url}/settings/keyboard`)
  await expect(page.getByRole('button', { name: 'Change the key: Next error' })).toBeVisible()
  await check(page, 'keys', 'main')

  await page.goto(`${server.url}/waits`)
  await expect(page.getByRole('table', { name: 'Waits' }).getByRole('row', { name: /^Coder/ })).toBeVisible()
  await check(page, 'waits')
  await page.getByRole('button', { name: 'Release this wait' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Release this wait?' })).toBeVisible()
  await check(page, 'release', '[role=alertdialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Answer for Ana' }).click()
  await expect(page.getByRole('dialog', { name: 'Answer for Ana' })).toBeVisible()
  await check(page, 'answer for', '[role=dialog]')
  await page.keyboard.press('Escape')

  await page
    .getByRole('row', { name: /^Coder/ })
    .getByRole('link', { name: /Compare attic/ })
    .click()
  await page.getByRole('button', { name: 'Task actions' }).click()
  await page.getByRole('menuitem', { name: 'Retry with changes…' }).click()
  await expect(page.getByRole('dialog', { name: 'Retry with changes…' })).toBeVisible()
  await check(page, 'a form of task actions', '[role=dialog]')
})
