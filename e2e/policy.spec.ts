/** Nothing in the console breaks its content policy or logs an error. */
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { askAboutLists } from './fixtures/work'

const app = serverForFile()
test.use({ fetchesAhead: true })

// The fixture fails every test on console errors and policy violations; these two look for more places in the long suite.
test('menus, dialogs, panels, selects and notices keep to the content policy @all', async ({ open }) => {
  const page = await open(app.server, 'olga', '/settings/display')
  await waitForLive(page)
  await page.getByRole('button', { name: /^Connection: live/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Last heard from the server')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('button', { name: /^Olga, account settings/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  for (const part of ['profile', 'display', 'language', 'keyboard', 'system', 'people']) {
    await page.goto(`${app.server.url}/settings/${part}`)
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await waitForLive(page)
  }
  await page.getByRole('button', { name: 'Actions for Ben' }).click()
  await page.getByRole('menuitem', { name: 'Reset password' }).click()
  await page
    .getByRole('alertdialog', { name: /Reset Ben's password/ })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await page.getByRole('button', { name: 'Actions for Ben' }).click()
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText('Ben is signed out everywhere.')).toBeVisible()

  await page.goto(`${app.server.url}/tasks`)
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Running' }).click()
  await page.getByRole('button', { name: 'New request' }).first().hover()
  await page.getByRole('button', { name: 'New request' }).first().click()
  await expect(page.getByRole('dialog', { name: 'New request' })).toBeVisible()
})

test('every view of a running task and every tab of the inspector keep to the content policy @all', async ({
  open,
}, info) => {
  const page = await open(app.server, 'ana', '/inbox')
  await waitForLive(page)
  await askAboutLists(page, app.server, 'mill')
  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await question.getByRole('link').first().click()
  const form = page.getByRole('form', { name: 'Write a message' })
  await form.getByRole('button', { name: /^Message type/ }).click()
  await page.getByRole('menuitemradio', { name: 'Action required' }).click()
  // On a phone the message goes to the running stage.
  if (info.project.name === 'desktop') {
    await form.getByRole('combobox', { name: 'Stage' }).click()
    await page.getByRole('option').first().click()
  }
  await form.getByRole('textbox', { name: 'Message' }).pressSequentially('@')
  await expect(page.getByRole('listbox', { name: 'Members' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Tree' }).click()
  for (const name of [/^tool .*, step of Coder, Done/, /^think, step of Coder, Done/, /^Coder, agent/]) {
    await page.getByRole('row', { name }).first().click()
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    await expect(inspector.getByRole('tab').first()).toBeVisible()
    for (const tab of await inspector.getByRole('tab').all()) await tab.click()
    // An urgent dialog may open just now; then it takes the first Escape.
    await expect(async () => {
      await page.keyboard.press('Escape')
      await expect(inspector).toHaveCount(0, { timeout: 1_000 })
    }).toPass()
  }
})

test.describe('an address without a screen', () => {
  test.use({ allowedTroubles: /404 \(Not Found\) \S+\/no\/such\/place$/ })

  test('[R807] is 404 and says so, as does a task that is not there', async ({ open }) => {
    const page = await open(app.server, 'ana', '/inbox')
    expect((await page.goto(`${app.server.url}/no/such/place`))?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await page.goto(`${app.server.url}/tasks/00000000-0000-4000-8000-000000000000`)
    await expect(page.getByRole('heading', { name: 'Task not found' })).toBeVisible()
  })
})
