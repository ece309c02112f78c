/** An Urgent in the page: the dialog over everything, the red bar it folds to, and what keeps both away. */
import { describe, expect, it } from 'vitest'
import { AttentionLayer } from '@/components/notify/AttentionLayer'
import { Menu } from '@/components/ui/overlays/Menu'
import type { AgentId } from '@/lib/mas/ids'
import type { DndSettings, MeRow } from '@/lib/wire'
import { act, fireEvent, openPage, type PageServer, saying, screen, waitFor, within } from '@/test/dom'
import { INBOX_MESSAGES } from '@/test/gallery/fixtures/inbox'
import { ANA, ME, NOW } from '@/test/gallery/fixtures/people'
import { QUESTIONS } from '@/test/gallery/fixtures/requests'
import { MessageItem } from '../MessageItem'

const URGENT = INBOX_MESSAGES['Urgent, rings'] as MeRow & { kind: 'message' }
const SHOWN = QUESTIONS['open, with choices']
const QUESTION: MeRow = {
  ...SHOWN,
  id: SHOWN.request.id,
  sort: '0',
  kind: 'request',
  group: 'urgent',
  stage: null,
  part: null,
}

type Options = {
  rows?: MeRow[]
  rest?: Partial<DndSettings>
  beside?: React.ReactNode
  prepare?: (server: PageServer) => void
}

const openUrgent = ({ rows = [URGENT], rest, beside, prepare }: Options = {}) =>
  openPage(
    <>
      {beside}
      <AttentionLayer member={ME.person.agent_id} isSettled />
    </>,
    {
      at: '/tasks',
      rows: { me: rows },
      me: rest
        ? {
            ...ME,
            settings: {
              rest: { isOn: true, until: null, daily: null, urgentBreaksThrough: false, ...rest } as DndSettings,
            },
          }
        : ME,
      prepare,
    },
  )

const dialog = (who = 'Ben') => screen.findByRole('alertdialog', { name: `Urgent from ${who}` })
const bar = () => screen.findByRole('region', { name: 'Urgent, not acknowledged' })
/** Buttons of the dialog count half a second after it came. */
const pressUntil = (user: Awaited<ReturnType<typeof openUrgent>>['user'], name: string, isDone: () => boolean) =>
  waitFor(async () => {
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }))
    expect(isDone()).toBe(true)
  })
const hasCalled = (server: PageServer, end: string) => () => server.calls.some(({ path }) => path.endsWith(end))

