/** The composer: to whom, of which type and how a message is sent, and that nothing typed is lost. */
import { describe, expect, it } from 'vitest'
import { useOutbox } from '@/client/outbox'
import { setDisplay } from '@/client/theme'
import type { TaskId } from '@/lib/mas/ids'
import type { TaskRecord } from '@/lib/mas/records'
import type { Me } from '@/lib/wire'
import { act, fillStorage, openPage, type PageServer, refused, saying, screen, waitFor, within } from '@/test/dom'
import { BEN, CODER, GALLERY_LEE, ME } from '@/test/gallery/fixtures/people'
import { requestId, TASK } from '@/test/gallery/fixtures/records'
import { taskRows, taskWorld } from '@/test/gallery/fixtures/world'
import { usePendingMessages } from '../message/PendingMessage'
import type { TaskWorld } from '../useTaskWorld'
import { Composer } from './Composer'
import { ComposerOrReason } from './ComposerOrReason'

function Writing({ task }: { task: TaskWorld }) {
  const id = task.id as TaskId
  const { pending, ...composer } = usePendingMessages(useOutbox(id), `task:${id}`, () => task)
  return (
    <>
      {pending}
      <ComposerOrReason task={task}>
        <Composer task={task} {...composer} />
      </ComposerOrReason>
    </>
  )
}

async function write(change: Partial<TaskRecord> = {}, prepare?: (server: PageServer) => void, me: Me = ME) {
  const task = taskWorld(change)
  const page = await openPage(<Writing task={task} />, {
    rows: { [`task:${TASK}`]: taskRows(change) },
    prepare,
    me,
  })
  return { ...page, sent: () => page.server.called('POST', '/api/messages') }
}

const box = () => screen.getByLabelText<HTMLTextAreaElement>('Message')
const pending = () => screen.queryAllByRole('article', { name: /^Your message/ })

