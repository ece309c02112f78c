/** Conversations with members with their unread mark and count; the notification level of a task. */
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { taskByForm } from './fixtures/modelServer'
import { postCommand } from './fixtures/work'

const app = serverForFile()

test('two people write each other privately, and the page says who reads it and what is unread', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  const ana = await open(app.server, 'ana', '/direct')
  const ben = await open(app.server, 'ben', '/settings/display')
  await waitForLive(ben)
  const list = ana.getByRole('navigation', { name: 'Conversations' })
  await expect(list.getByRole('link', { name: /^Ben, person, online/ })).toBeVisible()
  await list.getByRole('link', { name: /^Ben, person/ }).click()
  await expect(ana.getByRole('heading', { name: 'Private conversation with Ben', level: 1 })).toBeFocused()
  await expect(ana.getByText('Only you and Ben read this.', { exact: false }).first()).toBeVisible()
  await ana.getByRole('button', { name: 'Begin the conversation' }).click()
  const form = ana.getByRole('form', { name: 'Write a message' })
  const text = form.getByRole('textbox', { name: 'Message' })
  await text.fill('Is the oven warm?')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  const asked = ana.getByRole('log').getByRole('article', { name: /oven warm/ })
  await expect(asked.getByRole('button', { name: 'Receipts: Read by 0 of 1' })).toBeVisible()

  await ben.getByRole('link', { name: 'Messages, 1 unread' }).click()
  await ben.getByRole('link', { name: /^Ana, person, online, 1 unread/ }).click()
  const log = ben.getByRole('log')
  await expect(log.getByRole('article', { name: /oven warm/ })).toBeVisible()
  await expect(ben.getByRole('link', { name: 'Messages', exact: true })).toBeVisible()
  await expect(asked.getByRole('button', { name: 'Receipts: Read by 1 of 1' })).toBeVisible()

  const answer = ben.getByRole('form', { name: 'Write a message' }).getByRole('textbox', { name: 'Message' })
  await answer.pressSequentially('Warm since six.')
  await expect(ana.getByText('Ben is writing…')).toBeVisible()
  await answer.press('Enter')
  await expect(ana.getByRole('article', { name: /Warm since six/ })).toBeVisible()
  await expect(ana.getByText('Ben is writing…')).toHaveCount(0)

  // Two more arrive while Ana is on another page; on return the unread mark is before them, and it stays.
  await ben.getByRole('link', { name: 'Tasks', exact: true }).click()
  for (const words of ['And the second oven?', 'Then we can begin.']) {
    await text.fill(words)
    await text.press('Enter')
  }
  await ben.getByRole('link', { name: 'Messages, 2 unread' }).click()
  await ben.getByRole('link', { name: /^Ana, person, online, 2 unread/ }).click()
  await expect(log.getByText('2 unread', { exact: true })).toBeVisible()
  await expect(ben.getByRole('link', { name: 'Messages', exact: true })).toBeVisible()
  await expect(log.getByText('2 unread', { exact: true })).toBeVisible()
  // Unread from here: the mark moves up to the first message.
  await log.getByRole('article', { name: /oven warm/ }).focus()
  await ben.keyboard.press('Shift+U')
  await expect(log.getByText('3 unread', { exact: true })).toBeVisible()
})

