/** A newcomer with only the printed link: the demo task from the first click to its report, in both languages. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, waitForLive } from './fixtures/console'
import { printedLink } from './fixtures/newcomer'

// Its first stage runs twice.
const QUESTION_WITHIN_MS = 60_000
const DEMO_WITHIN_MS = 180_000

/** The shipped configuration without delays. */
const quick = (config: string): string => `${readFileSync(config, 'utf8')}\nrehearsal: { delay_ms: 2 }\n`

// The browser logs the refused request for the session.
test.use({ allowedTroubles: /status of 401/ })

test('a newcomer plays the demo task to its end', async ({ open, start }, info) => {
  test.skip(info.project.name !== 'desktop', 'the Chinese one is played on the phone')
  test.setTimeout(DEMO_WITHIN_MS)
  const server = await start({ config: quick('config/convene.yaml') })
  const page = await open(server, null, await printedLink(server))
  await page.route('**/api/setup/local-models', (route) =>
    route.fulfill({ json: { servers: [{ preset: 'ollama', name: 'Ollama', models: ['qwen3:8b'] }] } }),
  )
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await waitForLive(page)
  await expect(page.getByText('Demo mode: a built-in program simulates the agents.')).toBeVisible()
  await expect(page.getByText('Ollama is running on this machine.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Connect a model' })).toHaveAttribute('href', /[?&]connect=ollama$/)

  await expect(page.getByText(/the demo compares price lists and involves you/)).toBeVisible()
  // The hints beside the tasks and what hides them stand on one edge.
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  const hints = page.getByRole('listitem').filter({ hasText: 'An agent is blocked until you answer' })
  // The hints are laid out again when the list of tasks has come.
  await expect(async () => {
    const [hide, last] = [
      await page.getByRole('button', { name: 'Hide hints' }).boundingBox(),
      await hints.boundingBox(),
    ]
    expect(Math.abs((hide?.y ?? 0) + (hide?.height ?? 0) - (last?.y ?? 0) - (last?.height ?? 0))).toBeLessThan(12)
  }).toPass({ timeout: 5_000 })
  await page.goBack()

  const tab = await page.context().newPage()
  await tab.goto(`${server.url}/tasks`)
  await expect(tab.getByRole('button', { name: 'Start the demo task' })).toBeVisible()
  await page.getByRole('button', { name: 'Start the demo task' }).click()
  // A page that was open before finds it, too.
  await expect(tab.getByRole('link', { name: 'Open demo task' })).toBeVisible()
  await expect(tab.getByRole('button', { name: 'Start the demo task' })).toHaveCount(0)
  await tab.close()
  const question = page.getByRole('article', { name: /^Request from Reader: .*apple/ })
  await expect(question).toBeVisible({ timeout: QUESTION_WITHIN_MS })
  await expect(question).toContainText('3.20 in north.csv line 4')
  await expect(page.getByRole('link', { name: 'Open demo task' })).toHaveAttribute('href', /^\/tasks\/.+/)
  // The link worked once; with a password another device finds the running demo.
  const password = page.getByRole('region', { name: 'Set a password' })
  await password.getByRole('button', { name: 'Set a password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a password' })
  await dialog.getByLabel('New password').fill('a long enough one')
  await dialog.getByRole('button', { name: 'Set a password' }).click()
  await expect(password).toHaveCount(0)
  const again = await open(server, null, '/inbox')
  await again.getByRole('textbox', { name: 'Human agent ID' }).fill('ana')
  await again.getByLabel('Password', { exact: true }).fill('a long enough one')
  await again.getByRole('button', { name: 'Sign in' }).click()
  await expect(again.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await expect(again.getByRole('link', { name: 'Open demo task' })).toHaveAttribute('href', /^\/tasks\/.+/)
  await again.close()
  await question.getByRole('radio', { name: '3.50' }).click()
  await question.getByRole('button', { name: 'Send answer' }).click()

  const lacking = page.getByRole('article', { name: /^Request from Manager: .*west\.csv/ })
  await expect(lacking).toContainText('Leave it out, or add it to the folder', { timeout: QUESTION_WITHIN_MS })
  // A manager's question blocks as any other.
  await expect(lacking).toContainText('waiting for you')
  await page.getByRole('link', { name: /^Waits/ }).click()
  await expect(
    page.getByRole('table', { name: 'Waits' }).getByRole('row', { name: /Manager.*west\.csv/ }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  const compared = page.getByRole('table', { name: 'Tasks' }).getByRole('row', { name: /Compare prices/ })
  await expect(compared).toContainText('Waiting on you')
  await expect(compared).not.toContainText('Running')
  await page.getByRole('link', { name: /^Inbox/ }).click()
  await lacking.getByRole('radio', { name: 'leave it out' }).click()
  await lacking.getByRole('button', { name: 'Send answer' }).click()

  const allow = page.getByRole('article', { name: /^Request from Analyst: Write / })
  await expect(allow).toContainText('prices/report.md', { timeout: QUESTION_WITHIN_MS })
  const report = join(server.workspace, 'prices/report.md')
  expect(existsSync(report)).toBe(false)
  // A part is asked for when there is something to check, and once.
  const part = page.getByRole('article', { name: /^Your part of stage/ })
  await expect(part).toHaveCount(0)
  await allow.getByRole('button', { name: 'Approve', exact: true }).click()

  await expect(part).toHaveCount(1, { timeout: 30_000 })
  await expect(part).not.toContainText('The task in')
  await part.getByRole('textbox', { name: 'What did you do?' }).fill('I checked the report.', { timeout: 30_000 })
  await expect.poll(() => existsSync(report)).toBe(true)
  await part.getByRole('button', { name: 'Mark complete' }).click()
  await expect(part).toHaveCount(0)

  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  const row = page.getByRole('table', { name: 'Tasks' }).getByRole('row', { name: /Compare prices/ })
  await expect(row).toContainText('Done', { timeout: 30_000 })
  await expect(row).toContainText('2 of 2')
  expect(readFileSync(report, 'utf8')).toContain('| apple | price |')
  expect(readFileSync(report, 'utf8')).toContain('66.50')

  // The tree names the file that was not there in words.
  await row.getByRole('link', { name: 'Compare prices' }).click()
  // A repeated stage is not shown as failed, and its start is reported once.
  const chat = page.getByRole('log', { name: /^Group chat of/ })
  // The two tries are one place of the plan, as in the table (R309).
  await expect(chat.getByText('Your part of stage 2 can start')).toBeVisible()
  const stages = page.getByRole('list', { name: 'Stages' })
  await expect(stages.getByRole('listitem')).toHaveCount(2)
  await expect(stages).toContainText('Redone')
  await expect(stages).not.toContainText('Failed')
  await chat.hover()
  await expect(async () => {
    await page.mouse.wheel(0, -300)
    await expect(chat.getByText('Stage 1 is being retried.')).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(page.getByText(/ended as failed/)).toHaveCount(0)
  // The list beside it says the state of a stage in words, which a screen reader reads.
  const list = page.getByRole('complementary', { name: 'List' })
  await expect(list.getByRole('row', { level: 2 }).first()).toContainText('Redone')
  await page.getByRole('tab', { name: 'Tree' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Next error' }).click()
  const missing = page.getByRole('main').getByRole('row', { name: /Read prices.west\.csv$/ })
  await expect(missing).toContainText('File not found: prices/west.csv')
  await missing.click()
  const details = page.getByRole('complementary', { name: 'Inspector' })
  await details.getByRole('tab', { name: 'Tool' }).click()
  await expect(details.getByText('File not found: prices/west.csv')).toBeVisible()
  await expect(details.getByText(/^ENOENT/)).toBeHidden()
  // The built-in program's own notes are no result.
  await page
    .getByRole('main')
    .getByRole('row', { name: /^summary, step of Reader/ })
    .first()
    .click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector.getByRole('heading', { name: 'Result' })).toBeVisible()
  await expect(inspector).toContainText('prices/north.csv')
  await expect(inspector).not.toContainText('{"')
  // A history without archived steps says so.
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('table', { name: 'Agents' }).getByRole('link', { name: 'Reader' }).click()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText("Archived steps aren't listed here.")).toBeVisible()
})

test.describe('中文', () => {
  test.use({ locale: 'zh-CN' })
  test('新人把演示任务从头做到尾', async ({ open, start }, info) => {
    test.skip(info.project.name !== 'phone', 'the English one is played on the desktop')
    test.setTimeout(DEMO_WITHIN_MS)
    const server = await start({ config: quick('config/examples/zh.yaml') })
    const page = await open(server, null, await printedLink(server))
    await expect(page.getByRole('heading', { name: '收件箱', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: '开始演示任务' }).click()
    const question = page.getByRole('article', { name: /^阅读员的请求：.*苹果/ })
    await expect(question).toBeVisible({ timeout: QUESTION_WITHIN_MS })
    await question.getByRole('radio', { name: '3.50' }).click()
    await question.getByRole('button', { name: '发送回答' }).click()
    const lacking = page.getByRole('article', { name: /^管理者的请求：.*west\.csv/ })
    await lacking.getByRole('radio', { name: '不计入' }).click({ timeout: QUESTION_WITHIN_MS })
    await lacking.getByRole('button', { name: '发送回答' }).click()
    await page
      .getByRole('article', { name: /^分析员的请求：/ })
      .getByRole('button', { name: '批准', exact: true })
      .click({ timeout: QUESTION_WITHIN_MS })
    const part = page.getByRole('article', { name: /^阶段 \d，你负责的部分/ })
    await part.getByRole('textbox', { name: '你做了什么？' }).fill('看过了，没有问题。', { timeout: 30_000 })
    await part.getByRole('button', { name: '完成这部分' }).click()
    await expect(part).toHaveCount(0)
    await page.getByRole('link', { name: '任务', exact: true }).click()
    const row = page.getByRole('table', { name: '任务' }).getByRole('row', { name: /比较/ })
    await expect(row).toContainText('完成', { timeout: 30_000 })
    expect(readFileSync(join(server.workspace, 'prices/report.md'), 'utf8')).toContain('66.50')
  })
})
