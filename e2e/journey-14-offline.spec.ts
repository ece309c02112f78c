/** Offline and back, and a tab that dies: sent messages are there once, typed text is still in its box. */
import type { Page } from '@playwright/test'
import { collapseUrgentAlways, connection, expect, serverForFile, test, waitForLive } from './fixtures/console'
import { INPUT_WAYS, inputOf, tabTo } from './fixtures/input'
import { askAna } from './fixtures/work'

const app = serverForFile()
// Browsers log each request that fails while offline.
test.use({
  allowedTroubles:
    /ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED)|ChunkLoadError|WebSocket/,
})

/** The chat of the base task, of which everybody is a member. */
async function openChat(page: Page): Promise<string> {
  await tabTo(page, page.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
  return page.url()
}
const box = (page: Page) =>
  page.getByRole('form', { name: 'Write a message' }).getByRole('textbox', { name: 'Message' })
const said = (page: Page, text: string) => page.getByRole('article', { name: text })

test('a message is there once, whether its tab dies before, while or after the server receives it', async ({
  open,
}) => {
  const first = await open(app.server, 'ben', '/tasks')
  await waitForLive(first)
  const chat = await openChat(first)
  const context = first.context()
  let page = first
  /** The tab is gone without a word to anybody; another one at the same address. */
  const die = async (): Promise<void> => {
    await Promise.all([page.waitForEvent('crash'), page.goto('chrome://crash').catch(() => undefined)])
    await page.close()
    page = await context.newPage()
    await page.goto(chat)
    await waitForLive(page)
  }
  const POINTS = {
    'typed, not sent': null,
    'on its way': 'held',
    'heard, not answered': 'done',
  } as const
  for (const [text, point] of Object.entries(POINTS)) {
    await box(page).fill(text)
    if (point === null) {
      await die()
      await expect(box(page)).toHaveValue(text)
      await page.keyboard.press('Escape')
    } else {
      const heard = new Promise<void>((resolve) => {
        void page.route('**/api/messages', async (route) => {
          if (point === 'done') await route.fetch()
          resolve()
          // This tab never gets an answer.
        })
      })
      await box(page).press('Enter')
      await heard
      await die()
      await expect(box(page)).toHaveValue('')
    }
    if (point === null) await box(page).press('Enter')
    await expect(said(page, text)).toHaveCount(1)
    await expect(said(page, text).getByRole('button', { name: /^Receipts: Read by/ })).toBeVisible()
  }
  await page.reload()
  await waitForLive(page)
  for (const text of Object.keys(POINTS)) await expect(said(page, text)).toHaveCount(1)
})

test('attachments of a draft survive the tab and the outbox; two conflicting drafts are offered to each other', async ({
  open,
}) => {
  const page = await open(app.server, 'olga', '/tasks')
  await waitForLive(page)
  const chat = await openChat(page)
  const context = page.context()
  const form = (on: Page) => on.getByRole('form', { name: 'Write a message' })
  await box(page).pressSequentially('/urgent @ben')
  await page.keyboard.press('Enter')
  await box(page).pressSequentially('the lists are ready')
  await form(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'lists.csv', mimeType: 'text/csv', buffer: Buffer.from('bolt,1.10') })
  const isWhole = async (on: Page): Promise<void> => {
    await expect(box(on)).toHaveValue('the lists are ready')
    await expect(form(on).getByRole('button', { name: 'Message type: Urgent' })).toBeVisible()
    await expect(form(on).getByRole('button', { name: 'Remove Ben' })).toBeVisible()
    // Uploaded: its size is shown.
    await expect(form(on).getByRole('list', { name: 'Files' })).toContainText(/lists\.csv\s*9 B/)
  }
  await isWhole(page)
  await page.reload()
  await isWhole(page)
  await waitForLive(page)

  // Taken back from the outbox it is unchanged.
  await context.setOffline(true)
  await expect(connection(page, 'offline')).toBeVisible()
  await box(page).press('Enter')
  const waiting = said(page, 'the lists are ready')
  await expect(waiting.getByRole('list', { name: 'Files' })).toContainText('lists.csv')
  await waiting.getByRole('button', { name: 'Cancel' }).click()
  await isWhole(page)
  await context.setOffline(false)
  await waitForLive(page)

  // Another device shows it too, and marks its place.
  const other = await open(app.server, 'olga', '/tasks')
  await expect(other.getByRole('table', { name: 'Tasks' }).getByRole('row').nth(1)).toContainText('Draft')
  await other.goto(chat)
  await isWhole(other)
  await waitForLive(other)
  await page.context().setOffline(true)
  await expect(connection(page, 'offline')).toBeVisible()
  await box(page).fill('written on the train')
  await box(other).fill('written at the desk')
  await page.context().setOffline(false)
  const offers = { 'written on the train': page, 'written at the desk': other }
  for (const [mine, at] of Object.entries(offers)) {
    await expect(at.getByRole('button', { name: 'Restore other draft' })).toBeVisible()
    await expect(box(at)).toHaveValue(mine)
  }
  await page.getByRole('button', { name: 'Restore other draft' }).click()
  await expect(box(page)).toHaveValue('written at the desk')
  await page.getByRole('button', { name: 'Restore other draft' }).click()
  await expect(box(page)).toHaveValue('written on the train')
  await page.getByRole('button', { name: 'Discard it' }).click()
  await box(page).press('Enter')
  await expect(said(page, 'written on the train')).toBeVisible()
})