test('[R273] what was read is still read after the page is loaded again at once', { tag: '@desktop' }, async ({
  open,
}) => {
  const ana = await open(app.server, 'ana', '/settings/display')
  const ben = await open(app.server, 'ben', '/settings/display')
  const readUpTo = async (): Promise<number> => {
    const answer = await ben.request.get(`${app.server.url}/api/read/notices`)
    return (await answer.json()).seq ?? 0
  }
  const before = await readUpTo()
  const work = [{ intention: 'Clean', allocation: { ben: 'Clean the floor.' } }]
  await postCommand(ana, '/api/tasks', taskByForm('manager', ['ana', 'ben'], work, 'Floor'))
  await expect(ben.getByRole('button', { name: 'Notices, 2 new' })).toBeVisible()
  // The list asks how far was read; it counts as read before that is answered.
  await ben.route('**/api/read/notices', (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
  await ben.getByRole('button', { name: 'Notices, 2 new' }).click()
  await expect(ben.getByRole('list', { name: 'Notices' }).getByRole('listitem').first()).toContainText('Floor')
  await ben.unroute('**/api/read/notices')
  await ben.reload()
  await waitForLive(ben)
  await expect(ben.getByRole('button', { name: /^Notices/ })).toBeVisible()
  await expect.poll(readUpTo).toBeGreaterThan(before)
  await expect(ben.getByRole('button', { name: 'Notices', exact: true })).toBeVisible()
})

test('a task has its own notification level; a conversation is copied as Markdown, and a message can be dictated', {
  tag: '@desktop',
}, async ({ open }) => {
  const ana = await open(app.server, 'ana', '/settings/display')
  const ben = await open(app.server, 'ben', '/settings/display')
  await waitForLive(ben)
  const work = [{ intention: 'Bake', allocation: { ben: 'Bake the bread.' } }]
  const made = (await postCommand(ana, '/api/tasks', taskByForm('manager', ['ana', 'ben'], work, 'Bread'))) as {
    task: string
  }
  const task = `/tasks/${made.task}`
  await ben.goto(`${app.server.url}${task}`)
  await ben.getByRole('button', { name: /^Notify me about: / }).click()
  await ben.getByRole('menuitemradio', { name: 'Urgent only' }).click()
  await expect(ben.getByText("You'll only be notified about urgent messages in this task.")).toBeVisible()
  await ben.goto(`${app.server.url}/settings/display`)
  await waitForLive(ben)
  const needs = async (): Promise<number> =>
    Number(
      /(\d+) need/.exec((await ben.getByRole('link', { name: /^Inbox/ }).getAttribute('aria-label')) ?? '')?.[1] ?? 0,
    )
  const before = await needs()
  const { person } = (await (await ben.request.get(`${app.server.url}/api/me`)).json()) as {
    person: { agent_id: string }
  }
  const say = (type: 'action' | 'urgent', text: string) =>
    postCommand(ana, '/api/messages', {
      task: made.task,
      receivers: [person.agent_id],
      type,
      text,
      stage: null,
      answers: null,
      replyTo: null,
      mention: true,
    })
  await say('action', 'Scrub the tray')
  await expect.poll(needs).toBe(before + 1)
  await expect(ben.getByText('Scrub the tray')).toHaveCount(0)
  await say('urgent', 'The bread burns')
  const dialog = ben.getByRole('alertdialog', { name: 'Urgent from Ana' })
  await expect(dialog).toContainText('The bread burns')
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(dialog).toHaveCount(0, { timeout: 2_000 })
  }).toPass()

  await ben.goto(`${app.server.url}${task}`)
  const said = ben.getByRole('article', { name: /^Urgent from Ana to you.*The bread burns/ })
  await ben.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // The page has just been loaded: what is pressed while it is drawn anew may do nothing.
  const copy = ben.getByRole('menuitem', { name: 'Copy as Markdown' })
  await expect(async () => {
    await said.hover()
    if (!(await copy.isVisible())) await said.getByRole('button', { name: 'Message actions' }).click()
    await copy.click({ timeout: 2_000 })
  }).toPass()
  await expect
    .poll(() => ben.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^\*\*Ana\*\* → Ben · \[.+\]\(http.+\/messages\/.+\)\n\n> The bread burns$/)

  // A fake microphone that plays a tone.
  await ben.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const sound = new AudioContext()
      const [tone, out] = [sound.createOscillator(), sound.createMediaStreamDestination()]
      tone.connect(out)
      tone.start()
      return out.stream
    }
  })
  const form = ben.getByRole('form', { name: 'Write a message' })
  // The machine's clock is a minute ahead, and is set right while it records.
  const clock = await ben.evaluateHandle(() => {
    const { now } = Date
    Date.now = () => now() + 60_000
    return { setRight: () => Object.assign(Date, { now }) }
  })
  await form.getByRole('button', { name: 'Hold to talk' }).click()
  const recording = form.getByRole('status').filter({ hasText: 'Recording' })
  await expect(recording).toBeVisible()
  await clock.evaluate(({ setRight }) => void setRight())
  await expect(recording).toContainText('1 s')
  await form.getByRole('button', { name: 'Stop and attach recording' }).click()
  await expect(form.getByRole('list', { name: 'Files' })).toContainText('voice-message.webm')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await ana.goto(`${app.server.url}${task}`)
  const heard = ana.getByRole('article', { name: /^FYI from Ben/ })
  await heard.getByRole('button', { name: 'Play' }).click()
  // This browser can play the sound.
  await expect
    .poll(() => heard.locator('audio').evaluate((sound: HTMLAudioElement) => sound.readyState))
    .toBeGreaterThan(0)
})
