/** What cannot continue without somebody says so everywhere: a task whose agent is held in another one, a manager's question. */
import { collapseUrgentAlways, expect, test, waitForLive } from './fixtures/console'
import { messageTo, planOf, scriptedTeam, startModelServer, taskByForm } from './fixtures/modelServer'
import { postCommand } from './fixtures/work'

const taskFor = (name: string) =>
  taskByForm('boss', ['ana', 'reader'], [{ intention: 'Read the lists', allocation: { reader: 'Read them.' } }], name)

test('[R135] a task whose agent is held in another one is waiting in table, head, tree and waits, and leads to the answer', {
  tag: ['@desktop', '@all'],
}, async ({ open, start }) => {
  const model = await startModelServer(({ skill, stage }) =>
    skill === 'planning'
      ? planOf('send_message', 'ask which list holds')
      : messageTo('ana', 'Which list holds?', stage, true),
  )
  try {
    const config = scriptedTeam(model.url, [{ name: 'Boss', isManager: true }, { name: 'Reader' }])
    const server = await start({ config })
    const ana = await open(server, 'ana', '/tasks')
    await collapseUrgentAlways(ana)
    await waitForLive(ana)
    const table = ana.getByRole('table', { name: 'Tasks' })
    await postCommand(ana, '/api/tasks', taskFor('First lists'))
    const first = table.getByRole('row', { name: /First lists/ })
    await expect(first).toContainText('Waiting on you')
    await postCommand(ana, '/api/tasks', taskFor('Second lists'))
    const second = table.getByRole('row', { name: /Second lists/ })
    await expect(second).toContainText('Waiting on you')
    await expect(second).toContainText('Reader is waiting in First lists')
    await expect(second).not.toContainText('Running')

    await expect(ana.getByText(/2 need attention/)).toBeVisible()
    await ana.goto(`${server.url}/waits`)
    await expect(ana.getByRole('table', { name: 'Waits' }).getByRole('row', { name: /Reader/ })).toContainText('Ana')
    await ana.goto(`${server.url}/agents`)
    await expect(ana.getByRole('table', { name: 'Agents' }).getByRole('row', { name: /Reader/ })).toContainText(
      'Waiting on you',
    )
    await ana.goto(`${server.url}/tasks`)
    await second.getByRole('link').first().click()
    const held = ana.getByRole('region', { name: 'What this task is waiting for' })
    await expect(held).toContainText('Reader is waiting for you in First lists')
    await expect(ana.getByRole('list', { name: 'Stages' }).getByRole('link', { name: /Waiting/ })).toBeVisible()
    await ana.goto(`${ana.url().split('?')[0]}/tree`)
    await expect(ana.getByRole('row', { name: /^Reader, agent/ })).toContainText('Waiting')
    await ana.goBack()
    await held.getByRole('link', { name: 'Answer there' }).click()
    const card = ana.getByRole('article', { name: /^Request from Reader/ })
    await expect(card).toContainText('Which list holds?')
  } finally {
    await model.close()
  }
})