describe('the composer', () => {
  it('sends to everyone as FYI about the stage that runs, and is empty and ready afterwards', async () => {
    const { user, sent } = await write()
    await user.type(box(), 'Use the staging copy.{Enter}')
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({
      task: TASK,
      receivers: 'all',
      text: 'Use the staging copy.',
      type: 'fyi',
      stage: 'gallery-stage-3',
      answers: null,
      mention: false,
    })
    expect([box().value, document.activeElement]).toEqual(['', box()])
  })

  it('addresses who was picked after "@", and forgets them after the send', async () => {
    const { user, sent } = await write()
    await user.type(box(), 'Hello @be')
    expect(await screen.findByRole('option', { name: /Ben/, selected: true })).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(box().value).toBe('Hello ')
    expect(screen.getByRole('button', { name: 'Remove Ben' })).toBeTruthy()
    await user.type(box(), '{Enter}')
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({ receivers: [BEN.id], mention: true })
    expect(screen.queryByRole('button', { name: 'Remove Ben' })).toBeNull()
  })

  it('[R800] shows how a text with marks will look while it is written, and nothing of one without', async () => {
    const { user } = await write()
    await user.type(box(), '2*3*4 is not 42')
    expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
    await user.clear(box())
    await user.type(box(), 'no delivery **before Friday**')
    const preview = await screen.findByRole('region', { name: 'Preview' })
    await waitFor(() => expect(within(preview).getByText('before Friday').tagName).toBe('STRONG'))
    await user.type(box(), '{Enter}')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull())
  })

  it('moves in the list by arrows, closes it by Escape, and takes the last receiver back by Backspace', async () => {
    const { user } = await write()
    await user.type(box(), '@')
    const first = await screen.findByRole('option', { name: /Ben/, selected: true })
    await user.keyboard('{ArrowDown}')
    expect(first.getAttribute('aria-selected')).toBe('false')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(box().value).toBe('@')
    await user.keyboard('{Backspace}@ben{Tab}')
    expect(screen.getByRole('button', { name: 'Remove Ben' })).toBeTruthy()
    await user.keyboard('{Backspace}')
    expect(screen.queryByRole('button', { name: 'Remove Ben' })).toBeNull()
  })

  it('sends to a group by role: all of its members in the task', async () => {
    const { user, sent } = await write()
    await user.type(box(), '@designers{Enter}Look at this.{Enter}')
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]?.receivers).toEqual([BEN.id, GALLERY_LEE.id])
  })

  it('saves the chosen receivers as a group, under a name', async () => {
    const { user, server } = await write()
    await user.type(box(), '@ben{Enter}@coder{Enter}@')
    await user.click(await screen.findByRole('option', { name: 'Save these as a group' }))
    await user.type(await screen.findByRole('textbox', { name: 'Group name' }), 'Night shift')
    await user.click(screen.getByRole('button', { name: 'Save group' }))
    await waitFor(() => expect(server.called('PUT', '/api/me/settings')).toHaveLength(1))
    expect(server.called('PUT', '/api/me/settings')[0]).toEqual({
      groups: [{ name: 'Night shift', members: [BEN.id, CODER.id] }],
    })
  })

  it('sends to a group of its own by the name', async () => {
    const groups = [{ name: 'Window team', members: [BEN.id, CODER.id] }]
    const { user, sent } = await write({}, undefined, { ...ME, settings: { groups } })
    await user.type(box(), '@win')
    expect(await screen.findByRole('option', { name: /Window team · 2/, selected: true })).toBeTruthy()
    await user.keyboard('{Enter}The window is next.{Enter}')
    await waitFor(() => expect(sent()).toEqual([expect.objectContaining({ receivers: [BEN.id, CODER.id] })]))
  })

  it.each([
    { way: 'the menu', type: 'urgent', label: 'Urgent' },
    { way: 'a word', type: 'action', label: 'Action required' },
  ])('takes its type from $way', async ({ way, type, label }) => {
    const { user, sent } = await write()
    if (way === 'the menu') {
      await user.click(screen.getByRole('button', { name: /^Message type/ }))
      await user.click(await screen.findByRole('menuitemradio', { name: label }))
    } else await user.type(box(), '/action ')
    await user.type(box(), 'The oven.{Enter}')
    await waitFor(() => expect(sent()).toEqual([expect.objectContaining({ type, text: 'The oven.' })]))
  })

  it('sends by Ctrl+Enter alone where its writer wants that', async () => {
    const { user, sent } = await write()
    act(() => setDisplay({ send: 'mod-enter' }))
    await user.type(box(), 'one{Enter}two')
    expect(sent()).toEqual([])
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(sent()).toEqual([expect.objectContaining({ text: 'one\ntwo' })]))
  })

  it('makes a new line by Shift+Enter, and sends nothing while a word is composed', async () => {
    const { user, sent } = await write()
    await user.type(box(), 'one{Shift>}{Enter}{/Shift}two')
    expect(box().value).toBe('one\ntwo')
    box().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))
    expect(sent()).toEqual([])
  })

  it('says who will read it, and why it cannot be sent yet', async () => {
    await write()
    expect(screen.getAllByText(/Everyone in this task can read this · \d agents will see this/).length).toBeGreaterThan(
      0,
    )
    const send = screen.getByRole('button', { name: 'Send' })
    expect([send.getAttribute('aria-disabled'), send.title]).toEqual(['true', 'Write a message first.'])
  })

  it('answers the request of whoever it is addressed to, unless its writer says no', async () => {
    const { user, sent } = await write()
    await user.type(box(), '@coder{Enter}')
    expect(screen.getByText('Answers request 12 from Coder')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send as a plain message' }))
    expect(screen.getByText(saying('Coder keeps waiting.'))).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Answer the request instead' }))
    await user.type(box(), 'Postgres{Enter}')
    await waitFor(() =>
      expect(sent()).toEqual([expect.objectContaining({ answers: requestId('question'), receivers: [CODER.id] })]),
    )
  })

  it('names a receiver who has left the task, and sends only without them', async () => {
    const { user, sent, rerender } = await write()
    await user.type(box(), '@ben{Enter}Hello')
    rerender(<Writing task={taskWorld({ group: [ME.person.agent_id as typeof BEN.id, CODER.id] })} />)
    expect(screen.getByRole('button', { name: 'Send' }).title).toContain('no longer in this task')
    await user.type(box(), '{Enter}')
    expect([sent(), box().value]).toEqual([[], 'Hello'])
  })

  it('keeps the text when this browser cannot store the message', async () => {
    const { user, sent } = await write()
    await user.type(box(), 'Hello')
    fillStorage()
    await user.keyboard('{Enter}')
    expect(await screen.findByText(/Your text is still here/)).toBeTruthy()
    expect([sent(), box().value]).toEqual([[], 'Hello'])
  })
})

