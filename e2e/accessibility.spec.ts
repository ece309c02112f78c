/** axe finds nothing serious on any page, light and dark, while an Urgent is open. */
import type { Locator, Page } from '@playwright/test'
import type { ScreenName } from '@/lib/wire/addresses'
import { checkAccessibility, type PagePart } from './fixtures/axe'
import { collapseUrgent, expect, navigateTo, serverForFile, test } from './fixtures/console'
import { taskByForm } from './fixtures/modelServer'
import { askAna } from './fixtures/work'
import { callerOf, newCommandHead } from './system/http'

test.use({ allowedTroubles: /status of 40[14]/ })

const SOUTH_KEY = 'key-of-south'
const SOUTH = `  - uri: agent://south.example/*
    base_url: http://127.0.0.1:9
    key_env: SOUTH_KEY
    may: [mamp]
`

// A person answers in place of Sketcher's model.
const app = serverForFile({ peers: SOUTH, env: { SOUTH_KEY }, model: { of: 'sketcher', is: '{ provider: person }' } })

/** A call of Sketcher's model that waits for a person's answer. */
async function askSketcher(): Promise<void> {
  const olga = await callerOf(app.server, 'olga')
  const work = [{ intention: 'Choose a colour', allocation: { sketcher: 'Choose a blue.' } }]
  const answer = await olga.post('/api/tasks', {
    ...newCommandHead(),
    ...taskByForm('olga', ['sketcher'], work, 'Colours'),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

/** Send a message as another system. out: the status of the answer. */
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

test('the sign-in page has no accessibility findings', { tag: '@phone-in-all' }, async ({ open }) => {
  const page = await open(app.server, null, '/login')
  await expect(page.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
  await checkAccessibility(page, 'sign-in')
})

test('[R438] the inbox, the tasks, a task and the settings have no accessibility findings @phone-in-all', async ({
  open,
}, info) => {
  test.setTimeout(480_000)
  const { task } = await askAna(app.server, 'attic')
  const page = await open(app.server, 'ana', '/inbox')
  await expect(page.getByRole('article', { name: /^Request from Coder: .*bolt/ })).toBeVisible()
  await checkAccessibility(page, 'inbox')

  await page.goto(`${app.server.url}/settings/profile`)
  await expect(page.getByRole('alertdialog', { name: 'Urgent from Coder' })).toBeVisible()
  await checkAccessibility(page, 'urgent dialog', '[role=alertdialog]')
  await collapseUrgent(page, 'Coder')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await checkAccessibility(page, 'settings with the urgent bar')

  await page.goto(`${app.server.url}/tasks`)
  await expect(page.getByRole('link', { name: /Compare attic/ })).toBeVisible()
  await checkAccessibility(page, 'tasks')
  await page.getByRole('button', { name: 'New request' }).first().click()
  await expect(page.getByRole('dialog', { name: 'New request' })).toBeVisible()
  await checkAccessibility(page, 'ask for new work', '[role=dialog]')

  await page.goto(`${app.server.url}${task}`)
  await expect(
    page
      .getByRole('log', { name: /^Group chat of/ })
      .getByRole('article')
      .first(),
  ).toBeVisible()
  await checkAccessibility(page, 'chat')

  await page.goto(`${app.server.url}${task}/tree`)
  const step = page.getByRole('row', { name: /^tool .*, step of Coder, Done/ }).first()
  await expect(step).toBeVisible()
  await checkAccessibility(page, 'tree')

  if (info.project.name === 'phone') {
    const more = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' })
    await more.click()
    const places = page.getByRole('dialog', { name: 'More' })
    await expect(places.getByRole('link', { name: 'Waits' })).toBeVisible()
    await checkAccessibility(page, 'more places', '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()
    await page.keyboard.press('Enter')
    await places.getByRole('link', { name: 'Waits' }).click()
    await expect(page.getByRole('heading', { name: 'Waits', level: 1 })).toBeFocused()
    await expect(places).toHaveCount(0)
    await expect(more).toHaveAttribute('aria-current', 'true')
    return
  }
  await step.click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('tablist')).toBeVisible()
  // On a short page, since the tree is long and axe reads everything.
  await page.goto(`${app.server.url}/settings/display${new URL(page.url()).search}`)
  await expect(inspector.getByRole('tablist')).toBeVisible()
  await checkAccessibility(page, 'inspector')
  for (const tab of ['Prompt', 'Response', 'Tool', 'JSON']) {
    await inspector.getByRole('tab', { name: tab, exact: true }).click()
    await expect(inspector.getByRole('tab', { name: tab, exact: true })).toHaveAttribute('aria-selected', 'true')
    await expect(inspector.locator('[aria-busy=true]')).toHaveCount(0)
    await checkAccessibility(page, `inspector, ${tab}`, 'aside[aria-label=Inspector]')
  }
})

test('the waits, the team, a profile and the confirmations of actions have no accessibility findings', async ({
  open,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'an operator’s pages')
  test.setTimeout(480_000)
  await askAna(app.server, 'attic')
  const page = await open(app.server, 'olga', '/agents')
  await expect(page.getByRole('row', { name: /Coder.*Waiting on Ana/ })).toBeVisible()
  await checkAccessibility(page, 'agents')

  await page.getByRole('link', { name: 'Coder, agent' }).click()
  await expect(page.getByRole('heading', { name: 'Coder', level: 1 })).toBeVisible()
  await checkAccessibility(page, 'profile')
  for (const tab of ['Queue', 'Memory', 'History', 'Config', 'State']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
    await checkAccessibility(page, `profile, ${tab}`, '[role=tabpanel]')
  }

  await page.goto(`${app.server.url}/tools`)
  const tool = page.getByRole('link', { name: /^query/ })
  await expect(tool).toBeVisible()
  await checkAccessibility(page, 'tools', 'main')
  await tool.click()
  await page.getByRole('textbox', { name: /^sql/ }).fill('select * from item')
  await page.getByRole('button', { name: 'Run tool' }).click()
  await expect(page.getByRole('region', { name: 'Result', exact: true }).getByRole('table')).toBeVisible()
  await checkAccessibility(page, 'a tool and its result')

  expect(await writeFromSouth(app.server.url, 'wrong')).toBe(401)
  expect(await writeFromSouth(app.server.url, SOUTH_KEY)).toBe(200)
  await page.goto(`${app.server.url}/directory/conversations`)
  await expect(
    page.getByRole('table', { name: 'Conversations' }).getByRole('link', { name: 'seller, external agent' }),
  ).toBeVisible()
  await checkAccessibility(page, 'conversations', 'main')
  await page.getByRole('tab', { name: 'Exchange' }).click()
  await expect(page.getByText('1 request without a valid key')).toBeVisible()
  const came = page.getByRole('row', { name: /^Received · mamp · offer-1 accepted/ })
  await expect(came).toBeVisible()
  await checkAccessibility(page, 'exchange')
  await came.getByRole('link', { name: /^Received/ }).click()
  await expect(page.getByRole('dialog', { name: /^Envelope/ }).getByText('Chairs are here')).toBeVisible()
  await checkAccessibility(page, 'envelope', '[role=dialog]')
  await page.goto(`${app.server.url}/waits`)
  await expect(page.getByRole('table', { name: 'Waits' }).getByRole('row', { name: /^Coder/ })).toBeVisible()
  await checkAccessibility(page, 'waits')
  await page.getByRole('button', { name: 'Release this wait' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Release this wait?' })).toBeVisible()
  await checkAccessibility(page, 'release', '[role=alertdialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Answer for Ana' }).click()
  await expect(page.getByRole('dialog', { name: 'Answer for Ana' })).toBeVisible()
  await checkAccessibility(page, 'answer for', '[role=dialog]')
  await page.keyboard.press('Escape')

  await page
    .getByRole('row', { name: /^Coder/ })
    .getByRole('link', { name: /Compare attic/ })
    .click()
  await page.getByRole('button', { name: 'Task actions' }).click()
  await page.getByRole('menuitem', { name: 'Retry with changes…' }).click()
  await expect(page.getByRole('dialog', { name: 'Retry with changes…' })).toBeVisible()
  await checkAccessibility(page, 'a form of task actions', '[role=dialog]')
})

type Look = { at: string; shows: (page: Page) => Locator; part?: PagePart }
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name, level: 1 })

/** Every screen of the console with the addresses to check; none: a test above checks it. */
const looks = ({
  task,
  request,
  talk,
}: Record<'task' | 'request' | 'talk', string>): Record<ScreenName, readonly Look[]> => ({
  home: [],
  inbox: [],
  tasks: [],
  task: [],
  tree: [],
  stage: [],
  step: [],
  message: [],
  agents: [],
  agent: [],
  tools: [],
  tool: [],
  waits: [],
  timeline: [
    {
      at: `${task}/timeline`,
      shows: (page) => page.getByRole('row', { name: /^tool .*, step of Coder, Done/ }).first(),
    },
  ],
  taskWaits: [{ at: `${task}/waits`, shows: (page) => page.getByRole('table', { name: 'Waits' }) }],
  request: [{ at: request, shows: heading(/^Request \d+/) }],
  files: [{ at: '/files', shows: (page) => page.getByRole('table', { name: 'Files' }) }],
  file: [
    {
      at: '/files/attic/west.csv',
      shows: (page) => page.getByRole('main').getByRole('table'),
    },
  ],
  numbers: [{ at: '/numbers', shows: (page) => page.getByRole('region', { name: 'By member' }) }],
  search: [
    {
      at: '/search?q=bolt',
      shows: (page) => page.getByRole('region', { name: 'Messages' }).getByRole('link').first(),
      part: 'main',
    },
  ],
  go: [{ at: '/go/of-nothing', shows: heading('No results for this ID') }],
  notices: [{ at: '/notices', shows: heading('Notices') }],
  help: [{ at: '/help', shows: heading('Help') }],
  direct: [
    {
      at: '/direct',
      shows: (page) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first(),
      part: null,
    },
  ],
  talk: [{ at: talk, shows: heading('Private conversation with Ben') }],
  directory: [
    { at: '/directory/peers', shows: heading('Directory') },
    { at: '/directory/registry', shows: heading('Directory') },
    {
      at: '/directory/peers?system=new',
      shows: (page) => page.getByRole('dialog', { name: 'Add peer' }),
      part: '[role=dialog]',
    },
    { at: '/directory/checkpoints', shows: (page) => page.getByRole('heading', { name: 'No checkpoints yet' }) },
  ],
  settings: [
    { at: '/settings/notifications', shows: heading('Settings') },
    { at: '/settings/language', shows: heading('Settings') },
    {
      at: '/settings/keyboard',
      shows: (page) => page.getByRole('button', { name: 'Change shortcut: Next error' }),
    },
    { at: '/settings/people', shows: (page) => page.getByRole('button', { name: 'Actions for Ben' }) },
    { at: '/settings/models', shows: heading('Settings') },
    { at: '/settings/by-hand', shows: (page) => page.getByRole('list', { name: 'Waiting calls' }) },
  ],
  audit: [{ at: '/settings/system/audit', shows: (page) => page.getByRole('table', { name: 'What people did' }) }],
  // gallery.spec.ts checks each of its parts; all at once they are more than a small machine's browser takes.
  gallery: [],
})

test('every other page has no accessibility findings', async ({ open }, info) => {
  test.skip(info.project.name !== 'desktop', 'an operator’s pages')
  test.setTimeout(480_000)
  const asked = await askAna(app.server, 'attic')
  const page = await open(app.server, 'olga', '/direct')
  const conversations = page.getByRole('navigation', { name: 'Conversations' })
  const talk = (await conversations.getByRole('link', { name: /^Ben/ }).getAttribute('href')) ?? ''
  await navigateTo(page, '/no/such/place')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await checkAccessibility(page, 'nothing at an address', 'main')
  await askSketcher()
  for (const { at, shows, part = 'main' } of Object.values(looks({ ...asked, talk })).flat()) {
    await navigateTo(page, at)
    await expect(shows(page)).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await checkAccessibility(page, at, part)
  }
})
