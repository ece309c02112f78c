/** An operator erases a task that is over: asked twice, with a reason; its address says who did. */
import { expect, navigateTo, serverForFile, test, waitForLive } from '../fixtures/console'
import { openPerson } from '../fixtures/person'

const app = serverForFile({ withLoad: true })
// The address of the erased task is asked about, and answered 410; its views are closed.
test.use({ allowedTroubles: /410|404/ })

test('[R570] an operator erases a task by its name and a reason, and its address says who did', {
  tag: '@desktop',
}, async ({ open }) => {
  const olga = await openPerson(app.server, 'olga')
  await app.server.load({ agents: 1, tasks: 1, stepsPerAgent: 3, changesPerSecond: 50, seconds: 10 })
  type Tasks = Record<string, { task_id: string; task_name: string; execution_state: string }>
  const over = async (): Promise<string | undefined> =>
    Object.values(await olga.get<Tasks>('/api/states?type=task')).find(
      (one) => one.task_name === 'load 1' && one.execution_state === 'finished',
    )?.task_id
  await expect.poll(over, { timeout: 60_000 }).toBeDefined()
  const address = `/tasks/${await over()}`
  const page = await open(app.server, 'olga', address)
  await waitForLive(page)

  await page.getByRole('button', { name: 'Task actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase task…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase task…' })
  await expect(dialog).toContainText('Not erased: backups that were made before, and files in the workspace.')
  const erase = dialog.getByRole('button', { name: 'Erase for good' })
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('asked by the customer')
  await dialog.getByRole('textbox', { name: /^Type “load 1”/ }).fill('another')
  await erase.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Enter the name of the task to confirm.' })).toBeVisible()
  await dialog.getByRole('textbox', { name: /^Type “load 1”/ }).fill('load 1')
  await erase.click()
  await expect(dialog).toHaveCount(0)

  const said = page.getByRole('heading', { name: 'Task erased' })
  await expect(said).toBeVisible()
  await expect(page.getByText(/^Olga erased this task on \d{4}-\d\d-\d\d\.$/)).toBeVisible()
  await navigateTo(page, `${address}/tree`)
  await expect(said).toBeVisible()
  const lee = await open(app.server, 'lee', '/tasks')
  await expect(lee.getByRole('link', { name: 'load 1' })).toHaveCount(0)
  olga.close()
})
