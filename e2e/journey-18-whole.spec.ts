/**
 * Journey 18 from an empty folder: with the shipped configuration and the printed link, a newcomer connects a model, adds a tool
 * server and an agent, invites a person, asks, answers, and opens and downloads the result, all in the page and without a
 * restart. After a restart all of it is there.
 */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, navigateTo, test, waitForLive } from './fixtures/console'
import { endOfPart, messageTo, startModelServer } from './fixtures/modelServer'
import { printedLink } from './fixtures/newcomer'
import { startToolServer } from './fixtures/toolServer'

const KEY = 'sk-typed-in-the-page'
const PASSWORD = 'a long enough one'
const REPORT = 'colour.md'

// The browser logs the refused request for the session, and that the server is away while it starts again.
test.use({ allowedTroubles: /status of 401|ERR_(CONNECTION|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|WebSocket/ })

const step = (type: 'skill' | 'tool', executor: string, intention: string): object => ({
  step_intention: intention,
  type,
  executor,
  text_content: intention,
})

/** Asks Zoe for the colour, looks it up at the tool server, and writes the report. */
const startWriter = (zoe: string) =>
  startModelServer(({ agent, skill, stage, prompt }) => {
    if (agent !== 'Writer') return 'ready'
    switch (skill) {
      case 'planning':
        return `<planned_step>${JSON.stringify([
          step('skill', 'send_message', 'ask for the colour'),
          step('tool', 'lookup', 'look the colour up'),
          step('tool', 'files', 'write the report'),
        ])}</planned_step>`
      case 'send_message':
        return messageTo(zoe, 'Which colour?', stage, true)
      case 'instruction_generation': {
        const ofStep = /<section name="tool_step">([\s\S]*?)<\/section>/.exec(prompt)?.[1] ?? ''
        const call = ofStep.includes('look the colour up')
          ? { tool_name: 'look_up', arguments: {}, last: true }
          : { tool_name: 'write_file', arguments: { path: REPORT, content: '# Colour\n\nBlue' }, last: true }
        return `<tool_instruction>${JSON.stringify(call)}</tool_instruction>`
      }
      case 'tool_decision':
        return '<tool_decision>{"continue": false, "result": "done"}</tool_decision>'
      case 'process_message':
        return '<process_message>ok</process_message>'
      default:
        return endOfPart(skill, `Blue; the report is in ${REPORT}.`)
    }
  })

async function setPassword(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await waitForLive(page)
  await navigateTo(page, '/settings/profile')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set a password' }).click()
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
  await navigateTo(page, '/inbox')
}

async function connectModel(page: Page, dialog: Locator, url: string): Promise<void> {
  await page.getByRole('link', { name: 'Connect a model' }).click()
  await dialog.getByRole('radio', { name: 'Another server' }).click()
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url)
  await dialog.getByRole('textbox', { name: 'Model', exact: true }).fill('scripted')
  await dialog.getByRole('textbox', { name: 'Key' }).fill(KEY)
  await dialog.getByRole('checkbox', { name: "Use as the team's default model" }).check()
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByRole('status').filter({ hasText: 'Works' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
}

async function addTools(page: Page, dialog: Locator, url: string): Promise<void> {
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.getByRole('button', { name: 'Add a tool server' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('lookup')
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url)
  await dialog.getByRole('textbox', { name: 'Key' }).fill('Bearer tool-key')
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByRole('status').filter({ hasText: 'look_up' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

async function makeWriter(page: Page, dialog: Locator): Promise<void> {
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('button', { name: 'New agent' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Writer')
  await dialog.getByRole('textbox', { name: 'Role' }).fill('writer')
  await dialog.getByRole('checkbox', { name: 'files' }).check()
  await dialog.getByRole('checkbox', { name: 'lookup' }).check()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toHaveCount(0)
}

/** out: the path of the sign-in link */
async function invite(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/settings/people`)
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite someone' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Zoe')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = page.getByRole('dialog', { name: 'Sign-in link for Zoe' })
  const address = await link.getByRole('textbox').inputValue()
  await link.getByRole('button', { name: 'Close' }).last().click()
  return address.slice(new URL(address).origin.length)
}

async function makeTask(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('button', { name: 'New request' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New request' })
  await dialog.getByRole('textbox', { name: 'What do you need?' }).fill('The colour of the door')
  await dialog.getByRole('checkbox', { name: 'Choose the members myself' }).check()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Choose a colour')
  await dialog.getByRole('combobox', { name: 'Manager' }).click()
  await page.getByRole('option', { name: /^Ana · / }).click()
  await dialog.getByRole('checkbox', { name: 'Zoe' }).check()
  await dialog.getByRole('checkbox', { name: 'Writer' }).check()
  await dialog.getByRole('button', { name: 'Add stage' }).click()
  await dialog.getByRole('textbox', { name: /stage to achieve|Stage goal/ }).fill('Choose')
  await dialog.getByRole('textbox', { name: /^Goal (of|for) Writer/ }).fill('Choose a colour and report it.')
  await dialog.getByRole('button', { name: 'Create task' }).click()
  await expect(dialog).toHaveCount(0)
}

test('a newcomer sets a team up, asks, and takes the result along; a restart loses nothing @all', async ({
  open,
  start,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'an operator’s forms')
  test.setTimeout(300_000)
  const model = await startWriter('zoe')
  const tools = await startToolServer('Bearer tool-key', 'look_up')
  try {
    const server = await start({ config: readFileSync('config/convene.yaml', 'utf8') })
    const page = await open(server, null, await printedLink(server))
    const dialog = page.getByRole('dialog')
    await setPassword(page)
    await connectModel(page, dialog, model.url)
    await addTools(page, dialog, tools.url)
    await makeWriter(page, dialog)
    const zoe = await open(server, null, await invite(page, server.url))
    await setPassword(zoe)

    await makeTask(page)
    const question = zoe.getByRole('article', { name: /^Request from Writer/ })
    await question.getByRole('textbox', { name: 'Your answer' }).fill('Blue')
    await question.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('link', { name: /^Inbox/ }).click()
    const allow = page.getByRole('article', { name: /^Request from Writer: Write / })
    await allow.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect
      .poll(() => model.calls.some(({ agent, skill }) => agent === 'Writer' && skill === 'summary'))
      .toBe(true)

    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: 'Choose a colour' }).click()
    await page.getByRole('button', { name: 'Task actions' }).click()
    await page.getByRole('menuitem', { name: 'Finish the task…' }).click()
    const finish = page.getByRole('dialog', { name: /^Finish the task/ })
    await finish.getByRole('textbox', { name: /^Summary/ }).fill('The door is blue.')
    await finish.getByRole('textbox', { name: /^Reason/ }).fill('the colour is chosen')
    await finish.getByRole('button', { name: 'Finish the task' }).click()
    const openReport = async (): Promise<void> => {
      await page.getByRole('region', { name: 'Result' }).getByRole('link', { name: REPORT, exact: true }).click()
      await expect(page.getByRole('article', { name: REPORT }).getByRole('heading', { name: 'Colour' })).toBeVisible()
    }
    const task = page.url()
    await openReport()
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    expect(readFileSync(await (await saving).path(), 'utf8')).toBe('# Colour\n\nBlue')

    await server.kill()
    await server.start()
    await page.goto(task)
    await waitForLive(page)
    await openReport()
    await expect(page.getByRole('region', { name: '1 version' })).toBeVisible()
    await page.goto(`${server.url}/settings/people`)
    await expect(page.getByRole('row', { name: /Zoe/ })).toBeVisible()
    await page.goto(`${server.url}/tools`)
    await expect(page.getByRole('region', { name: 'Tool servers' })).toContainText('lookup')
    await page.goto(`${server.url}/agents`)
    await expect(page.getByRole('table', { name: 'Agents' }).getByRole('link', { name: 'Writer, agent' })).toBeVisible()
    await page.goto(`${server.url}/settings/models`)
    await expect(page.getByRole('listitem').filter({ hasText: 'scripted' })).toContainText("Team's model")
    await page.getByRole('button', { name: 'Test scripted' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Works' })).toBeVisible()
    expect(model.calls.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
    await zoe.reload()
    await waitForLive(zoe)
  } finally {
    await model.close()
    await tools.close()
  }
})
