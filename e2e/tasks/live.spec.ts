/** While agents work, their task says who does what and why it is silent, and draws each piece of a text in the frame after it came. */
import type { Locator, Page } from '@playwright/test'
import { collapseUrgentAlways, expect, type Open, type Start, test, waitForLive } from '../fixtures/console'
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
import { type Drawn, recordDrawing } from './recordDrawing'

const AGENTS = ['Reader', 'Writer', 'Editor', 'Tester', 'Packer', 'Driver', 'Keeper']
const NEVER = new Promise<string>(() => undefined)

type Bench = { page: Page; model: ModelServer }

/** A task of the first `count` agents, at a model server that takes `parallel` calls at a time; Ana looks at its chat. */
async function openTask(
  { open, start }: { open: Open; start: Start },
  { count, parallel, script }: { count: number; parallel: number; script: ModelScript },
): Promise<Bench> {
  const model = await startModelServer(script)
  const agents = AGENTS.slice(0, count)
  const team = [{ name: 'Boss', isManager: true }, ...agents.map((name) => ({ name }))]
  const server = await start({ config: scriptedTeam(model.url, team, { parallel }) })
  const page = await open(server, null, '/login')
  await page.addInitScript(recordDrawing)
  await server.signInBrowser(page.context(), 'ana')
  await collapseUrgentAlways(page)
  await page.goto(`${server.url}/tasks`)
  await waitForLive(page)
  const members = agents.map((name) => name.toLowerCase())
  const allocation = Object.fromEntries(members.map((name) => [name, 'Describe the list.']))
  const stages = [{ intention: 'Describe the list', allocation }]
  await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', ...members], stages, 'Price page'))
  await page.getByRole('link', { name: 'Price page' }).first().click()
  return { page, model }
}

const stripOf = (page: Page): Locator => page.getByRole('region', { name: 'At work now' })
const lineOf = (page: Page, name: string): Locator => stripOf(page).getByRole('listitem').filter({ hasText: name })
const drawn = (page: Page): Promise<Drawn> => page.evaluate(() => window.drawn)

/** The answers to the calls in the order in which they come; the test says the pieces. */
function streamsInTurn() {
  const streams: ReturnType<typeof createStream>[] = []
  const nth = (at: number) => {
    for (let more = streams.length; more <= at; more++) streams.push(createStream())
    return streams[at] ?? createStream()
  }
  let calls = 0
  const answer = (at: number, text: string): void => {
    nth(at).say(text)
    nth(at).end()
  }
  return { script: () => nth(calls++).pieces, nth, answer }
}

test('[R476] every silence of an agent has its reason: the queue, the first words, the next words, a person, a pause', async ({
  open,
  start,
}) => {
  const { script, nth, answer } = streamsInTurn()
  const { page, model } = await openTask({ open, start }, { count: 3, parallel: 1, script })
  const plan = planOf('send_message', 'ask which list holds')
  try {
    const [reader, writer, editor] = [lineOf(page, 'Reader'), lineOf(page, 'Writer'), lineOf(page, 'Editor')]
    await expect(reader).toContainText("Waiting for the model's first words")
    await expect(writer).toContainText('Waiting for its turn: 1st in line')
    await expect(editor).toContainText('Waiting for its turn: 2nd in line')
    await expect(stripOf(page)).toContainText('3 working')

    nth(0).say(plan.slice(0, 20))
    await expect(reader).toContainText('Writing: Plan my part of the stage')
    await expect(reader).toContainText(plan.slice(0, 20))
    // Nothing comes for a while.
    await expect(reader).toContainText("Waiting for the model's next words")
    nth(0).say(plan.slice(20, 40))
    await expect(reader).toContainText('Writing: Plan my part of the stage')
    answer(0, plan.slice(40))

    // Its next call stands behind those that came before, and each of them has moved up.
    await expect(writer).toContainText("Waiting for the model's first words")
    await expect(editor).toContainText('Waiting for its turn: 1st in line')
    await expect(reader).toContainText('Waiting for its turn: 2nd in line')

    await postCommand(page, '/api/agents/editor/pause', { reason: 'look first' })
    answer(1, plan)
    await expect(editor).toContainText("Waiting for the model's first words")
    answer(2, plan)
    await expect(editor).toContainText('Blocked · paused by Ana')
    await expect(reader).toContainText("Waiting for the model's first words")
    answer(3, messageTo('ana', 'Which list holds?', model.calls[3]?.stage ?? '', true))
    await expect(reader).toContainText('Waiting on you')
    await expect(writer).toContainText("Waiting for the model's first words")
    await expect(stripOf(page)).toContainText('1 working · 1 waiting · 1 blocked')
  } finally {
    await model.close()
  }
})

