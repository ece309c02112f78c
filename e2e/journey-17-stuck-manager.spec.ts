/** A task's manager failed to judge: a person does its work, and the chat says who and why. */
import { expect, test, waitForLive } from './fixtures/console'
import { INPUT_WAYS, inputOf } from './fixtures/input'
import { endOfPart, planOf, scriptedTeam, startModelServer, taskByForm } from './fixtures/modelServer'
import { postCommand } from './fixtures/work'

for (const way of INPUT_WAYS)
  test(`an operator ends a stage without a judge and does the other work of a stuck manager, by ${way}`, async ({
    open,
    start,
  }) => {
    test.setTimeout(240_000)
    const model = await startModelServer(async ({ agent, skill }) => {
      if (agent === 'Boss') return 'I do not know what to do.'
      if (agent === 'Tester') return new Promise(() => undefined)
      return skill === 'planning'
        ? planOf('quick_think', 'think')
        : skill === 'quick_think'
          ? '<quick_think>ok</quick_think>'
          : endOfPart(skill, 'done')
    })
    try {
      const config = scriptedTeam(model.url, [
        { name: 'Boss', isManager: true },
        { name: 'Coder' },
        { name: 'Tester' },
        { name: 'Spare' },
      ])
      const server = await start({ config })
      const page = await open(server, 'ana', '/tasks')
      await waitForLive(page)
      const { press, write, choose, check } = inputOf(page, way)
      await postCommand(
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
      await press(page.getByRole('link', { name: 'Price page' }))
      const strip = page.getByRole('region', { name: 'Waiting for you in this task' })
      await expect(strip).toContainText(/Boss/)
      const card = page.getByRole('article', { name: /^Request from The task/ })
      await expect(card.getByRole('link', { name: 'Finish this stage…' })).toBeVisible()
      // The task asks under its own name (R305).
      await page.getByRole('button', { name: /^Notices/ }).click()
      await expect(page.getByRole('dialog', { name: 'Notices' })).toContainText('Price page needs a reply.')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Notices' })).toHaveCount(0)

      const menu = page.getByRole('menu', { name: 'Task actions' })
      const act = (entry: string): Promise<void> =>
        choose(page.getByRole('button', { name: 'Task actions' }), menu.getByRole('menuitem', { name: entry }))
      await act('Finish this stage…')
      const dialog = page.getByRole('dialog', { name: 'Finish this stage…' })
      await expect(dialog).toContainText('Stage 1: Gather')
      await press(dialog.getByRole('button', { name: 'Finish' }))
      await expect(dialog).toContainText('Give a reason.')
      await write(dialog.getByRole('textbox', { name: /^Reason/ }), 'everything is gathered')
      await press(dialog.getByRole('button', { name: 'Finish' }))
      await expect(dialog).toHaveCount(0)
      const stages = page.getByRole('list', { name: 'Stages' })
      await expect(stages.locator('[aria-current=step]')).toContainText('2 Check')
      await expect(strip).toHaveCount(0)
      const chat = page.getByRole('log', { name: /^Group chat of/ })
      await expect(chat).toContainText(/Ana finished stage 1/)
      await expect(chat).toContainText('everything is gathered')

      const reason = page.getByRole('dialog').getByRole('textbox', { name: /^Reason/ })
      await act('Add a stage…')
      await write(page.getByRole('textbox', { name: 'Stage goal' }), 'Publish')
      await write(reason, 'it was forgotten')
      await press(page.getByRole('button', { name: 'Add', exact: true }))
      await expect(page.getByRole('dialog')).toContainText('Give at least one member a goal.')
      await write(page.getByRole('textbox', { name: 'Goal for Coder' }), 'Publish the page.')
      await press(page.getByRole('button', { name: 'Add', exact: true }))
      await expect(stages).toContainText('3 Publish')

      await act('Retry with changes…')
      await write(page.getByRole('textbox', { name: 'Goal for Tester' }), 'Check the totals only.')
      await write(reason, 'too broad')
      await press(page.getByRole('button', { name: 'Retry', exact: true }))
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(chat).toContainText('too broad')

      await act('Add someone…')
      await check(page.getByRole('checkbox', { name: 'Spare' }))
      await write(reason, 'more hands')
      await press(page.getByRole('button', { name: 'Add', exact: true }))
      await expect(chat).toContainText('Ana added Spare')

      await act('Make … the manager')
      await choose(page.getByRole('combobox', { name: 'Manager' }), page.getByRole('option', { name: /^Ana/ }))
      await write(reason, 'I judge this one')
      await press(page.getByRole('button', { name: 'Make manager' }))
      await expect(chat).toContainText('I judge this one')
      // The chat may be at another node, and be told before the dialog hears its answer; keys are the dialog's until then.
      await expect(page.getByRole('dialog')).toHaveCount(0)

      await page.keyboard.press('p')
      const pause = page.getByRole('alertdialog', { name: 'Pause Price page?' })
      await write(pause.getByRole('textbox', { name: /^Reason/ }), 'lunch')
      await press(pause.getByRole('button', { name: 'Pause' }))
      await expect(page.getByText(/paused by Ana/).first()).toBeVisible()
      await press(page.getByRole('button', { name: 'Resume', exact: true }))
      await expect(page.getByText(/paused by Ana/)).toHaveCount(0)

      await act('Finish the task…')
      await check(page.getByRole('radio', { name: 'Failed' }))
      await write(reason, 'no longer needed')
      await press(page.getByRole('button', { name: 'Finish the task', exact: true }))
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await press(page.getByRole('button', { name: 'Task actions' }))
      await expect(menu.getByRole('menuitem', { name: 'Finish the task…' })).toBeDisabled()
    } finally {
      await model.close()
    }
  })

test('a press lets the manager try again, and its next answer counts', { tag: '@all' }, async ({ open, start }) => {
  let isClear = false
  const judgement = { action: 'finish_stage', task_id: 'Price page', stage_id: 'stage 1' }
  const model = await startModelServer(({ agent, skill }) => {
    if (agent !== 'Boss')
      return skill === 'planning'
        ? planOf('quick_think', 'think')
        : skill === 'quick_think'
          ? '<quick_think>ok</quick_think>'
          : endOfPart(skill, 'done')
    return isClear ? `<task_instruction>${JSON.stringify(judgement)}</task_instruction>` : 'I do not know what to do.'
  })
  try {
    const server = await start({
      config: scriptedTeam(model.url, [{ name: 'Boss', isManager: true }, { name: 'Coder' }]),
    })
    const page = await open(server, 'ana', '/tasks')
    await waitForLive(page)
    const stages: Parameters<typeof taskByForm>[2] = [
      { intention: 'Gather', allocation: { coder: 'Gather it.' } },
      { intention: 'Check', allocation: { ana: 'Check it.' } },
    ]
    await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', 'coder'], stages, 'Price page'))
    await page.getByRole('link', { name: 'Price page' }).click()
    const again = page.getByRole('button', { name: 'Let Boss try again' })
    await expect(again).toBeVisible()
    isClear = true
    await again.click()
    await expect(page.getByRole('list', { name: 'Stages' }).locator('[aria-current=step]')).toContainText('2 Check')
    await expect(again).toHaveCount(0)
    await expect(page.getByRole('log', { name: /^Group chat of/ })).toContainText('Boss should try again.')
  } finally {
    await model.close()
  }
})
