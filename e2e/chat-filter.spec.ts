/** The filter of a chat: opened by `/`, by its menu or by address; it links to the global search. */
import type { Locator, Page } from '@playwright/test'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'

const app = serverForFile()

async function say(page: Page, texts: readonly string[]): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  for (const text of texts) {
    await box.fill(text)
    await box.press('Enter')
    // Beside what is still on its way in the outbox, a message may be there already.
    await expect(page.locator('article[data-kind=message]', { hasText: text })).toBeVisible()
  }
}

/** Opens the filter and types; by key at once, before its lazy file has loaded. */
async function filterBy(words: string, page: Page, isPhone: boolean): Promise<Locator> {
  const filter = page.getByRole('searchbox', { name: 'Filter messages' })
  if (isPhone) {
    await page.getByRole('button', { name: 'Conversation' }).click()
    await page.getByRole('menuitem', { name: /^Filter messages/ }).click()
    await expect(filter).toBeFocused()
  } else {
    await page.getByRole('log').focus()
    await page.keyboard.press('/')
  }
  await page.keyboard.type(words)
  await expect(filter).toBeFocused()
  await expect(filter).toHaveValue(words)
  return filter
}

test('the filter of a chat shows the messages with the words, and all of them when it is cleared', async ({
  open,
}, info) => {
  const isPhone = info.project.name === 'phone'
  const page = await open(app.server, 'ana', '/tasks')
  await waitForLive(page)
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().click()
  await say(page, ['The oven is warm.', 'The flour is here.', 'The oven is cold again.'])
  // A task without stages shows its own state, on a phone too.
  await expect(page.getByRole('main').getByText('Idle', { exact: true }).first()).toBeVisible()
  const ovens = page.getByRole('article', { name: /oven/ })
  const flour = page.getByRole('article', { name: /flour/ })
  const filter = await filterBy('OVEN ana', page, isPhone)
  await expect(page.getByRole('status').getByText('2 messages')).toBeVisible()
  await expect(ovens).toHaveCount(2)
  await expect(flour).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Search everything' })).toHaveAttribute('href', '/search?q=OVEN%20ana')
  // The words are in the address, which can be shared.
  const beside = await open(app.server, 'ana', page.url().replace(app.server.url, ''))
  await expect(beside.getByRole('article', { name: /oven/ })).toHaveCount(2)
  await expect(beside.getByRole('article', { name: /flour/ })).toHaveCount(0)

  await filter.press('Escape')
  await expect(filter).toHaveCount(0)
  await expect(flour).toBeVisible()
  await expect(ovens).toHaveCount(2)
})

test('the filter of a conversation with a member works the same way', { tag: '@all' }, async ({ open }, info) => {
  const page = await open(app.server, 'ana', '/direct')
  await waitForLive(page)
  await page.getByRole('link', { name: /^Ben, person/ }).click()
  await page.getByRole('button', { name: 'Begin the conversation' }).click()
  await say(page, ['The salt is gone.', 'The sugar is here.'])
  const filter = await filterBy('salt', page, info.project.name === 'phone')
  await expect(page.getByRole('status').getByText('1 message', { exact: true })).toBeVisible()
  await expect(page.getByRole('article', { name: /salt/ })).toBeVisible()
  await expect(page.getByRole('article', { name: /sugar/ })).toHaveCount(0)
  await page.keyboard.type(' and pepper')
  await expect(page.getByRole('heading', { name: 'No matching messages' })).toBeVisible()

  await filter.press('Escape')
  await expect(filter).toHaveCount(0)
  await expect(page.getByRole('article', { name: /sugar/ })).toBeVisible()
})
