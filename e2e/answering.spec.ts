/** Answering: a question is settled by an answer alone, says what it is about, and can be answered wherever it is read. */
import { expect, navigateTo, openRow, serverForFile, test, waitForLive } from './fixtures/console'
import { neverReuse } from './fixtures/pages'
import { askForWork, sendMessage, writeFiles } from './fixtures/work'

const app = serverForFile()

test('[R106] [R136] [R145] a question has no "Mark as done" wherever it is shown, says what it is about, and takes a bare name', {
  tag: '@desktop',
}, async ({ open }) => {
  const ben = await open(app.server, 'ben', '/inbox')
  await waitForLive(ben)
  const cards = ben.getByRole('article', { name: /^Request from Manager/ })
  // A folder by its bare name is an answer: the question does not come back.
  writeFiles(app.server, 'shelf', { 'a.txt': 'one\ntwo\n' })
  await askForWork(ben, 'Count the lines')
  await cards.getByRole('textbox', { name: 'Your answer' }).fill('the folder shelf')
  await expect(ben.getByRole('button', { name: 'Notices, 1 new' })).toBeVisible()
  await cards.getByRole('button', { name: 'Send answer' }).click()
  await expect(ben.getByRole('article').filter({ hasText: 'shelf/a.txt' }).first()).toBeVisible()
  await expect(cards).toHaveCount(0)

  for (const file of ['first.md', 'second.md'])
    await askForWork(ben, `Compare the price lists and write a report to ${file}`)
  await expect(cards).toHaveCount(2)
  for (const file of ['first.md', 'second.md']) {
    const card = cards.filter({ hasText: `about: Compare the price lists and write a report to ${file}` })
    await expect(card).toHaveCount(1)
    await openRow(card)
    await expect(card.getByRole('link', { name: new RegExp(file) })).toHaveAttribute('href', /\/messages\//)
    await expect(card.getByRole('button', { name: 'Mark as done' })).toHaveCount(0)
  }
  const id = await cards.first().getAttribute('data-id')
  const answer = await ben.request.get(`${app.server.url}/api/requests/${id}`)
  const { request }: { request: { message: string; task: string } } = await answer.json()
  // Nor can a program settle it so.
  const done = await ben.request.post(`${app.server.url}/api/messages/${request.message}/done`, {
    data: { id: crypto.randomUUID(), until: Date.now() + 60_000 },
  })
  expect([done.status(), (await done.json()).error]).toEqual([422, 'ANSWER_NEEDED'])
  await navigateTo(ben, `/requests/${id}`)
  await expect(ben.getByRole('heading', { name: /^Request \d+/ })).toBeVisible()
  await expect(cards).toHaveCount(1)
  await expect(cards.getByText(/about: .*\.md/)).toBeVisible()
  await expect(ben.getByRole('button', { name: 'Mark as done' })).toHaveCount(0)
  await navigateTo(ben, `/tasks/${request.task}`)
  const chat = ben.getByRole('log', { name: /^Group chat of/ })
  await expect(chat.getByRole('article', { name: /^Request from Manager/ }).first()).toBeVisible()
  await expect(ben.getByRole('button', { name: 'Mark as done' })).toHaveCount(0)
  const strip = ben.getByRole('region', { name: 'Waiting for you in this task' })
  await expect(strip).toContainText('first.md')
  await strip.getByRole('button', { name: 'Next request' }).click()
  await expect(strip).toContainText('second.md')
  await ben.getByRole('button', { name: /^Notices/ }).click()
  const notices = ben.getByRole('dialog', { name: 'Notices' })
  const needed = notices.getByRole('listitem').filter({ hasText: 'Manager needs a reply' })
  const isNew = (about: RegExp) => needed.filter({ hasText: about }).getByText('new', { exact: true })
  for (const file of ['first.md', 'second.md']) {
    await expect(notices.getByText(new RegExp(file))).toHaveCount(1)
    await expect(isNew(new RegExp(file))).toHaveCount(1)
  }
  // What was answered is no news any more.
  await expect(needed).toHaveCount(3)
  await expect(isNew(/Count the lines/)).toHaveCount(0)
})

test('an Urgent from a person is answered in its dialog, which keeps what was typed', async ({ open }, info) => {
  const olga = await open(app.server, 'olga', '/settings/profile')
  await waitForLive(olga)
  const ana = await open(app.server, 'ana', '/settings/profile')
  await waitForLive(ana)
  await sendMessage(ana, 'olga', 'The shop is down, which supplier do we call?', 'urgent')
  const dialog = olga.getByRole('alertdialog', { name: 'Urgent from Ana' })
  await expect(dialog).toBeVisible()
  const box = dialog.getByRole('textbox', { name: 'Your answer' })
  await box.fill('The one in the north')
  // All that can be done stands in one row.
  const answer = dialog.getByRole('button', { name: 'Answer', exact: true })
  const acts = [answer, dialog.getByRole('button', { name: 'Acknowledge' })]
  acts.push(
    info.project.name === 'phone'
      ? dialog.getByRole('button', { name: 'Later' })
      : dialog.getByRole('button', { name: 'Remind me in…' }),
  )
  const tops = await Promise.all(acts.map(async (one) => Math.round((await one.boundingBox())?.y ?? -1)))
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(8)
  if (info.project.name === 'phone') {
    const edge = await dialog.boundingBox()
    expect((edge?.y ?? 0) + (edge?.height ?? 0)).toBeGreaterThan(720)
  }
  await olga.reload()
  await expect(box).toHaveValue('The one in the north')
  await expect(async () => {
    if ((await dialog.count()) > 0) await answer.click()
    await expect(dialog).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
  await expect(ana.getByRole('article', { name: /The one in the north/ })).toHaveCount(0)
  await navigateTo(ana, '/inbox')
  await expect(ana.getByText('The one in the north').first()).toBeVisible()
  await navigateTo(olga, '/inbox')
  await expect(olga.getByRole('article', { name: /The shop is down/ })).toHaveCount(0)
})

test('the dialog does not come over a card that is being read', { tag: '@desktop' }, async ({ open }) => {
  test.slow()
  const lee = await open(app.server, 'lee', '/inbox')
  await waitForLive(lee)
  const ana = await open(app.server, 'ana', '/settings/profile')
  await waitForLive(ana)
  await lee.clock.install()
  neverReuse(lee)
  await sendMessage(ana, 'lee', 'Read this before the bell.', 'urgent')
  const row = lee.getByRole('article', { name: /before the bell/ })
  await expect(row).toBeVisible()
  const dialog = lee.getByRole('alertdialog', { name: 'Urgent from Ana' })
  for (let seconds = 0; seconds < 45; seconds += 5) {
    await lee.clock.runFor(5_000)
    await lee.mouse.move(400 + seconds, 300)
    expect(await dialog.count(), `after ${seconds + 5} s of reading`).toBe(0)
  }
  // A reader who sits still reads on; elsewhere the dialog comes.
  await lee.clock.runFor(60_000)
  expect(await dialog.count(), 'nobody moves').toBe(0)
  await navigateTo(lee, '/tasks')
  await lee.clock.runFor(21_000)
  await expect(dialog).toBeVisible()
})
