/** Journey 18: a team is set up in the page alone, works at once, and is there after a restart; others see none of it. */
import { readFileSync } from 'node:fs'
import { collapseUrgentAlways, expect, openItem, test, waitForLive } from './fixtures/console'
import { endOfPart, messageTo, planOf, startModelServer, taskByForm } from './fixtures/modelServer'
import { startToolServer } from './fixtures/toolServer'
import { postCommand } from './fixtures/work'

const TEAM = `# A team without a model.
team: { name: Empty, language: en }
# Nodes behind a public address use no private ones unless they may.
server: { allow_private: true }
agents:
  - { id: boss, name: Boss, role: boss, manager: true } # plans
humans:
  - { id: ana, name: Ana, role: operator, access: operator, password_env: ANA_PASSWORD }
  - { id: ben, name: Ben, role: participant, password_env: BEN_PASSWORD }
tools:
  files: { command: node, args: ["\${package:@modelcontextprotocol/server-filesystem}", "\${workspace}"] }
`
const KEY = 'sk-typed-in-the-page'

// The browser says in its console what is refused, and that the server is away while it starts again.
test.use({ allowedTroubles: /409 \(Conflict\)|ERR_(CONNECTION|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|WebSocket/ })

test('[R320] an operator connects a model, adds tools and an agent, and asks it; all of it outlives a restart', async ({
  open,
  start,
}) => {
  test.setTimeout(240_000)
  const model = await startModelServer(({ agent, skill, stage, prompt }) => {
    if (agent !== 'Writer') return 'ready'
    if (skill === 'planning') return planOf('send_message', 'ask for the colour')
    if (skill === 'send_message') return messageTo('ana', 'Which colour?', stage, true)
    if (skill === 'process_message') return '<process_message>ok</process_message>'
    return endOfPart(skill, prompt.includes('Blue') ? 'Blue it is' : 'done')
  })
  const tools = await startToolServer('Bearer tool-key', 'look_up')
  try {
    const server = await start({ config: TEAM })
    const page = await open(server, 'ana', '/settings/models')
    await collapseUrgentAlways(page)
    await waitForLive(page)

    await page.getByRole('button', { name: 'Connect a model' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Another server' }).click()
    await dialog.getByRole('textbox', { name: 'Address' }).fill(model.url)
    await dialog.getByRole('textbox', { name: 'Model', exact: true }).fill('scripted')
    await dialog.getByRole('textbox', { name: 'Key' }).fill(KEY)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await expect(dialog.getByRole('status').filter({ hasText: 'Works' })).toBeVisible()
    expect(model.calls.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const models = page.getByRole('list', { name: 'Models' })
    const row = models.getByRole('listitem').filter({ hasText: 'scripted' })
    await expect(row).toContainText("Team's model")

    await page.goto(`${server.url}/tools`)
    await page.getByRole('button', { name: 'Add a tool server' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('lookup')
    await dialog.getByRole('textbox', { name: 'Address' }).fill(tools.url)
    await dialog.getByRole('textbox', { name: 'Key' }).fill('Bearer tool-key')
    await dialog.getByRole('button', { name: 'Test' }).click()
    const found = dialog.getByRole('status').filter({ hasText: 'look_up' })
    await expect(found).toBeVisible()
    // What was found is not said of another key.
    await dialog.getByRole('textbox', { name: 'Key' }).fill('Bearer other-key')
    await expect(found).toHaveCount(0)
    await dialog.getByRole('textbox', { name: 'Key' }).fill('Bearer tool-key')
    await expect(found).toBeVisible()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Tool servers' })).toContainText('lookup')

    await page.getByRole('link', { name: 'Agents', exact: true }).click()
    await page.getByRole('button', { name: 'New agent' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Writer')
    await dialog.getByRole('textbox', { name: 'Role' }).fill('writer')
    await dialog.getByRole('checkbox', { name: 'files' }).check()
    await dialog.getByRole('checkbox', { name: 'lookup' }).check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(dialog).toHaveCount(0)
    const agents = page.getByRole('table', { name: 'Agents' })
    await expect(agents.getByRole('link', { name: 'Writer, agent' })).toBeVisible()

    const ask = async (name: string): Promise<void> => {
      const stages = [{ intention: 'Choose', allocation: { writer: 'Choose a colour.' } }]
      await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', 'writer'], stages, name))
      await page.goto(`${server.url}/inbox`)
      const request = await openItem(page, /^Request from Writer/)
      await request.getByRole('textbox', { name: 'Your answer' }).fill('Blue')
      await request.getByRole('button', { name: 'Send answer' }).click()
      await expect(request).toHaveCount(0)
      await expect
        .poll(() => model.calls.filter(({ agent, skill }) => agent === 'Writer' && skill === 'summary').length)
        .toBeGreaterThan(0)
    }
    await ask('First')
    expect(tools.counts).toMatchObject({ refused: 0 })

    // A page that is open would ask the killed server for the files of what it draws next.
    await page.goto('about:blank')
    await server.kill()
    await server.start()
    model.calls.length = 0
    await page.goto(`${server.url}/agents`)
    await waitForLive(page)
    await expect(agents.getByRole('link', { name: 'Writer, agent' })).toBeVisible()
    await ask('Second')
    expect(new Set(model.calls.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]))

    await page.goto(`${server.url}/settings/models`)
    await page.getByRole('button', { name: 'Write it into the file' }).click()
    await expect(page.getByText('convene.yaml matches this page.')).toBeVisible()
    const text = readFileSync(server.configFile, 'utf8')
    for (const part of ['# A team without a model.', '# plans', 'name: Writer', 'baseurl: http', 'key_stored: '])
      expect(text).toContain(part)
    expect(text).not.toMatch(/sk-typed|tool-key/)
    await server.kill()
    await server.start()
    await page.goto(`${server.url}/settings/models`)
    await expect(page.getByRole('listitem').filter({ hasText: 'scripted' })).toContainText(
      'From the configuration file',
    )
    await page.getByRole('button', { name: 'Test scripted' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Works' })).toBeVisible()
  } finally {
    await model.close()
    await tools.close()
  }
})

test('an agent is changed, copied, taken out and brought back, and the page says who did what', {
  tag: '@all',
}, async ({ open, start }) => {
  const server = await start({ config: TEAM })
  const page = await open(server, 'ana', '/agents')
  await waitForLive(page)
  const dialog = page.getByRole('dialog')
  const table = page.getByRole('table', { name: 'Agents' })
  await page.getByRole('button', { name: 'New agent' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Boss')
  await dialog.getByRole('textbox', { name: 'Profile' }).fill('Writes what others read.')
  await dialog.getByRole('button', { name: 'Create' }).click()
  // A refusal loses nothing that was typed.
  await expect(dialog.getByRole('alert')).toHaveText('The name Boss is taken.')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Writer')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await table.getByRole('link', { name: 'Writer, agent' }).click()

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Profile' })).toHaveValue('Writes what others read.')
  await dialog.getByRole('textbox', { name: 'Role' }).fill('writer')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('tab', { name: 'Config' }).click()
  const changes = page.getByRole('region', { name: 'Changes' })
  await expect(changes.getByRole('listitem')).toHaveCount(2)
  await expect(changes).toContainText('Ana changed role')
  await changes.getByRole('button', { name: 'Undo' }).first().click()
  await expect(changes.getByRole('listitem')).toHaveCount(3)

  await page.getByRole('button', { name: 'More actions for Writer' }).click()
  await page.getByRole('menuitem', { name: 'Copy…' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Writer copy')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: 'More actions for Writer' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.goto(`${server.url}/agents`)
  await expect(table.getByRole('link', { name: 'Writer copy, agent' })).toBeVisible()
  await expect(table.getByRole('link', { name: 'Writer, agent' })).toHaveCount(0)
})
