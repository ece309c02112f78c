/** What can be done with a message and its task: the menu, the receipts, the filter of the conversation. */
import { describe, expect, it, vi } from 'vitest'
import { TaskButtons } from '@/components/chat/task/TaskButtons'
import type { TaskRecord } from '@/lib/mas/records'
import { openPage, saying, screen, waitFor, within } from '@/test/dom'
import { ME } from '@/test/gallery/fixtures/people'
import { TASK } from '@/test/gallery/fixtures/records'
import { bubbleOf, CHAT, taskRows, taskWorld } from '@/test/gallery/fixtures/world'
import { type ConversationActions, ConversationActionsProvider } from '../conversationActions'
import type { Bubble } from '../fns/lines'
import { useChatFilter } from '../useChatFilter'
import { Deliveries } from './Deliveries'
import { MessageMenu } from './MessageMenu'

const acts = {
  copyLink: vi.fn(),
  copyMarkdown: vi.fn(),
  unreadFrom: vi.fn(),
  toggle: vi.fn(),
  selected: null,
  isTaskNamed: false,
}
const MINE = bubbleOf('urgent-mine')

const openMessage = (change: Partial<ConversationActions> = {}, isRequest = false, bubble = MINE) =>
  openPage(
    <ConversationActionsProvider value={{ ...acts, ...change }}>
      <MessageMenu bubble={bubble} isRequest={isRequest} />
      <Deliveries bubble={bubble} task={CHAT} />
    </ConversationActionsProvider>,
    { at: `/tasks/${TASK}`, rows: { [`task:${TASK}`]: taskRows() } },
  )

describe('the menu of a message', () => {
  it.each([
    { entry: /^Copy link/, calls: acts.copyLink, with: MINE },
    { entry: /^Copy as Markdown/, calls: acts.copyMarkdown, with: [MINE] },
    { entry: /^Select/, calls: acts.toggle, with: MINE },
    { entry: /^Mark unread from here/, calls: acts.unreadFrom, with: MINE },
  ])('does what its entry $entry says', async ({ entry, calls, with: given }) => {
    const { user } = await openMessage()
    await user.click(screen.getByRole('button', { name: 'Message actions' }))
    await user.click(await screen.findByRole('menuitem', { name: entry }))
    expect(calls.mock.calls).toEqual([[given]])
  })

  it('asks again what was asked of the base task, and nothing else', async () => {
    const { user, unmount } = await openMessage({}, true)
    await user.click(screen.getByRole('button', { name: 'Message actions' }))
    expect((await screen.findAllByRole('menuitem')).map((one) => one.getAttribute('href')).join()).toContain(MINE.id)
    unmount()
    const other = await openMessage()
    await other.user.click(screen.getByRole('button', { name: 'Message actions' }))
    expect(await screen.findAllByRole('menuitem')).toHaveLength(5)
  })

  it('is a check box while messages are selected', async () => {
    const { user } = await openMessage({ selected: new Set([MINE.key]) })
    const box = screen.getByRole('checkbox', { name: 'Select' })
    expect((box as HTMLInputElement).checked || box.getAttribute('aria-checked') === 'true').toBe(true)
    await user.click(box)
    expect(acts.toggle.mock.calls).toEqual([[MINE]])
  })
})

