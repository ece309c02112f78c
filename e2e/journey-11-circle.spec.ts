/** Two agents wait for each other and neither can answer: an operator finds them, releases one, and the chat says so. */
import { expect, test, waitForLive } from './fixtures/console'
import { INPUT_WAYS, inputOf } from './fixtures/input'
import { createDeferred, messageTo, planOf, scriptedTeam, startModelServer, taskByForm } from './fixtures/modelServer'
import { postCommand } from './fixtures/work'

for (const way of INPUT_WAYS)
  test(`a circle is broken by releasing one wait, with the reason, by ${way}`, async ({ open, start }) => {
    const [writerAsks, writersTurn] = [createDeferred(), createDeferred()]
    const model = await startModelServer(async ({ agent, skill, stage }) => {
      if (skill === 'planning') return planOf('send_message', `ask the other before ${agent} goes on`)
      if (agent === 'Importer') {
        // Only once Writer asks its own question; otherwise it would answer this one first.
        await writerAsks.promise
        return messageTo('writer', 'Which columns do you need?', stage, true)
      }
      writerAsks.resolve()
      await writersTurn.promise
      return messageTo('importer', 'Which columns are there?', stage, true)
    })
    try {
      const config = scriptedTeam(model.url, [
        { name: 'Boss', isManager: true },
        { name: 'Importer' },
        { name: 'Writer' },
      ])
      const server = await start({ config })
      const page = await open(server, 'ana', '/waits')
      await waitForLive(page)
      await expect(page.getByRole('heading', { name: 'No one is waiting' })).toBeVisible()
      await postCommand(
        page,
        '/api/tasks',
        taskByForm(
          'boss',
          ['ana', 'importer', 'writer'],
          [{ intention: 'Import the list', allocation: { importer: 'Import it.', writer: 'Write about it.' } }],
          'Nightly import',
        ),
      )
      const table = page.getByRole('table', { name: 'Waits' })
      const importer = table.getByRole('row', { name: /^Importer/ })
      await expect(importer).toBeVisible()
      // Both are paused before Writer's question is sent, so that neither can answer the other.
      await expect.poll(() => model.calls.filter((ask) => ask.agent === 'Writer').length).toBe(2)
      await postCommand(page, '/api/agents/importer/pause', { reason: 'look at the columns first' })
      await postCommand(page, '/api/agents/writer/pause', { reason: 'look at the columns first' })
      writersTurn.resolve()

      const rows = table.getByRole('row', { name: /in a circle/ })
      await expect(rows).toHaveCount(2)
      await expect(page.getByRole('link', { name: 'Waits, 2 blocked' })).toBeVisible()
      const figure = page.getByRole('figure', { name: 'Who waits for whom' })
      await expect(figure.getByRole('link', { name: 'Importer, agent, waiting for Writer' })).toBeVisible()
      await expect(figure).toContainText('They wait for each other in a circle.')

      const { press, write } = inputOf(page, way)
      const release = importer.getByRole('button', { name: 'Release this wait' })
      await press(release)
      const question = page.getByRole('alertdialog', { name: 'Release this wait?' })
      await expect(question).toContainText('Importer continues without an answer.')
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
      const reason = question.getByRole('textbox', { name: /^Reason/ })
      await write(reason, 'it knows the columns')
      // Closed and opened again, the dialog still has the reason.
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await expect(release).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(reason).toHaveValue('it knows the columns')
      await press(question.getByRole('button', { name: 'Release' }))
      await expect(question).toHaveCount(0)
      await expect(importer).toHaveCount(0)
      await expect(page.getByRole('row', { name: /in a circle/ })).toHaveCount(0)

      await press(page.getByRole('link', { name: 'Nightly import' }).first())
      const chat = page.getByRole('log', { name: /^Group chat of/ })
      await expect(chat).toContainText("Ana released Importer's wait for Writer")
      await expect(chat).toContainText('it knows the columns')

      // It is listed among the ended waits of all tasks.
      await press(page.getByRole('link', { name: /^Waits/ }).first())
      const ended = page.getByRole('checkbox', { name: 'Show ended waits' })
      await (way === 'keys' ? ended.press('Space') : ended.click())
      const over = page.getByRole('region', { name: /^Nightly import · \d/ })
      await expect(over.getByRole('row', { name: /^Importer/ }).first()).toContainText('Released')
    } finally {
      await model.close()
    }
  })

test('arrows move through the graph of waits, j and k through its table, and a participant sees neither', async ({
  open,
  start,
}) => {
  const model = await startModelServer(async ({ agent, skill, stage }) => {
    if (skill === 'planning') return planOf('send_message', 'ask')
    return agent === 'Importer' ? messageTo('writer', 'Which columns?', stage, true) : new Promise(() => undefined)
  })
  try {
    const team = scriptedTeam(model.url, [{ name: 'Boss', isManager: true }, { name: 'Importer' }, { name: 'Writer' }])
    const config = `${team}  - { id: ben, name: Ben, access: participant, password_env: BEN_PASSWORD }\n`
    const server = await start({ config })
    const page = await open(server, 'ana', '/tasks')
    await waitForLive(page)
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await expect(page.getByRole('heading', { name: 'Waits', level: 1 })).toBeFocused()
    await postCommand(
      page,
      '/api/tasks',
      taskByForm(
        'boss',
        ['importer', 'writer'],
        [{ intention: 'Go', allocation: { importer: 'Ask.', writer: 'Think.' } }],
        'Walk',
      ),
    )
    const node = (name: string) => page.getByRole('figure').getByRole('link', { name })
    await expect(node('Importer, agent, waiting for Writer')).toBeVisible()
    await page.keyboard.press('j')
    await expect(page.getByRole('table', { name: 'Waits' }).getByRole('link', { name: 'Importer' })).toBeFocused()
    await node('Importer, agent, waiting for Writer').focus()
    await page.keyboard.press('ArrowRight')
    await expect(node('Writer, agent')).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(node('Importer, agent, waiting for Writer')).toBeFocused()

    const ben = await open(server, 'ben', '/agents')
    await waitForLive(ben)
    await expect(ben.getByRole('heading', { name: 'Only operators can see the whole team' })).toBeVisible()
    await expect(ben.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Waits|Agents/ })).toHaveCount(
      0,
    )
  } finally {
    await model.close()
  }
})