describe('a message that is not sent yet', () => {
  it('waits while the server is away, can be taken back, and is sent once when it is there', async () => {
    const { user, sent, server } = await write()
    act(() => server.setUp(false))
    await user.type(box(), 'First{Enter}Second{Enter}')
    await waitFor(() => expect(pending()).toHaveLength(2))
    expect(pending()[0]?.textContent).toContain('Waiting for connection')
    await user.click(within(pending()[1] as HTMLElement).getByRole('button', { name: 'Cancel' }))
    expect([pending().length, box().value]).toEqual([1, 'Second'])
    act(() => server.setUp(true))
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]?.text).toBe('First')
  })

  it('that was refused says why, and is edited with its receivers', async () => {
    const { user, sent } = await write({}, (server) =>
      server.answer('POST /api/messages', refused('NOT_A_MEMBER', { name: 'Ben', task: 'Build' })),
    )
    await user.type(box(), '@ben{Enter}Hello{Enter}')
    await waitFor(() => expect(pending()[0]?.textContent).toContain('Not sent: '))
    expect(sent()).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    expect([pending().length, box().value]).toEqual([0, 'Hello'])
    expect(screen.getByRole('button', { name: 'Remove Ben' })).toBeTruthy()
  })

  it('comes back into an empty box by the arrow up', async () => {
    const { user, server } = await write()
    act(() => server.setUp(false))
    await user.type(box(), 'Frist{Enter}{ArrowUp}')
    expect([pending().length, box().value]).toEqual([0, 'Frist'])
  })
})

describe('a task where nothing can be written', () => {
  it.each([
    { why: 'finished', change: { state: 'finished' }, says: 'This task is finished and read-only.' },
    { why: 'of others', change: { group: [BEN.id] }, says: "You're not a member of this task" },
  ] as const)('that is $why says so, with the draft that was begun', async ({ change, says }) => {
    const { user, rerender } = await write()
    await user.type(box(), 'Begun')
    rerender(<Writing task={taskWorld(change as Partial<TaskRecord>)} />)
    expect(screen.getByText(saying(says))).toBeTruthy()
    expect(screen.queryByLabelText('Message')).toBeNull()
    expect(await screen.findByText(saying('Begun'))).toBeTruthy()
  })
})

describe('a draft', () => {
  it('of another device is offered beside the text of this one', async () => {
    const place = `/api/drafts/${encodeURIComponent(`task:${TASK}`)}`
    const { user } = await write({}, (server) => {
      server.answer(`PUT ${place}` as `PUT /${string}`, { text: 'From the phone', version: 7, other: null })
    })
    await user.type(box(), 'From the desk')
    await user.click(await screen.findByRole('button', { name: 'Restore other draft' }))
    expect(box().value).toBe('From the phone')
  })

  it('is there again after the page was left', async () => {
    const { user, rerender } = await write()
    await user.type(box(), 'Half a sentence')
    rerender(<p>Elsewhere</p>)
    expect(screen.queryByLabelText('Message')).toBeNull()
    rerender(<Writing task={taskWorld()} />)
    expect(box().value).toBe('Half a sentence')
  })
})
