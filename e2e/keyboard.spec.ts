/** A whole task with keys alone: signing in, asking for work, answering, confirming, ending a part. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, serverForFile, test, waitForLive } from './fixtures/console'
import { arrowTo, tabTo } from './fixtures/input'
import { PASSWORDS } from './fixtures/server'
import { LISTS, postCommand, writeFiles } from './fixtures/work'

const app = serverForFile()
test.use({ allowedTroubles: /status of 401/ })

test('a person goes from signing in to a finished task without a mouse', async ({ open }) => {
  writeFiles(app.server, 'mint', LISTS)
  const page = await open(app.server, null, '/login')
  await expect(page.getByRole('textbox', { name: 'Human agent ID' })).toBeFocused()
  await page.keyboard.type('ana')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORDS.ana)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()
  await waitForLive(page)

  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeFocused()
  const ask = page.getByRole('button', { name: 'New request' }).first()
  await tabTo(page, ask)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New request' })
  await tabTo(page, dialog.getByRole('textbox', { name: 'What do you need?' }))
  await page.keyboard.type('Compare the lists in mint and write a report')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)

  // The question opens as a dialog; Escape collapses it, `n` goes to it.
  await expect(page.getByRole('alertdialog', { name: 'Urgent from Coder' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.keyboard.press('n')
  const question = page.getByRole('article', { name: /^Request from Coder: .*bolt/ })
  await expect(question).toBeVisible()
  await tabTo(page, question.getByRole('radio', { name: '1.10' }))
  await page.keyboard.press('ArrowRight')
  await expect(question.getByRole('radio', { name: '1.30' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(question.getByRole('radio', { name: '1.30' })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(question).toHaveCount(0)

  await page.keyboard.press('g')
  await page.keyboard.press('i')
  const allow = page.getByRole('article', { name: /^Request from Tester: Write / })
  await tabTo(page, allow.getByRole('button', { name: 'Approve', exact: true }))
  await page.keyboard.press('Enter')
  await expect(allow).toHaveCount(0)
  await expect.poll(() => existsSync(join(app.server.workspace, 'mint/report.md'))).toBe(true)

  const part = page.getByRole('article', { name: /^Your part of stage/ })
  await expect(part).toBeVisible()
  await tabTo(page, part.getByRole('textbox', { name: 'What did you do?' }))
  await page.keyboard.type('Checked, it is right.')
  await page.keyboard.press('Control+Enter')
  await expect(part).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('row', { name: /Compare mint/ })).toContainText('Done')
  // In its tree the part is done, and the manager has judged.
  await tabTo(page, page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: /Compare mint/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
  await page.keyboard.press('2')
  await expect(page.getByRole('row', { name: /^Ana, person, Done/ }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /^task_manager, step of Manager, Done/ }).first()).toBeAttached()
})

test('F6 cycles through the landmarks, and skip links skip them', async ({ open }, info) => {
  const page = await open(app.server, 'ben', '/tasks')
  await waitForLive(page)
  await page.getByRole('table', { name: 'Tasks' }).getByRole('link').first().press('Enter')
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
  const landmarks = [
    page.getByRole('banner', { name: 'Convene' }),
    page.getByRole('navigation', { name: 'Main' }),
    ...(info.project.name === 'desktop' ? [page.getByRole('complementary', { name: 'List' })] : []),
    page.getByRole('main'),
  ]
  // Once round, from the heading in main.
  for (const landmark of landmarks) {
    await page.keyboard.press('F6')
    await expect(landmark).toBeFocused()
  }
  await page.reload()
  await waitForLive(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to what needs you' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('language, theme and keys are set without a mouse', async ({ open }) => {
  const page = await open(app.server, 'olga', '/inbox')
  await waitForLive(page)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const box = palette.getByRole('combobox', { name: 'Search or run a command' })
  // Text typed before the palette's file has loaded goes to the palette.
  await page.keyboard.type('requests')
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('requests')
  await expect(palette.getByRole('option', { name: /^Requests/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('nothing of this kind')
  await expect(palette.getByText(/^No results/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)

  // The palette offers actions on the open page; one of its pages asks for an agent, and Backspace leads back.
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('option', { name: 'Pause the task…' })).toBeVisible()
  await page.keyboard.type('pause an agent')
  await page.keyboard.press('Enter')
  await expect(palette.getByRole('option', { name: /^Pause / }).first()).toBeVisible()
  await expect(palette.getByRole('option', { name: 'Pause the task…' })).toHaveCount(0)
  await page.keyboard.press('Backspace')
  await expect(palette.getByRole('option', { name: 'Pause the task…' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)

  // The table of keys, and one of them changed: `m` writes here, `c` no longer does.
  await page.keyboard.press('?')
  const table = page.getByRole('dialog', { name: 'Keyboard' })
  await expect(table.getByRole('row', { name: /Write a message here/ })).toBeVisible()
  await expect(table.getByRole('row', { name: /Next error/ })).toBeVisible()
  await page.keyboard.press('Escape')
  const chat = new URL(page.url()).pathname
  await page.keyboard.press('Control+k')
  await page.keyboard.type('settings keyboard')
  await page.keyboard.press('Enter')
  const change = page.getByRole('button', { name: 'Change shortcut: Write a message here' })
  await tabTo(page, change)
  await page.keyboard.press('Enter')
  await page.keyboard.press('r')
  await expect(page.getByText('Already used for: Reply or answer')).toBeVisible()
  await page.keyboard.press('m')
  await expect(change).toBeFocused()
  await page.goto(`${app.server.url}${chat}`)
  const message = page.getByRole('form', { name: 'Write a message' }).getByRole('textbox', { name: 'Message' })
  await expect(message).toBeVisible()
  await waitForLive(page)
  await page.keyboard.press('c')
  await expect(message).not.toBeFocused()
  await page.keyboard.press('m')
  await expect(message).toBeFocused()
  // Both keys before the next frame: restoring the focus after Escape must not swallow the letter.
  await page.getByRole('button', { name: /^Message type/ }).focus()
  await page.evaluate(async () => {
    for (const key of ['Escape', 'm'])
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
  await expect(message).toBeFocused()
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('language')
  const chinese = palette.getByRole('option', { name: '中文' })
  await expect(chinese).toBeVisible()
  while ((await chinese.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /^收件箱/ })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(page.getByRole('heading', { name: '收件箱', level: 1 })).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('深色')
  await page.evaluate(watchColours)
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  // No part of the page keeps the old colours for a while.
  await expect(page.locator('html')).toHaveAttribute('data-looks', '1')
})

/** Counts the distinct colours of the bar's buttons in the frames after the theme changed. */
function watchColours(): void {
  const page = document.documentElement
  const parts = document.querySelectorAll('header button')
  const looks = new Set<string>()
  let frames = 0
  const look = (): void => {
    looks.add(
      [...parts].map((part) => `${getComputedStyle(part).color} ${getComputedStyle(part).backgroundColor}`).join(),
    )
    frames += 1
    if (frames < 12) requestAnimationFrame(look)
    else page.dataset.looks = String(looks.size)
  }
  new MutationObserver(() => frames === 0 && look()).observe(page, { attributeFilter: ['data-theme'] })
}

