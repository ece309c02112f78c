/** The manager of a task failed to judge: a person does what it should have done, and the chat says who and why. */

import { expect, isLive, test } from './fixtures/console'
import { endOfPart, planOf, scriptedTeam, startScriptedPeer, taskByForm } from './fixtures/scriptedPeer'
import { put } from './fixtures/work'

test('a stage without a judge is finished by hand, and what else a manager does', async ({ open, start }) => {
  test.setTimeout(240_000)
  const peer = await startScriptedPeer(async ({ agent, skill }) => {
    if (agent === 'Boss') return 'I do not know what to do.'
    if (agent === 'Tester') return new Promise(() => undefined)
    return skill === 'planning'
      ? planOf('quick_think', 'think')
      : skill === 'quick_think'
        ? '<quick_think>ok</quick_think>'
        : endOfPart(skill, 'done')
  })
  try {
    const config = scriptedTeam(peer.url, [
      { name: 'Boss', isManager: true },
      { name: 'Coder' },
      { name: 'Tester' },
      { name: 'Spare' },
    ])
    const server = await start({ config })
    const page = await open(server, 'ana', '/tasks')
    await isLive(page)
    await put(
      page,
      '/api/tasks',
      taskByForm(
        'boss',
        ['ana', 'coder', 'tester'],
        [
          { intention: 'Gather', allocation: { coder: 'Gather it.' } },
          { intention: 'Check', allocation: { tester: 'Check it.' } },
        ],
        'Price page',
      ),
    )
    await page.getByRole('link', { name: 'Price page' }).click()
    const strip = page.getByRole('region', { name: 'Waiting for you in this task' })
    await expect(strip).toContainText(/Boss/)
    const card = page.getByRole('article', { name: /^Request from The task/ })
    await expect(card.getByRole('link', { name: 'Finish this stage…' })).toBeVisible()

    await page.getByRole('button', { name: 'Task actions' }).click()
    const menu = page.getByRole('menu', { name: 'Task actions' })
    await menu.getByRole('menuitem', { name: 'Finish this stage…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Finish this stage…' })
    await expect(dialog).toContainText('Stage 1: Gather')
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await expect(dialog).toContainText('Say why, in a sentence.')
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('everything is gathered')
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await expect(dialog).toHaveCount(0)
    const stages = page.getByRole('list', { name: 'Stages' })
    await expect(stages.locator('[aria-current=step]')).toContainText('2 Check')
    await expect(strip).toHaveCount(0)
    const chat = page.getByRole('log', { name: /^Group chat of/ })
    await expect(chat).toContainText(/Ana finished stage 1/)
    await expect(chat).toContainText('everything is gathered')

    const act = async (entry: string): Promise<void> => {
      await page.getByRole('button', { name: 'Task actions' }).click()
      await menu.getByRole('menuitem', { name: entry }).click()
    }
    const reason = page.getByRole('dialog').getByRole('textbox', { name: /^Reason/ })
    await act('Add a stage…')
    await page.getByRole('textbox', { name: 'What is the stage to achieve?' }).fill('Publish')
    await reason.fill('it was forgotten')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('Give at least one member a goal.')
    await page.getByRole('textbox', { name: 'Goal of Coder' }).fill('Publish the page.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(stages).toContainText('3 Publish')

    await act('Retry with changes…')
    await page.getByRole('textbox', { name: 'Goal of Tester' }).fill('Check the totals only.')
    await reason.fill('too broad')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(chat).toContainText('too broad')

    await act('Add someone…')
    await page.getByRole('checkbox', { name: 'Spare' }).check()
    await reason.fill('more hands')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(chat).toContainText('Ana added Spare')

    await act('Make … the manager')
    await page.getByRole('combobox', { name: 'Manager' }).click()
    await page.getByRole('option', { name: /^Ana/ }).click()
    await reason.fill('I judge this one')
    await page.getByRole('button', { name: 'Make the manager' }).click()
    await expect(chat).toContainText('I judge this one')

    await page.keyboard.press('p')
    const pause = page.getByRole('alertdialog', { name: 'Pause Price page?' })
    await pause.getByRole('textbox', { name: /^Reason/ }).fill('lunch')
    await pause.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText(/paused by Ana/).first()).toBeVisible()
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await expect(page.getByText(/paused by Ana/)).toHaveCount(0)

    await act('Finish the task…')
    await page.getByRole('radio', { name: 'It failed' }).check()
    await reason.fill('no longer needed')
    await page.getByRole('button', { name: 'Finish the task', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Task actions' }).click()
    await expect(menu.getByRole('menuitem', { name: 'Finish the task…' })).toBeDisabled()
  } finally {
    await peer.close()
  }
})
