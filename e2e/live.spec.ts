/** A message of one browser appears in another: at once, after the server was killed, and after the network was gone. */
import type { Locator, Page } from '@playwright/test'
import { connection, expect, type Open, serverForFile, test, waitForLive } from './fixtures/console'

const app = serverForFile()

// Browsers log each request that found no server.
// Lazy files may be loading when the server stops.
test.use({
  fetchesAhead: true,
  allowedTroubles:
    /WebSocket connection|ERR_(CONNECTION|INTERNET_DISCONNECTED|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED)|ChunkLoadError/,
})

/** The chat of which everybody is a member. */
async function openBase(open: Open, person: 'ana' | 'ben'): Promise<Page> {
  const page = await open(app.server, person, '/tasks')
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
  // A lazy file that is not loaded yet cannot be loaded without the server.
  await expect(page.getByRole('complementary', { name: 'List' }).getByRole('row').first()).toBeVisible()
  await waitForLive(page)
  return page
}

async function write(page: Page, text: string): Promise<void> {
  const box = page.getByRole('form', { name: 'Write a message' }).getByRole('textbox', { name: 'Message' })
  await box.pressSequentially('@Ben')
  await page.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: /^Ben/ }).click()
  await page.getByRole('form', { name: 'Write a message' }).getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

const bubbles = (page: Page, text: string): Locator =>
  page
    .getByRole('log', { name: /^Group chat of/ })
    .getByRole('article')
    .filter({ hasText: text })

test('a message typed in one browser appears in the other', { tag: '@all' }, async ({ open }) => {
  const ana = await openBase(open, 'ana')
  const ben = await openBase(open, 'ben')
  await write(ana, 'The oven is warm.')
  await expect(bubbles(ben, 'The oven is warm.')).toHaveCount(1)
  await expect(bubbles(ana, 'The oven is warm.')).toHaveCount(1)
  await expect(
    ana.getByRole('form', { name: 'Write a message' }).getByRole('textbox', { name: 'Message' }),
  ).toHaveValue('')
  // Ben sees it, so Ana sees that he has read it.
  await expect(ana.getByRole('button', { name: 'Receipts: Read by 1 of 1' })).toBeVisible()
})

test('a message survives kill -9 of the server between sending and reading, once', async ({ open }) => {
  const ana = await openBase(open, 'ana')
  const ben = await openBase(open, 'ben')
  await ben.context().setOffline(true)
  await expect(connection(ben, 'offline')).toBeVisible()
  await write(ana, 'Bread at ten.')
  await expect(ana.getByRole('article', { name: /from you to .*Bread at ten\./ })).toHaveCount(1)
  await app.server.kill()
  await expect(connection(ana, 'offline')).toBeVisible()
  await expect(bubbles(ben, 'Bread at ten.')).toHaveCount(0)
  await ben.context().setOffline(false)
  await app.server.start()
  await waitForLive(ana)
  await waitForLive(ben)
  await expect(bubbles(ben, 'Bread at ten.')).toHaveCount(1)
  await expect(bubbles(ana, 'Bread at ten.')).toHaveCount(1)
})

test('a message written while the server is down waits, and is sent once when it is back', { tag: '@all' }, async ({
  open,
}) => {
  const ana = await openBase(open, 'ana')
  const ben = await openBase(open, 'ben')
  await app.server.kill()
  await expect(connection(ana, 'offline')).toBeVisible()
  await write(ana, 'Butter too.')
  await expect(ana.getByRole('article', { name: /Butter too\., Waiting for connection/ })).toBeVisible()
  await app.server.start()
  await waitForLive(ana)
  await expect(bubbles(ben, 'Butter too.')).toHaveCount(1)
  await expect(ana.getByRole('article', { name: /from you to .*Butter too\./ })).toHaveCount(1)
  await expect(bubbles(ana, 'Butter too.')).toHaveCount(1)
  // The next page does not send it again.
  await ana.reload()
  await waitForLive(ana)
  await expect(bubbles(ana, 'Butter too.')).toHaveCount(1)
})

test('a page that is offline stays readable, keeps what is typed, and comes back live', { tag: '@all' }, async ({
  open,
}) => {
  const ana = await openBase(open, 'ana')
  await write(ana, 'Before the storm.')
  await expect(bubbles(ana, 'Before the storm.')).toHaveCount(1)
  // Other screens are preloaded some seconds after the page; offline they open from there.
  let fetched = -1
  const isFetched = async (): Promise<boolean> => {
    const before = fetched
    fetched = await ana.evaluate(() => performance.getEntriesByType('resource').length)
    return fetched === before
  }
  await expect.poll(isFetched, { intervals: [3_000] }).toBe(true)
  await ana.context().setOffline(true)
  await expect(connection(ana, 'offline')).toBeVisible()
  await expect(ana.getByText(/^Offline since .*Sending waits\./)).toBeVisible()
  await expect(bubbles(ana, 'Before the storm.')).toBeVisible()
  const box = ana.getByRole('form', { name: 'Write a message' }).getByRole('textbox', { name: 'Message' })
  await box.fill('half a thou')
  // Other screens open with the cached data.
  await ana.getByRole('link', { name: /^Inbox/ }).click()
  await expect(ana.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await ana.goBack()
  await expect(box).toHaveValue('half a thou')
  await ana.context().setOffline(false)
  await waitForLive(ana)
  await expect(box).toHaveValue('half a thou')
  await ana.reload()
  await waitForLive(ana)
  await expect(box).toHaveValue('half a thou')
})