test('a step is opened by keys, and its address opens the same step in another tab', async ({ open }) => {
  const page = await open(app.server, 'ben', '/tasks')
  await waitForLive(page)
  await tabTo(page, page.getByRole('table', { name: 'Tasks' }).getByRole('link').first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log', { name: /^Group chat of/ })).toBeVisible()
  // A step of Manager, which replies to a message.
  const task = new URL(page.url()).pathname.split('/')[2] ?? ''
  const said = { task, receivers: ['manager'], text: 'Thank you.', type: 'action', stage: null, answers: null }
  await postCommand(page, '/api/messages', { ...said, replyTo: null, mention: true })
  await page.keyboard.press('2')
  const tree = page.getByRole('main').getByRole('treegrid', { name: 'State tree' })
  const step = tree.getByRole('row', { name: /, step of Manager/ }).first()
  await expect(step).toBeVisible()
  await tabTo(page, tree.getByRole('row').and(page.locator('[tabindex="0"]')))
  await arrowTo(page, step)
  await page.keyboard.press('Enter')
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector).toBeVisible()
  const id = new URL(page.url()).searchParams.get('inspect')?.replace('StepState_', '') ?? ''
  const name = await inspector.getByRole('heading').first().textContent()
  const other = await page.context().newPage()
  await other.goto(`${new URL(page.url()).href.split('/tree')[0]}/steps/${id}`)
  await expect(other.getByRole('complementary', { name: 'Inspector' }).getByRole('heading').first()).toHaveText(
    name ?? '',
  )
  // In the tree letters find names, except the letters of navigation keys.
  await step.focus()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeFocused()
})

test('a press that opens another screen gets feedback before that screen is rendered', async ({ open }) => {
  const page = await open(app.server, 'ben', '/inbox')
  await waitForLive(page)
  const tasks = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' })
  const atFirst = await tasks.evaluate(async (link: HTMLAnchorElement) => {
    link.click()
    // The state right before the paint.
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return [link.getAttribute('aria-current'), document.querySelector('main h1')?.textContent]
  })
  expect(atFirst).toEqual(['page', 'Inbox'])
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeFocused()
  // Going back at once stays on the same screen.
  const back = await page.evaluate(async () => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')]
    const to = (path: string) => links.find((link) => link.getAttribute('href') === path)?.click()
    to('/inbox')
    to('/tasks')
    return window.location.pathname
  })
  expect(back).toBe('/tasks')
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
  await expect(tasks).toHaveAttribute('aria-current', 'page')
})
