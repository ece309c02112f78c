/** A failed step is found in the tree, its prompt and answers are read, and it is retried, as it was or with other arguments. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('[R542] [R543] a failed call is retried with other arguments, which nothing loses, and is confirmed as ever', async ({
  open,
  start,
}) => {
  test.setTimeout(240_000)
  const decided = createDeferred()
  const model = await startModelServer(async ({ agent, skill }) => {
    if (agent === 'Boss') return new Promise(() => undefined)
    if (skill === 'planning') {
      const write = { step_intention: 'write the report', type: 'tool', executor: 'files', text_content: 'write it' }
      return `<planned_step>${JSON.stringify([write])}</planned_step>`
    }
    if (skill === 'instruction_generation') {
      const call = { tool_name: 'write_file', arguments: { path: '/elsewhere/report.md', content: 'The sum is 12.' } }
      return `<tool_instruction>${JSON.stringify({ ...call, last: true })}</tool_instruction>`
    }
    if (skill !== 'tool_decision') return endOfPart(skill, 'written')
    await decided.promise
    return '<tool_decision>{"continue": false, "result": "done"}</tool_decision>'
  })
  try {
    const config = `${scriptedTeam(model.url, [{ name: 'Boss', isManager: true }, { name: 'Coder' }]).replace(
      /(name: Coder,.*skills: \[all\])/,
      '$1, tools: [files]',
    )}
tools:
  files: { command: node, args: ["\${package:@modelcontextprotocol/server-filesystem}", "\${workspace}"], confirm: risky }
`
    const server = await start({ config })
    const page = await open(server, 'ana', '/tasks')
    await waitForLive(page)
    const stage = { intention: 'Write', allocation: { coder: 'Write the report.' } }
    await postCommand(page, '/api/tasks', taskByForm('boss', ['ana', 'coder'], [stage], 'Report page'))
    await page.getByRole('link', { name: 'Report page' }).click()
    const article = page.getByRole('article', { name: /^Request from Coder: Write / })
    await article.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('tab', { name: 'Tree' }).click()
    const main = page.getByRole('main')
    await main.getByRole('row', { name: /^tool files, step of Coder, Failed/ }).click()
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    await inspector.getByRole('button', { name: 'Retry with other arguments' }).click()
    const dialog = page.getByRole('dialog', { name: 'Retry with other arguments?' })
    const path = dialog.getByRole('textbox', { name: /^path/ })
    await expect(path).toHaveValue('/elsewhere/report.md')

    // Arguments that do not fit are refused with the reason, and stay.
    await dialog.getByRole('tab', { name: 'JSON' }).click()
    const json = dialog.getByRole('textbox', { name: 'Arguments (JSON)' })
    await json.fill('{"path": 7, "content": "The sum is 12."}')
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('it wrote outside')
    await dialog.getByRole('button', { name: 'Retry with these arguments' }).click()
    await expect(dialog.getByRole('alert')).toContainText('path')
    await expect(json).toHaveValue('{"path": 7, "content": "The sum is 12."}')
    await json.fill('{"path": "report.md", "content": "The sum is 13."}')
    await dialog.getByRole('tab', { name: 'Form' }).click()
    await expect(path).toHaveValue('report.md')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await page.reload()
    await inspector.getByRole('button', { name: 'Retry with other arguments' }).click()
    await expect(path).toHaveValue('report.md')
    await expect(dialog.getByRole('textbox', { name: /^Reason/ })).toHaveValue('it wrote outside')
    await dialog.getByRole('button', { name: 'Retry with these arguments' }).click()
    await expect(dialog).toHaveCount(0)

    // It is held like the first call; its inspector leads to the question.
    decided.resolve()
    await main.getByRole('row', { name: /^tool files, step of Coder, Waiting.*attempt 2$/ }).click()
    await inspector.getByRole('tab', { name: 'Tool' }).click()
    await expect(inspector).toContainText('changed by Ana')
    const report = join(server.workspace, 'report.md')
    expect(existsSync(report)).toBe(false)
    await inspector.getByRole('link', { name: 'Review or change the call' }).click()
    await article.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect.poll(() => existsSync(report) && readFileSync(report, 'utf8')).toBe('The sum is 13.')
    // What the agent runs next knows of it.
    const knows = (): boolean => model.calls.some(({ prompt }) => prompt.includes('Ana changed the arguments before'))
    await expect.poll(knows).toBe(true)
  } finally {
    decided.resolve()
    await model.close()
  }
})