test('a page asks before it closes with a file that is not uploaded', { tag: '@all' }, async ({ open }) => {
  const page = await open(app.server, 'dana', '/tasks')
  await waitForLive(page)
  const chat = await openChat(page)
  const form = page.getByRole('form', { name: 'Write a message' })
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/attachments', async (route) => {
    await held
    await route.continue()
  })
  // Browsers ask only after a user gesture.
  await box(page).pressSequentially('with it')
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'late.csv', mimeType: 'text/csv', buffer: Buffer.from('nut,0.40') })
  await expect(form.getByRole('list', { name: 'Files' })).toContainText('late.csv')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  letGo()
  await expect(form.getByRole('list', { name: 'Files' })).toContainText('8 B')
  // The browser does not ask any more, and the file is there.
  await page.goto(chat)
  await expect(form.getByRole('list', { name: 'Files' })).toContainText(/late\.csv\s*8 B/)
})

/** The browser can open this address offline: it has the page with its files, and the cached views. */
async function isKept(page: Page, view: string): Promise<void> {
  const kept = (): Promise<boolean> =>
    page.evaluate(async (name) => {
      if ((await caches.match('/')) === undefined) return false
      const base = await new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open('convene_known')
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
      try {
        if (!base.objectStoreNames.contains('texts')) return false
        const asked = base.transaction('texts').objectStore('texts').getAllKeys()
        const keys = await new Promise<IDBValidKey[]>((resolve) => {
          asked.onsuccess = () => resolve(asked.result)
        })
        return keys.includes(name)
      } finally {
        base.close()
      }
    }, view)
  await expect.poll(kept, { timeout: 60_000 }).toBe(true)
}

// As in production: the files of the page and its lazy ones are there before the line breaks.
test.describe('without a line', () => {
  test.use({ fetchesAhead: true, serviceWorkers: 'allow' })

  for (const way of INPUT_WAYS)
    test(`a message sent while offline waits and is sent once after reconnecting, and the draft survives its tab, by ${way}`, async ({
      open,
    }) => {
      const page = await open(app.server, way === 'keys' ? 'ana' : 'lee', '/tasks')
      await waitForLive(page)
      const { press } = inputOf(page, way)
      const hello = way === 'keys' ? 'hello' : 'good morning'
      const begin = (): Promise<void> => (way === 'keys' ? page.keyboard.press('c') : box(page).click())
      const send = (): Promise<void> =>
        way === 'keys' ? page.keyboard.press('Enter') : page.getByRole('button', { name: 'Send', exact: true }).click()
      await press(page.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
      await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
      const chat = page.url()
      const context = page.context()
      await context.setOffline(true)
      await expect(connection(page, 'offline')).toBeVisible()
      await begin()
      await page.keyboard.type(hello)
      await send()
      await expect(said(page, hello)).toContainText('Waiting for connection')
      // A waiting message can be taken back into the box.
      await press(said(page, hello).getByRole('button', { name: 'Cancel' }))
      await expect(said(page, hello)).toHaveCount(0)
      await expect(box(page)).toHaveValue(hello)
      if (way === 'keys') await tabTo(page, box(page))
      await send()
      await expect(said(page, hello)).toContainText('Waiting for connection')
      // By keys the box still has the focus.
      if (way === 'mouse') await begin()
      await page.keyboard.type('and what I was about to say')
      await expect(box(page)).toHaveValue('and what I was about to say')
      await page.close()

      await context.setOffline(false)
      const back = await context.newPage()
      await back.goto(chat)
      await waitForLive(back)
      await expect(box(back)).toHaveValue('and what I was about to say')
      await expect(said(back, hello)).toHaveCount(1)
      await expect(said(back, hello).getByRole('button', { name: /^Receipts: Read by/ })).toBeVisible()
      await expect(said(back, hello)).not.toHaveAttribute('data-kind', 'outbox')
    })

  test('[R56] addresses opened without the server show cached views until a sign-out; what is written then is sent once', async ({
    start,
    open,
  }) => {
    const server = await start()
    const { task } = await askAna(server, 'scale')
    const page = await open(server, 'ana', '/inbox')
    const question = (on: Page) => on.getByRole('article', { name: /^Request from Coder: .*bolt/ })
    await expect(question(page)).toBeVisible()
    await waitForLive(page)
    await question(page).getByRole('link').first().click()
    await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
    await isKept(page, `task:${task.split('/').at(-1)}`)

    await server.kill()
    await page.reload()
    await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
    await expect(question(page)).toBeVisible()
    // The time of the last connection is before this page was opened.
    await expect(connection(page, 'offline since')).toBeVisible()
    const inbox = await page.context().newPage()
    await inbox.goto(`${server.url}/inbox`)
    await expect(question(inbox)).toBeVisible()
    await inbox.close()

    await box(page).fill('from the tunnel')
    await box(page).press('Enter')
    await expect(said(page, 'from the tunnel')).toContainText('Waiting for connection')
    await box(page).fill('not yet said')
    await page.reload()
    await expect(said(page, 'from the tunnel')).toContainText('Waiting for connection')
    await expect(box(page)).toHaveValue('not yet said')

    await server.start()
    await waitForLive(page)
    await expect(said(page, 'from the tunnel')).toHaveCount(1)
    await expect(said(page, 'from the tunnel')).not.toHaveAttribute('data-kind', 'outbox')
    await expect(box(page)).toHaveValue('not yet said')
    await page.reload()
    await waitForLive(page)
    await expect(said(page, 'from the tunnel')).toHaveCount(1)

    await collapseUrgentAlways(page)
    await page.getByRole('button', { name: /^Ana/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in as a team member' })).toBeVisible()
    const left = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const asked = indexedDB.open('convene_known')
          asked.onsuccess = () => {
            const count = asked.result.transaction('texts').objectStore('texts').count()
            count.onsuccess = () => resolve(count.result)
          }
        }),
    )
    expect(left).toBe(0)
    await server.kill()
    await page.goto(`${server.url}/inbox`)
    await expect(page.getByRole('heading', { name: "Can't reach the server" })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(0)
  })
})