describe('the receipts of a message', () => {
  it('say how many settled it, and open with each receiver, who are reminded together', async () => {
    const asked = bubbleOf('action-mine')
    const { user, server } = await openMessage({}, false, asked)
    await user.click(screen.getByRole('button', { name: 'Receipts: 1 of 2 done' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Receipts' }))
    expect((await dialog.findByRole('row', { name: /Ben/ })).textContent).toContain('done')
    expect(dialog.getByRole('row', { name: /李雷/ }).textContent).not.toContain('done')
    await user.click(dialog.getByRole('button', { name: 'Remind the rest' }))
    await waitFor(() => expect(server.called('POST', `/api/messages/${asked.id}/remind`)).toHaveLength(1))
  })
})

describe('the buttons of a task', () => {
  const openTask = (change: Partial<TaskRecord> = {}, access: 'operator' | 'participant' = 'operator') => {
    const world = { ...taskWorld(change), isOperator: access === 'operator' }
    return openPage(<TaskButtons world={world} details={[{ label: 'Copy link', onSelect: acts.copyLink }]} />, {
      at: `/tasks/${TASK}`,
      me: { ...ME, person: { ...ME.person, access } },
      rows: { [`task:${TASK}`]: taskRows(change) },
    })
  }
  const menu = async ({ user }: Awaited<ReturnType<typeof openTask>>): Promise<string[]> => {
    await user.click(screen.getByRole('button', { name: 'Task actions' }))
    return (await screen.findAllByRole('menuitem')).map((one) => one.textContent ?? '')
  }

  it('pause it with a reason, and the act stands in the address', async () => {
    const page = await openTask()
    await page.user.click(screen.getByRole('button', { name: 'Pause' }))
    expect(window.location.search).toBe('?act=pauseTask')
    const dialog = within(await screen.findByRole('alertdialog'))
    await page.user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'The list is wrong.')
    await page.user.click(dialog.getByRole('button', { name: /^Pause/ }))
    await waitFor(() =>
      expect(
        page.server.calls.some(({ path, body }) => path.includes('pause') && body.reason === 'The list is wrong.'),
      ).toBe(true),
    )
    await waitFor(() => expect(window.location.search).toBe(''))
  })

  it('resume it at once', async () => {
    const page = await openTask({ paused: { by: ME.person.agent_id as never, reason: 'x', at: 1 } })
    await page.user.click(screen.getByRole('button', { name: 'Resume' }))
    await waitFor(() =>
      expect(page.server.calls.some(({ method, path }) => method === 'POST' && path.includes('resume'))).toBe(true),
    )
  })

  it('are acts for operators, and for others what everybody may', async () => {
    expect((await menu(await openTask())).length).toBeGreaterThan(5)
  })

  it('leave a participant the details, and the name of what they asked for', async () => {
    expect(await menu(await openTask({}, 'participant'))).toEqual(['Rename…', 'Copy link'])
  })
})

function Filtered({ entries }: { entries: readonly Bubble[] }) {
  const { box, button, fitting, empty } = useChatFilter(entries, CHAT)
  return (
    <>
      {button}
      {box}
      {fitting?.length === 0 ? empty : (fitting ?? entries).map(({ key }) => <p key={key}>{key}</p>)}
    </>
  )
}

describe('the filter of a conversation', () => {
  const ENTRIES = ['fyi-to-me', 'zh', 'reply'].map(bubbleOf)
  const shown = (): number => document.querySelectorAll('p').length
  const filter = () => screen.findByRole('searchbox', { name: /filter/i })

  it('opens by its button or by "/", takes the focus, and leaves what has the words, in the address too', async () => {
    const { user } = await openPage(<Filtered entries={ENTRIES} />, { at: `/tasks/${TASK}` })
    await user.keyboard('/')
    const box = await filter()
    await waitFor(() => expect(document.activeElement).toBe(box))
    await user.type(box, '螺栓')
    await waitFor(() => expect(screen.getByText(bubbleOf('zh').key)).toBeTruthy())
    expect([screen.queryByText(bubbleOf('reply').key), screen.getByRole('status').textContent]).toEqual([
      null,
      expect.stringContaining('1'),
    ])
    await waitFor(() => expect(new URLSearchParams(window.location.search).get('q')).toBe('螺栓'))
  })

  it('finds by the names of who wrote it', async () => {
    await openPage(<Filtered entries={ENTRIES} />, { at: `/tasks/${TASK}?q=ben` })
    await waitFor(() => expect(screen.queryByText(bubbleOf('fyi-to-me').key)).toBeNull())
    expect(screen.getByText(bubbleOf('reply').key)).toBeTruthy()
  })

  it('says when nothing fits, and ends by Escape with everything shown again', async () => {
    const { user } = await openPage(<Filtered entries={ENTRIES} />, { at: `/tasks/${TASK}?q=nothing-like-it` })
    expect(await screen.findByRole('heading', { name: 'No matching messages' })).toBeTruthy()
    await user.type(await filter(), '{Escape}')
    await waitFor(() => expect(screen.queryByRole('searchbox')).toBeNull())
    expect(shown()).toBeGreaterThanOrEqual(ENTRIES.length)
    expect(screen.queryByText(saying('No matching messages'))).toBeNull()
  })
})
