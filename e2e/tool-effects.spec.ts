/** What a tool does is said in the reader's language where the program brings the tool. */
import { collapseUrgentAlways, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { askForWork, writeFiles } from './fixtures/work'

const app = serverForFile()

test('[R281] a Chinese page says in Chinese what a call to confirm would do, and what each tool does', {
  tag: '@all',
}, async ({ open }) => {
  const page = await open(app.server, 'ana')
  await waitForLive(page)
  await collapseUrgentAlways(page)
  writeFiles(app.server, 'desk', { 'a.csv': 'item,price\nbolt,1.10\n', 'b.csv': 'item,price\nhook,2.00\n' })
  await askForWork(page, 'Compare the price lists in desk and write a report to desk/report.md')
  const held = page.getByRole('article', { name: /^Request from \w+: Write / })
  await expect(held.getByText(/^Create a new file/)).toBeVisible()

  await page.context().addCookies([{ name: 'convene_language', value: 'zh', url: app.server.url }])
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
  await expect(page.getByText('新建一个文件，或用新内容完全覆盖已有文件。')).toBeVisible()
  await expect(page.getByText(/Create a new file/)).toHaveCount(0)

  await page.goto(`${app.server.url}/tools`)
  await expect(page.getByText('移动或重命名文件和文件夹；目标已存在时不执行。')).toBeVisible()
  await page.goto(`${app.server.url}/tools/files/read_text_file`)
  await expect(page.getByText('以文本读取一个文件的全部内容，也可只读开头或结尾的若干行。')).toBeVisible()
  await expect(page.getByText('填写后，只返回文件的前 N 行')).toBeVisible()
})
