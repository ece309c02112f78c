/** The interface changes its language without a reload and remembers it; messages stay as written. */
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { taskByForm } from './fixtures/modelServer'
import { postCommand } from './fixtures/work'

const app = serverForFile()

test('[R105] the language changes to Chinese without a reload, also of what the program says in a task, and stays', async ({
  open,
}) => {
  const page = await open(app.server, 'ana', '/inbox')
  await waitForLive(page)
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await page.getByRole('button', { name: /^Ana, account settings/ }).click()
  await page.getByRole('menuitemradio', { name: '中文' }).click()
  await expect(page.getByRole('heading', { name: '收件箱', level: 1 })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
  await expect(page.getByRole('button', { name: /^连接/ })).toBeVisible()
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)

  await page.getByRole('link', { name: '任务', exact: true }).click()
  const tasks = page.getByRole('table', { name: '任务' })
  await expect(tasks.getByRole('link', { name: '请求' })).toBeVisible()
  const stages = [{ intention: 'Collect', allocation: { ben: 'Collect it.' } }]
  await postCommand(page, '/api/tasks', taskByForm('manager', ['ana', 'ben'], stages, 'Price page'))
  await tasks.getByRole('link', { name: 'Price page' }).click()
  // The team's language is English.
  const chat = page.getByRole('log')
  await expect(chat).toContainText('阶段 1/1 已开始')
  await expect(chat).not.toContainText(/started|created/)
  await postCommand(page, '/api/work/demo', {})
  await page.getByRole('link', { name: '任务', exact: true }).click()
  await tasks.getByRole('link', { name: '请求' }).click()
  // The person's own request, which the program worded.
  await expect(chat.getByRole('article', { name: /比较 .*里的清单/ })).toContainText('写一份报告')
  await page.getByRole('link', { name: '任务', exact: true }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: '任务', level: 1 })).toBeVisible()
  // The next browser of this person has it too.
  const other = await open(app.server, 'ana', '/inbox')
  await expect(other.getByRole('heading', { name: '收件箱', level: 1 })).toBeVisible()
})

test('the language is the browser’s until somebody selects one', { tag: ['@desktop', '@all'] }, async ({ browser }) => {
  const context = await browser.newContext({ locale: 'zh-CN' })
  const page = await context.newPage()
  await page.goto(`${app.server.url}/login`)
  await expect(page.getByRole('heading', { name: '以团队成员身份登录' })).toBeVisible()
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
  await context.close()
})
