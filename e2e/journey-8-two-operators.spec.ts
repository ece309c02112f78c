/** Two people answer one request: the first answer counts, the other person learns who it was and keeps their text. */
import { collapseUrgentAlways, expect, openItem, test, waitForLive } from './fixtures/console'
import { INPUT_WAYS, inputOf } from './fixtures/input'
import { messageTo, planOf, scriptedTeam, startModelServer, taskByForm } from './fixtures/modelServer'
import { askAboutLists, postCommand } from './fixtures/work'

// Browsers log each refusal.
test.use({ allowedTroubles: /status of 409/ })

/** An even number: two agents ask alternately. */
const ROUNDS = 20
/** The agents of this test ask more often than the default limit allows. */
const ASKS = `limits: { talk_in_a_row: ${3 * ROUNDS} }\n`
const OLGA = '  - { id: olga, name: Olga, role: operator, access: operator, password_env: OLGA_PASSWORD }\n'

for (const way of INPUT_WAYS)
  test(`the second of two operators learns that they were late and keeps their text, by ${way}`, async ({
    open,
    start,
  }) => {
    const server = await start()
    const ana = await open(server, 'ana', '/settings/display')
    await waitForLive(ana)
    await askAboutLists(ana, server, 'barn')
    const link = ana.getByRole('link', { name: /^Inbox, [1-9] need you/ })
    await expect(link).toBeVisible()
    await ana.goto(`${server.url}/inbox`)
    const card = ana.getByRole('article', { name: /^Request from Coder: .*bolt/ })
    const address = await card.getByRole('link').first().getAttribute('href')
    // Olga is an operator: she may answer for Ana.
    const olga = await open(server, 'olga', address ?? '')
    const urgent = olga.getByRole('article', { name: /^Urgent from Coder to Ana/ })
    const [anas, olgas] = [inputOf(ana, way), inputOf(olga, way)]
    await olgas.press(urgent.getByRole('button', { name: 'Answer for Ana' }))
    const hers = olga.getByRole('article', { name: /^Request from Coder: .*bolt/ })

    await anas.write(card.getByRole('textbox', { name: 'Your answer' }), '1.10')
    await expect(hers.getByText(/Ana is writing/)).toBeVisible()
    await olgas.write(hers.getByRole('textbox', { name: 'Your answer' }), '1.30, by the newer list')
    await olgas.write(hers.getByRole('textbox', { name: /^Reason/ }), 'Ana is on the road.')
    if (way === 'keys') await ana.keyboard.press('Control+Enter')
    else await anas.press(card.getByRole('button', { name: 'Send answer' }))
    await expect(card).toHaveCount(0)
    // At once, without pressing anything.
    await expect(hers.getByText(/answered (.* )?before you\. Your text is kept/)).toBeVisible()
    await expect(hers.getByRole('textbox', { name: 'Your answer' })).toHaveValue('1.30, by the newer list')
    await expect(hers.getByRole('button', { name: 'Send answer' })).toHaveCount(0)
    await expect(hers.getByRole('button', { name: 'Copy' })).toBeEnabled()
    // She is not a member of the task, so she writes to the person who answered.
    await expect(hers).toContainText('Your message goes to Ana')
    await olgas.press(hers.getByRole('button', { name: 'Send as a message' }))
    await expect(hers.getByRole('textbox', { name: 'Your answer' })).toHaveCount(0)
    await expect(ana.getByText('1.30, by the newer list').first()).toBeVisible()
  })

for (const place of ['the inbox', 'its own address'])
  test(`anyone who had typed in ${place} sees at once that somebody was first, and sends it as a message`, {
    tag: '@all',
  }, async ({ open, start }) => {
    const server = await start()
    const ana = await open(server, 'ana', '/settings/display')
    await waitForLive(ana)
    await askAboutLists(ana, server, 'barn')
    await expect(ana.getByRole('link', { name: /^Inbox, [1-9] need you/ })).toBeVisible()
    await ana.goto(`${server.url}/inbox`)
    const card = ana.getByRole('article', { name: /^Request from Coder: .*bolt/ })
    const id = await card.getAttribute('data-id')
    // Both are asked until Olga accepts.
    await postCommand(ana, '/api/hand_overs', { to: 'olga', requests: [id], sentence: 'I am away' })
    const olga = await open(server, 'olga', place === 'the inbox' ? '/inbox' : `/requests/${id}`)
    await collapseUrgentAlways(olga)
    const hers = olga.getByRole('article', { name: /^Request from Coder: .*bolt/ })
    await hers.getByRole('textbox', { name: 'Your answer' }).fill('1.30, by the newer list')
    await expect(card.getByText(/Olga is writing/)).toBeVisible()
    await collapseUrgentAlways(ana)
    await card.getByRole('textbox', { name: 'Your answer' }).fill('1.10')
    await card.getByRole('button', { name: 'Send answer' }).click()
    await expect(hers.getByText(/answered (.* )?before you\. Your text is kept/)).toBeVisible()
    await expect(hers.getByRole('button', { name: 'Send answer' })).toHaveCount(0)
    await hers.getByRole('button', { name: 'Send as a message' }).click()
    await expect(ana.getByText('1.30, by the newer list').first()).toBeVisible()
  })

