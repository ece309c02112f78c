/** A failed step is found in the tree, its prompt and answers are read, and it is retried. */
import { expect, test, waitForLive } from './fixtures/console'
import { createDeferred, endOfPart, planOf, scriptedTeam, startModelServer, taskByForm } from './fixtures/modelServer'
import { postCommand } from './fixtures/work'

// A second retry is refused, which the browser logs.
test.use({ allowedTroubles: /status of 4\d\d/ })

test('an operator goes from a failure in the tree to a retry, and can do the other actions of a step', async ({
  open,
  start,
}) => {
  test.setTimeout(240_000)
  const secondTry = createDeferred()
  let isFirstTry = true
  const model = await startModelServer(async ({ agent, skill, prompt }) => {
    if (prompt.includes('CHANGED')) return '<think>The sum is 13.</think>'
    // The stage is not judged, so it stays open.
    if (agent === 'Boss') return new Promise(() => undefined)
    if (skill === 'planning') return planOf('think', 'add up the prices')
    if (skill !== 'think') return endOfPart(skill, 'added up')
    if (isFirstTry) return '{"sum": "The sum is 12."}'
    await secondTry.promise
    return '<think>The sum is 12.</think>'
  })
  try {
    const config = scriptedTeam(model.url, [{ name: 'Boss', isManager: true }, { name: 'Coder' }])
    const server = await start({ config })
    const page = await open(server, 'ana', '/tasks')
    await waitForLive(page)
    await postCommand(
      page,
      '/api/tasks',
      taskByForm(
        'boss',
        ['ana', 'coder'],
        [{ intention: 'Add up', allocation: { coder: 'Add up the prices.' } }],
        'Price page',
      ),
    )
    await page.getByRole('link', { name: 'Price page' }).click()
    await page.getByRole('tab', { name: 'Tree' }).click()
    const failed = page.getByRole('main').getByRole('row', { name: /^think, step of Coder, Failed/ })
    await expect(failed).toBeVisible()
    isFirstTry = false

    await page.getByRole('main').getByRole('button', { name: 'Next error' }).click()
    await expect(failed).toBeFocused()
    await page.keyboard.press('Enter')
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    // What can be done about it stands with the failure.
    await expect(inspector).toContainText('Fix the cause if there is one, then retry the step.')
    await inspector.getByRole('tab', { name: 'Prompt' }).click()
    await expect(inspector).toContainText('add up the prices')
    // Its model is tried with another prompt: the answer stands beside the old one, and the step stays as it is.
    await inspector.getByRole('button', { name: 'Try with changes' }).click()
    const trial = inspector.getByRole('region', { name: 'Try with changes' })
    await trial.getByRole('textbox').last().fill('Say the sum as a tag. CHANGED')
    await trial.getByRole('button', { name: 'Call the model' }).click()
    await expect(trial.getByText('<think>The sum is 13.</think>')).toBeVisible()
    await expect(trial.getByRole('cell', { name: '{"sum": "The sum is 12."}' })).toBeVisible()
    await expect(failed).toBeVisible()
    await trial.getByRole('button', { name: 'Close' }).click()
    await inspector.getByRole('tab', { name: 'Response' }).click()
    await expect(inspector).toContainText('The sum is 12.')
    await inspector.getByRole('tab', { name: 'Cost' }).click()
    await expect(inspector).toContainText('Input tokens')
    await expect(inspector.getByRole('listitem').filter({ hasText: /^Call 1 of/ })).toBeVisible()
    // Keys still reach the tree when a search leaves out the line that had the focus.
    await inspector.getByRole('tab', { name: 'JSON' }).click()
    const lines = inspector.getByRole('tree').getByRole('treeitem')
    await lines.filter({ hasText: /^id: / }).first().focus()
    const search = inspector.getByRole('textbox', { name: 'Search this JSON' })
    await search.fill('executor')
    await expect(lines.filter({ hasText: /^id: / })).toHaveCount(0)
    await search.press('Tab')
    await page.keyboard.press('Tab')
    await expect(lines.first()).toBeFocused()
    // The inspector of an agent is as its profile.
    await page
      .getByRole('main')
      .getByRole('row', { name: /^Coder, agent/ })
      .click()
    await expect(inspector.getByRole('tab', { name: 'Queue' })).toBeVisible()
    await inspector.getByRole('tab', { name: 'History' }).click()
    await expect(inspector.getByRole('list', { name: 'History' })).toContainText('Add up the prices')
    await failed.click()

    await inspector.getByRole('button', { name: 'Retry step' }).click()
    const question = page.getByRole('alertdialog', { name: 'Retry this step?' })
    await question.getByRole('textbox', { name: /^Reason/ }).fill('it forgot its tags')
    await question.getByRole('button', { name: 'Retry' }).click()
    await expect(question).toHaveCount(0)
    const again = page.getByRole('main').getByRole('row', { name: /^think, step of Coder, Running, .*attempt 2$/ })
    await expect(again).toBeVisible()
    // A second retry while the first one runs is refused, and the typed reason stays.
    await inspector.getByRole('button', { name: 'Retry step' }).click()
    await question.getByRole('textbox', { name: /^Reason/ }).fill('once more')
    await question.getByRole('button', { name: 'Retry' }).click()
    await expect(question.getByRole('alert')).toBeVisible()
    await expect(question.getByRole('textbox', { name: /^Reason/ })).toHaveValue('once more')
    await question.getByRole('button', { name: 'Cancel' }).click()

    // A running step can be stopped.
    await again.click()
    await inspector.getByRole('button', { name: 'Cancel step' }).click()
    const stop = page.getByRole('alertdialog', { name: 'Cancel this step?' })
    await stop.getByRole('textbox', { name: /^Reason/ }).fill('it takes too long')
    await stop.getByRole('button', { name: 'Cancel step' }).click()
    await expect(
      page.getByRole('main').getByRole('row', { name: /^think, step of Coder, Failed, .*attempt 2$/ }),
    ).toBeVisible()

    await page.getByRole('tab', { name: 'Chat' }).click()
    const chat = page.getByRole('log', { name: /^Group chat of/ })
    await expect(chat).toContainText('it forgot its tags')
    await expect(chat).toContainText('it takes too long')
  } finally {
    secondTry.resolve()
    await model.close()
  }
})
