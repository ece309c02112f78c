/** An operator sets a budget of the work in the page, sees which agent has stopped at it, and lets it continue with a higher one. */
import { collapseUrgentAlways, expect, test, waitForLive } from './fixtures/console'
import { endOfPart, planOf, scriptedTeam, startModelServer, taskByForm } from './fixtures/modelServer'
import { postCommand } from './fixtures/work'

test('[R533] [R534] [R535] a budget of an agent stops its work, is seen with its request, and a higher one ends both', async ({
  open,
  start,
}) => {
  const model = await startModelServer(({ skill }) =>
    skill === 'planning' ? planOf('summary', 'end my part') : endOfPart(skill, 'all read'),
  )
  try {
    const team = [{ name: 'Boss', isManager: true }, { name: 'Reader' }]
    const server = await start({ config: scriptedTeam(model.url, team, { price: { input: 1_000, output: 1_000 } }) })
    const page = await open(server, 'ana', '/numbers')
    await collapseUrgentAlways(page)
    await waitForLive(page)
    const row = page
      .getByRole('region', { name: 'Budgets' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('textbox', { name: 'Cost per agent and day (US dollars)' }) })
    const field = row.getByRole('textbox')
    await field.fill('-1')
    await row.getByRole('button', { name: 'Save' }).click()
    await expect(row.getByRole('alert')).toHaveText('Enter a number greater than 0, or leave it empty for no limit.')
    await expect(field).toHaveValue('-1')
    await field.fill('0.01')
    await row.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('Ana set it from No limit to $0.01')

    const stages = [{ intention: 'Read the list', allocation: { reader: 'Read the list.' } }]
    await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', 'reader'], stages, 'Price page'))
    await expect(async () => {
      await page.reload()
      await expect(row).toContainText('Reader is stopped', { timeout: 2_000 })
    }).toPass()
    expect(model.calls.map(({ agent }) => agent)).toEqual(['Reader'])
    await expect(row).toContainText('Used most by Reader')
    await row.getByRole('link', { name: 'Allow more or refuse' }).click()
    await expect(page.getByRole('main')).toContainText('Reader has reached the limit of $0.01 for one day')

    await page.goto(`${server.url}/numbers`)
    await field.fill('900')
    await row.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('Ana set it from $0.01 to $900.00')
    await expect(row).not.toContainText('stopped')
    await expect.poll(() => model.calls.length).toBeGreaterThan(1)
  } finally {
    await model.close()
  }
})
