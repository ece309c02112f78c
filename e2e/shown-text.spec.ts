/** What a person sees is what is there: hidden characters in foreign text, and a page whose texts others replace. */
import type { Page } from '@playwright/test'
import { expect, navigateTo, serverForFile, test, waitForLive } from './fixtures/console'
import { taskByForm } from './fixtures/modelServer'
import { fulfilRequest, openPerson } from './fixtures/person'
import { askAna, postCommand, sendMessage, writeFiles } from './fixtures/work'

const app = serverForFile()

/** A direction change and a blank without width. */
const EVIL = 'prices\u202etxt.\u200bdm'

/** Texts of the page, and attributes that are read to people, with one of the two in them. */
const rawSigns = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const isRaw = (text: string | null): boolean => /[\u202e\u200b]/.test(text ?? '')
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode
      if (isRaw(nodeValue) && !parentElement?.closest('script, style, textarea'))
        found.push(`${parentElement?.outerHTML.slice(0, 200)}`)
    }
    for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (isRaw(element.getAttribute(name))) found.push(`${name} of ${element.outerHTML.slice(0, 200)}`)
    return isRaw(document.title) ? [...found, 'title of the page'] : found
  })

test('[R387] characters that nobody sees are codes on every screen that names a task, a stage, a file or a message', {
  tag: '@phone-in-all',
}, async ({ open }) => {
  const page = await open(app.server, 'ana', '/tasks')
  await waitForLive(page)
  writeFiles(app.server, 'odd', { [EVIL]: `# ${EVIL}\n\n**${EVIL}** [${EVIL}](https://example.com) \`${EVIL}\`\n` })
  const stages = [{ intention: EVIL, allocation: { ben: EVIL } }]
  await postCommand(page, '/api/tasks', taskByForm('manager', ['ana', 'ben'], stages, EVIL))
  const ben = await open(app.server, 'ben', '/inbox')
  await sendMessage(ben, 'ana', `${EVIL} **${EVIL}**`, 'action')
  await expect(page.getByRole('table', { name: 'Tasks' }).getByText('U+202E').first()).toBeVisible()
  const person = await openPerson(app.server, 'ana')
  const states = await person.get<Record<string, { task_name: string; task_id: string }>>('/api/states?type=task')
  person.close()
  const task = Object.values(states).find(({ task_name }) => task_name.includes('prices'))?.task_id ?? ''
  expect(task).not.toBe('')
  const file = `/files/odd/${encodeURIComponent(EVIL)}`
  for (const address of [
    ...['/tasks', `/tasks/${task}`, `/tasks/${task}/tree`, '/inbox', '/direct', '/notices', '/waits', '/files'],
    ...[file, `/search?q=${encodeURIComponent('prices')}`, '/directory/tasks', '/agents', '/tools'],
  ]) {
    await navigateTo(page, address)
    await expect(page.locator('main h1').first()).toBeAttached()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    expect.soft(await rawSigns(page), address).toEqual([])
  }
  await navigateTo(page, file)
  await expect(page.getByRole('img', { name: 'hidden character U+202E' }).first()).toBeVisible()
  // A raw sign would be found.
  await page.locator('main').evaluate((main) => main.append('\u202e'))
  expect(await rawSigns(page)).toHaveLength(1)
})

/** What a page translator does: each text is replaced by an element, also those that come later. */
const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const made = new WeakSet<Node>()
    const replace = (text: Node): void => {
      if (!text.nodeValue?.trim() || made.has(text) || text.parentElement?.closest('script, style, textarea, font'))
        return
      const font = document.createElement('font')
      const words = document.createTextNode(`≈${text.nodeValue}`)
      made.add(words)
      font.append(words)
      text.parentNode?.replaceChild(font, text)
    }
    const replaceIn = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Node[] = []
      while (walker.nextNode()) texts.push(walker.currentNode)
      texts.forEach(replace)
    }
    replaceIn(document.body)
    new MutationObserver((changes) => {
      for (const { target, type, addedNodes } of changes) {
        if (type === 'characterData') replace(target)
        for (const node of addedNodes) {
          if (node.nodeType === Node.TEXT_NODE) replace(node)
          else if (node.nodeName !== 'FONT') replaceIn(node)
        }
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

/** The words of the page as they are without a translation, by line. */
const words = async (page: Page): Promise<string[]> =>
  (await page.locator('main').innerText())
    .replaceAll('≈', '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

test('[R388] a page asks not to be translated, and a task goes on in one that is translated all the same', {
  tag: '@all',
}, async ({ open }) => {
  const { task, request } = await askAna(app.server, 'translated')
  const page = await open(app.server, 'ana', task)
  const other = await open(app.server, 'ana', task)
  for (const one of [page, other]) await waitForLive(one)
  await expect(page.locator('html')).toHaveAttribute('translate', 'no')
  await expect(page.locator('meta[name=google]')).toHaveAttribute('content', 'notranslate')
  await translate(page)
  await expect(page.getByRole('log')).toContainText('≈')
  const ana = await openPerson(app.server, 'ana')
  const waiting = () => ana.requests().filter((row) => task.endsWith(row.request.task))
  await expect.poll(() => waiting().length).toBeGreaterThan(0)
  const asked = waiting()[0]
  if (asked === undefined) throw new Error(`no request waits at ${request}`)
  await fulfilRequest(ana, asked)
  // The agents go on until they ask again: to confirm what they write.
  await expect.poll(() => waiting().some((row) => row.request.kind === 'confirm')).toBe(true)
  ana.close()
  await expect(other.getByRole('log')).toContainText('Confirm')
  await expect(page.getByText('This section crashed')).toHaveCount(0)
  await expect(async () => expect(await words(page)).toEqual(await words(other))).toPass()
})
