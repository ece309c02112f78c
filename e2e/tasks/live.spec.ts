/** While agents work, the task says who does what, why it is silent, and draws each piece of a text in the frame after it came. */
import type { Locator, Page } from '@playwright/test'
import { expect, type Open, type Start, test, waitForLive } from '../fixtures/console'
import {
  createStream,
  type ModelScript,
  type ModelServer,
  messageTo,
  planOf,
  scriptedTeam,
  startModelServer,
  taskByForm,
} from '../fixtures/modelServer'
import { postCommand } from '../fixtures/work'

const GOALS = { reader: 'Read the list.', writer: 'Write about it.', editor: 'Correct it.' }

/** A task of three agents whose model server takes one call at a time; Ana looks at its chat. */
async function openTask(open: Open, start: Start, script: ModelScript): Promise<{ page: Page; model: ModelServer }> {
  const model = await startModelServer(script)
  const names = [{ name: 'Boss', isManager: true }, { name: 'Reader' }, { name: 'Writer' }, { name: 'Editor' }]
  const server = await start({ config: scriptedTeam(model.url, names, { parallel: 1 }) })
  const page = await open(server, 'ana', '/tasks')
  await waitForLive(page)
  const stages = [{ intention: 'Describe the list', allocation: GOALS }]
  await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', ...Object.keys(GOALS)], stages, 'Price page'))
  await page.getByRole('link', { name: 'Price page' }).first().click()
  return { page, model }
}

const strip = (page: Page): Locator => page.getByRole('region', { name: 'At work now' })
const lineOf = (page: Page, name: string): Locator => strip(page).getByRole('listitem').filter({ hasText: name })

test('look', async ({ open, start }) => {
  const streams = new Map<string, ReturnType<typeof createStream>>()
  const { page, model } = await openTask(open, start, ({ agent }) => {
    const s = createStream()
    streams.set(agent, s)
    return s.pieces
  })
  try {
    await expect(strip(page)).toBeVisible()
    await expect(lineOf(page, 'Editor')).toContainText('in the model’s queue')
    await page.screenshot({ path: '/tmp/w/run-strip/1.png' })
    const first = [...streams.values()][0]
    if (!first) throw new Error('no')
    for (let at = 0; at < 30; at++) first.say(`piece ${at} of the text that comes slowly, `)
    await expect(strip(page)).toContainText('piece 29')
    await page.screenshot({ path: '/tmp/w/run-strip/2.png' })
    await expect(strip(page)).toContainText('next words')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.screenshot({ path: '/tmp/w/run-strip/3.png' })
  } finally {
    await model.close()
  }
})