describe('an Urgent', () => {
  it('comes over any page, is read out, and takes the focus', async () => {
    await openUrgent()
    const shown = await dialog()
    expect(shown.textContent).toContain('The oven is on fire.')
    await waitFor(() => expect(shown.contains(document.activeElement)).toBe(true))
  })

  it('folds to a red bar by Escape and by "Not now", and comes back by "Show"', async () => {
    const { user } = await openUrgent()
    await dialog()
    await user.keyboard('{Escape}')
    expect((await bar()).textContent).toContain('Ben · The oven is on fire.')
    await user.click(within(await bar()).getByRole('button', { name: 'Show' }))
    await user.click(within(await dialog()).getByRole('button', { name: 'Not now' }))
    expect(await bar()).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('stays folded after the page was loaded again in this tab', async () => {
    const first = await openUrgent()
    await dialog()
    await first.user.keyboard('{Escape}')
    await bar()
    first.unmount()
    await openUrgent()
    expect(await bar()).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('is answered in its dialog, which keeps the text over a fold', async () => {
    const { user, server } = await openUrgent()
    await user.type(within(await dialog()).getByRole('textbox', { name: 'Your answer' }), 'The one in the north')
    await user.keyboard('{Escape}')
    await user.click(within(await bar()).getByRole('button', { name: 'Show' }))
    const box = within(await dialog()).getByRole<HTMLTextAreaElement>('textbox', { name: 'Your answer' })
    expect(box.value).toBe('The one in the north')
    await pressUntil(user, 'Answer', hasCalled(server, '/api/messages'))
    await waitFor(() =>
      expect(server.called('POST', '/api/messages')).toEqual([
        expect.objectContaining({
          text: 'The one in the north',
          receivers: [URGENT.message.sender],
          replyTo: URGENT.message.id,
        }),
      ]),
    )
  })

  it('is acknowledged, after which nothing of it is left', async () => {
    const { user, server } = await openUrgent()
    await pressUntil(user, 'Acknowledge', hasCalled(server, '/acknowledge'))
    await waitFor(() => expect(server.called('POST', `/api/messages/${URGENT.message.id}/acknowledge`)).toHaveLength(1))
    act(() => server.change('me', URGENT.id, INBOX_MESSAGES['Urgent, acknowledged'] as MeRow))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(screen.queryByRole('region', { name: 'Urgent, not acknowledged' })).toBeNull()
  })

  it('takes no press in its first half second', async () => {
    const { user, server } = await openUrgent()
    await dialog()
    await user.keyboard('{Escape}')
    const show = within(await bar()).getByRole('button', { name: 'Show' })
    fireEvent.click(show)
    // Its file is here by now: it is drawn by the press.
    const acknowledge = document.querySelector('[role=alertdialog] [data-act=acknowledge]')
    if (acknowledge === null) throw new Error('the dialog is not drawn by the press')
    fireEvent.click(acknowledge)
    await dialog()
    expect(hasCalled(server, '/acknowledge')()).toBe(false)
  })

  it('[R425] that is snoozed leaves the page until its time, or until its reader presses Show', async () => {
    const { user, server } = await openUrgent()
    await user.click(within(await dialog()).getByRole('button', { name: 'Remind me in…' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Remind me in 15 minutes' }))
    await waitFor(() =>
      expect(server.called('POST', '/api/reminders')).toEqual([
        expect.objectContaining({ message: URGENT.message.id, minutes: 15 }),
      ]),
    )
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await user.click(within(await bar()).getByRole('button', { name: 'Show' }))
    const box = within(await dialog()).getByRole<HTMLTextAreaElement>('textbox', { name: 'Your answer' })
    await user.type(box, 'Who left it open?')
    // Another one has the page look again at what is shown.
    act(() => server.change('me', QUESTION.id, QUESTION))
    await waitFor(async () => expect((await dialog()).textContent).toMatch(/\d of 2/))
    expect(within(await dialog()).getByRole<HTMLTextAreaElement>('textbox').value).toBe('Who left it open?')
  })

  it('[R222] that comes over an open menu waits in the bar until the menu is closed', async () => {
    const { user, server } = await openUrgent({
      rows: [],
      beside: <Menu label="More" entries={[{ label: 'Pause', onSelect: () => undefined }]} />,
    })
    await user.click(screen.getByRole('button', { name: 'More' }))
    await screen.findByRole('menu')
    act(() => server.change('me', URGENT.id, URGENT))
    expect(await bar()).toBeTruthy()
    expect([screen.queryByRole('alertdialog'), screen.queryByRole('menu') === null]).toEqual([null, false])
    await user.keyboard('{Escape}')
    expect(await dialog()).toBeTruthy()
  })

  it('among several says which of them it is, and the bar counts them', async () => {
    const { user } = await openUrgent({ rows: [QUESTION, URGENT] })
    const shown = await screen.findByRole('alertdialog', { name: /^Urgent from/ })
    expect(shown.textContent).toContain('1 of 2')
    await user.keyboard('{Escape}')
    expect(within(await bar()).getByText('2')).toBeTruthy()
  })

  it('of an agent is a question with its options, answered in the dialog', async () => {
    const { user, server } = await openUrgent({ rows: [QUESTION] })
    await dialog('Coder')
    await user.click(within(await dialog('Coder')).getByRole('radio', { name: 'Postgres' }))
    await pressUntil(user, 'Send answer', hasCalled(server, '/answer'))
  })
})

describe('what keeps the dialog away', () => {
  it('[R425] do not disturb leaves the bar, whose "Show" opens it', async () => {
    const { user } = await openUrgent({ rest: {} })
    expect(await bar()).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await user.click(within(await bar()).getByRole('button', { name: 'Show' }))
    expect((await dialog()).textContent).toContain('The oven is on fire.')
  })

  it('an Urgent breaks through where its reader allows it', async () => {
    await openUrgent({ rest: { urgentBreaksThrough: true } })
    expect(await dialog()).toBeTruthy()
  })

  it('one that was acknowledged does not come', async () => {
    await openUrgent({ rows: [INBOX_MESSAGES['Urgent, acknowledged'] as MeRow, URGENT] })
    expect((await dialog()).textContent).not.toContain('1 of 2')
  })

  it('one that is snoozed does not come, and its bar neither', async () => {
    const { request } = URGENT.outcome
    if (request === null) throw new Error('an Urgent asks something')
    const outcome = { ...URGENT.outcome, request: { ...request, snoozed: { [ANA.id as AgentId]: NOW + 900_000 } } }
    const { server } = await openUrgent({ rows: [{ ...URGENT, outcome }] })
    act(() =>
      server.change('me', URGENT.id, {
        ...URGENT,
        id: 'other',
        message: { ...URGENT.message, id: 'other' as typeof URGENT.message.id, text: 'And the door jams.' },
      }),
    )
    expect((await dialog()).textContent).toContain('And the door jams.')
    expect(screen.queryByText(saying('The oven is on fire.'))).toBeNull()
  })
})

it('the row of an Urgent whose answer was begun has the answer too', async () => {
  const { user } = await openUrgent({ beside: <MessageItem row={URGENT} /> })
  await user.type(within(await dialog()).getByRole('textbox', { name: 'Your answer' }), 'Half')
  await user.keyboard('{Escape}')
  await bar()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your answer' }).value).toBe('Half')
})