test(`both answer at random moments, ${ROUNDS} times: one answer each, and the slower one's text is kept`, {
  tag: '@all',
}, async ({ open, start }) => {
  const asked = { first: 0, second: 0 }
  const model = await startModelServer(async ({ agent, skill, stage }) => {
    if (skill === 'planning') return planOf('send_message', 'ask', ROUNDS / 2)
    // Never, since the stage would end with its questions.
    if (skill !== 'send_message') return new Promise(() => undefined)
    const who = agent === 'First' ? 'first' : 'second'
    asked[who] += 1
    return messageTo('ana', `${agent} asks for price ${asked[who]}.`, stage, 'reply')
  })
  try {
    const agents = [{ name: 'Boss', isManager: true }, { name: 'First' }, { name: 'Second' }]
    const server = await start({ config: `${scriptedTeam(model.url, agents)}${OLGA}${ASKS}` })
    const ana = await open(server, 'ana', '/inbox')
    const olga = await open(server, 'olga', '/inbox')
    await waitForLive(ana)
    const work = [{ intention: 'Ask', allocation: { first: 'Ask.', second: 'Ask.' } }]
    await postCommand(ana, '/api/tasks', taskByForm('boss', ['ana', 'olga', 'first', 'second'], work, 'Prices'))
    await expect(ana.getByRole('link', { name: /^Request from .* asks for price/ })).toHaveCount(ROUNDS)
    // A handed-over request is put to both until it is accepted.
    await postCommand(ana, '/api/hand_overs', { to: 'olga', requests: 'all', sentence: 'Whoever is first.' })
    await expect(olga.getByRole('link', { name: /^Request from .* asks for price/ })).toHaveCount(ROUNDS)

    const people = [
      { name: 'Ana', page: ana },
      { name: 'Olga', page: olga },
    ]
    let sentAnyway = ''
    for (let round = 0; round < ROUNDS; round++) {
      const question = `${round % 2 === 0 ? 'First' : 'Second'} asks for price ${Math.floor(round / 2) + 1}.`
      const cards = people.map(({ name, page }) => ({
        page,
        text: `${name} says ${round}`,
        card: page.getByRole('article', { name: `: ${question}` }),
      }))
      for (const { page, card, text } of cards) {
        await openItem(page, new RegExp(`: ${question.replace('.', '\\.')}`))
        await card.getByRole('textbox', { name: 'Your answer' }).fill(text)
      }
      const id = (await cards[0]?.card.getAttribute('data-id')) ?? ''
      await Promise.all(
        cards.map(async ({ card }) => {
          const send = card.getByRole('button', { name: 'Send answer' })
          await send.evaluate(
            (button, ms) => setTimeout(() => button.dispatchEvent(new MouseEvent('click', { bubbles: true })), ms),
            Math.random() * 25,
          )
        }),
      )
      const kept = people.map(({ page }) => page.getByRole('status').filter({ hasText: 'Your text is kept.' }))
      await expect.poll(async () => (await Promise.all(kept.map((one) => one.count()))).sort().join()).toBe('0,1')
      const slower = (await kept[0]?.count()) === 1 ? 0 : 1
      expect(await kept[slower]?.textContent()).toContain(cards[slower]?.text)
      const answer = await ana.request.get(`${server.url}/api/requests/${id}`)
      const { request }: { request: { answer: { text: string } } } = await answer.json()
      expect(request.answer.text).toBe(cards[1 - slower]?.text)
      // The first is sent as a separate message, by keys; the others are discarded.
      const act = kept[slower]?.getByRole('button', { name: round === 0 ? 'Send as a message' : 'Discard' })
      const person = people[slower]
      if (act && person) await inputOf(person.page, round === 0 ? 'keys' : 'mouse').press(act)
      if (round === 0) sentAnyway = cards[slower]?.text ?? ''
      for (const { card } of cards) await expect(card).toHaveCount(0)
    }
    await ana.goto(`${server.url}/tasks`)
    await ana.getByRole('link', { name: 'Prices' }).first().click()
    const chat = ana.getByRole('log', { name: /^Group chat of/ })
    // The first of many rounds is off screen: the filter finds it.
    await chat.press('/')
    await ana.keyboard.type(sentAnyway)
    await expect(chat.getByRole('article', { name: sentAnyway })).toHaveCount(1)
  } finally {
    await model.close()
  }
})
