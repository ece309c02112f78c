/** The help page: reached from the member's menu, an empty page and the palette, in both languages. */
import { expect, serverForFile, test, waitForLive } from './fixtures/console'

const app = serverForFile()

test('help says what to do first, what the words mean, and which keys there are', async ({ open }) => {
  const page = await open(app.server, 'ana', '/inbox')
  await waitForLive(page)
  await page.getByRole('button', { name: /^Ana, account settings/ }).click()
  await page.getByRole('menuitem', { name: 'Help' }).click()
  await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('region', { name: 'Words used here' })).toContainText('Acknowledging stops the alert')
  await expect(main.getByRole('region', { name: 'Keyboard shortcuts' }).getByRole('table')).toContainText('Next error')
  await expect(main.getByRole('region', { name: 'Documentation' })).toContainText('docs/configuration.md')
  await main.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Documentation' }).click()
  await expect(page).toHaveURL(/\/help\/docs$/)
  await expect(main.getByRole('heading', { name: 'Documentation' })).toBeInViewport()
  await main.getByRole('link', { name: 'Make a request' }).click()
  await expect(page.getByRole('dialog', { name: 'New request' })).toBeVisible()
})

test('help opens from the palette, and in Chinese', { tag: ['@desktop', '@all'] }, async ({ open }) => {
  const page = await open(app.server, 'ben', '/tasks')
  await waitForLive(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('help')
  await page.getByRole('option', { name: 'Help', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /^Ben, account settings/ }).click()
  await page.getByRole('menuitemradio', { name: '中文' }).click()
  await expect(page.getByRole('heading', { name: '帮助', level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: '用词说明' })).toContainText('发送者仍在等你回答')
})