test('[R477] each piece of a text, and each change of what a step does, is drawn in the frame after it came', {
  tag: '@all',
}, async ({ open, start }) => {
  const { script, nth, answer } = streamsInTurn()
  const { page, model } = await openTask({ open, start }, { count: 2, parallel: 1, script })
  const pieces = Array.from({ length: 60 }, (_, at) => `piece ${at} of the plan, `)
  try {
    await expect(lineOf(page, 'Reader')).toContainText("Waiting for the model's first words")
    await expect(lineOf(page, 'Writer')).toContainText('1st in line')
    for (const piece of pieces) {
      nth(0).say(piece)
      // The next one is sent when this one has come: each is a message of its own.
      await expect.poll(async () => (await drawn(page)).text, { intervals: [5] }).toContain(piece)
    }
    answer(0, planOf('send_message', 'ask'))
    await expect(lineOf(page, 'Reader')).toContainText('1st in line')
    const { checks } = await drawn(page)
    expect(checks.filter(({ is }) => is === 'text').length).toBeGreaterThanOrEqual(pieces.length)
    expect(new Set(checks.map(({ expected }) => expected))).toContain('queued')
    expect(checks.filter(({ isDrawn }) => !isDrawn)).toEqual([])
  } finally {
    await model.close()
  }
})

test('[R478] the conversation stays where it is while steps come and go; more than five lines open, and the strip folds for good', async ({
  open,
  start,
}) => {
  const { script: ofReader, nth, answer } = streamsInTurn()
  const script: ModelScript = ({ agent }) => (agent === 'Reader' ? ofReader() : NEVER)
  const { page, model } = await openTask({ open, start }, { count: 7, parallel: 9, script })
  try {
    const lines = stripOf(page).getByRole('listitem')
    await expect(lines).toHaveCount(5)
    answer(0, planOf('quick_think', 'think', 3))
    for (const at of [1, 2, 3]) {
      nth(at).say(`<quick_think>thought ${at}`)
      await expect(lineOf(page, 'Reader')).toContainText(`thought ${at}`)
      answer(at, '</quick_think>')
      await expect(lineOf(page, 'Reader')).not.toContainText(`thought ${at}`)
    }
    // Its words came and went, and the strip has only grown.
    const { heights } = await drawn(page)
    expect(heights.length).toBeGreaterThan(1)
    expect(heights).toEqual([...heights].sort((a, b) => a - b))

    await stripOf(page).getByRole('button', { name: 'and 2 more' }).click()
    await expect(lines).toHaveCount(7)
    await stripOf(page).getByRole('button', { name: 'Show fewer' }).click()
    await expect(lines).toHaveCount(5)

    await stripOf(page).getByRole('button', { name: 'Collapse who is at work' }).click()
    await expect(lines).toHaveCount(0)
    await page.reload()
    await expect(stripOf(page)).toContainText('working')
    await expect(lines).toHaveCount(0)
    await stripOf(page).getByRole('button', { name: 'Show who is at work' }).click()
    await expect(lines).toHaveCount(5)
  } finally {
    await model.close()
  }
})
