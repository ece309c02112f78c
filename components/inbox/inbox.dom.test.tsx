/** The inbox: lines that open, filters kept as views, one act on several, hand-over, the four views. */
import { describe, expect, it } from 'vitest'
import { getPlace } from '@/client/nav'
import type { MeRow, MeTotals } from '@/lib/wire'
import { act, openPage, type PageServer, refused, saying, screen, setScreen, waitFor, within } from '@/test/dom'
import { INBOX_MESSAGES, INBOX_WAITING, NOTICES } from '@/test/gallery/fixtures/inbox'
import { ANA, BEN, fixtureWho, ME, NOW } from '@/test/gallery/fixtures/people'
import { TASK } from '@/test/gallery/fixtures/records'
import { QUESTIONS } from '@/test/gallery/fixtures/requests'
import { TASKS } from '@/test/gallery/fixtures/rows'
import { taskRows } from '@/test/gallery/fixtures/world'
import Inbox from '.'

const totals = (change: Partial<MeTotals> = {}): MeTotals => ({
  id: '$',
  sort: '',
  kind: 'totals',
  me: fixtureWho(ANA),
  needsMe: 5,
  urgentUnacknowledged: 1,
  byGroup: { still: 1, urgent: 2, action: 1, mention: 1, unread: 1 },
  waitingOnOthers: 1,
  notices: 0,
  rehearsal: false,
  language: 'en',
  ...change,
})

const question = (state: keyof typeof QUESTIONS, sort: string): MeRow => {
  const shown = QUESTIONS[state]
  return {
    ...shown,
    id: shown.request.id,
    sort,
    kind: 'request',
    group: 'still',
    stage: shown.stage ?? null,
    part: null,
  }
}
const FIRST = question('open, with choices', '0')
const SECOND = question('nobody stands still', '1')
const ROWS: MeRow[] = [totals(), FIRST, SECOND, ...Object.values(INBOX_MESSAGES), ...INBOX_WAITING, ...NOTICES]

const openInbox = (options: { rows?: MeRow[]; at?: string; prepare?: (server: PageServer) => void } = {}) =>
  openPage(<Inbox screen="inbox" params={{}} person={ME.person} />, {
    at: options.at ?? '/inbox',
    rows: { me: options.rows ?? ROWS, overview: TASKS, [`task:${TASK}`]: taskRows() },
    prepare: options.prepare,
  })

const row = (name: RegExp) => screen.getByRole('article', { name })
const oven = () => screen.queryByRole('article', { name: /oven is on fire/ })
const headings = () => screen.queryByRole('article', { name: /three headings/ })

describe('"Needs me"', () => {
  it('lists what needs the person in its groups, the first question open, the others one line', async () => {
    await openInbox()
    const groups = screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent ?? '')
    expect(groups.map((one) => one.split(' · ')[0])).toEqual([
      'Blocked on you',
      'Urgent',
      'Action required',
      'Mentions',
      'Unread',
    ])
    expect(within(row(/Which database/)).getByRole('textbox', { name: 'Your answer' })).toBeTruthy()
    expect(within(row(/Add the tax/)).queryByRole('textbox')).toBeNull()
  })

  it('[R138] opens a line by its button, and keeps the first one open', async () => {
    const { user } = await openInbox()
    await user.click(within(row(/Add the tax/)).getByRole('button', { name: 'Review' }))
    expect(within(row(/Add the tax/)).getByRole('textbox', { name: 'Your answer' })).toBeTruthy()
    expect(within(row(/Which database/)).getByRole('textbox', { name: 'Your answer' })).toBeTruthy()
  })

  it('[R138] opens and closes the focused row by its key', async () => {
    const { user } = await openInbox()
    act(() => row(/Which database/).focus())
    await user.keyboard('x')
    await waitFor(() => expect(within(row(/Which database/)).queryByRole('textbox')).toBeNull())
    expect(document.activeElement).toBe(row(/Which database/))
    await user.keyboard('x')
    await waitFor(() => expect(within(row(/Which database/)).getByRole('textbox')).toBeTruthy())
  })

  it('moves the focus to the next item when one is answered and leaves', async () => {
    const { user, server } = await openInbox()
    await user.type(within(row(/Which database/)).getByRole('textbox'), 'Postgres')
    await user.click(within(row(/Which database/)).getByRole('button', { name: 'Send answer' }))
    await waitFor(() => expect(server.calls.some(({ path }) => path.endsWith('/answer'))).toBe(true))
    act(() => server.change('me', FIRST.id, null))
    await waitFor(() => expect(screen.queryByRole('article', { name: /Which database/ })).toBeNull())
    await waitFor(() => expect(row(/Add the tax/).contains(document.activeElement)).toBe(true))
  })

  it('keeps a card with an unsent text when somebody else answers it', async () => {
    const { user, server } = await openInbox()
    await user.type(within(row(/Which database/)).getByRole('textbox'), 'Postg')
    act(() => server.change('me', FIRST.id, null))
    await waitFor(() =>
      expect(within(row(/Which database/)).getByRole<HTMLTextAreaElement>('textbox').value).toBe('Postg'),
    )
  })

  it('says that nobody waits, where nothing does', async () => {
    await openInbox({ rows: [totals({ needsMe: 0 })] })
    expect(await screen.findByRole('heading', { name: 'No one is waiting for you.' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Filter' })).toBeNull()
  })

  it('is busy until the rows have come', async () => {
    const { server } = await openPage(<Inbox screen="inbox" params={{}} person={ME.person} />)
    expect(screen.getByRole('tabpanel').getAttribute('aria-busy')).toBe('true')
    act(() => {
      server.show('me', [totals({ needsMe: 0 })])
      server.show('overview', [])
    })
    await waitFor(() => expect(screen.getByRole('tabpanel').getAttribute('aria-busy')).toBeNull())
  })

  it.each([
    { act: 'Acknowledge', of: /oven is on fire/, path: 'acknowledge' },
    { act: 'Mark as done', of: /three headings/, path: 'done' },
  ])('settles a message by "$act", which can be undone', async ({ act: name, of, path }) => {
    const { user, server } = await openInbox()
    await user.click(within(row(of)).getByRole('button', { name }))
    await waitFor(() => expect(server.calls.filter((call) => call.path.endsWith(`/${path}`))).toHaveLength(1))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.calls.filter((call) => call.path.endsWith('/undo'))).toHaveLength(1))
  })
})

describe('the filters of the inbox', () => {
  const choose = async (
    { user }: Awaited<ReturnType<typeof openInbox>>,
    filter: string,
    value: RegExp,
  ): Promise<void> => {
    await user.click(await screen.findByRole('combobox', { name: filter }))
    await user.click(await screen.findByRole('option', { name: value }))
  }

  it('[R139] leave what fits, stand in the address, and are cleared', async () => {
    const page = await openInbox()
    await page.user.click(screen.getByRole('button', { name: 'Filter' }))
    await choose(page, 'Type', /Action required/)
    await waitFor(() => expect(oven()).toBeNull())
    expect(headings()).toBeTruthy()
    expect(getPlace()?.search.get('kind')).toBe('action')
    await page.user.click(screen.getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(oven()).toBeTruthy())
  })

  it('of an address are open, and say so when they are closed', async () => {
    const { user } = await openInbox({ at: '/inbox?kind=action' })
    const filter = screen.getByRole('button', { name: 'Filter' })
    expect([filter.getAttribute('aria-expanded'), oven()]).toEqual(['true', null])
    await user.click(filter)
    expect(screen.queryByRole('combobox', { name: 'Type' })).toBeNull()
    expect(screen.getByText(saying('Filters are on.'))).toBeTruthy()
  })

  it('that nothing passes say so', async () => {
    await openInbox({ at: `/inbox?from=${BEN.id}&kind=part` })
    expect(await screen.findByText(saying('No matching items'))).toBeTruthy()
  })

  it('[R139] are saved as a view under a name, which leads back to them', async () => {
    const { user, server } = await openInbox({ at: '/inbox?kind=action' })
    await user.click(await screen.findByRole('button', { name: 'Save view…' }))
    await user.type(await screen.findByRole('textbox', { name: 'View name' }), 'Chores{Enter}')
    await waitFor(() =>
      expect(server.called('PUT', '/api/me/settings')).toEqual([
        { views: [expect.objectContaining({ name: 'Chores' })] },
      ]),
    )
    const views = await screen.findByRole('list', { name: 'Saved views' })
    expect(within(views).getByRole('link', { name: 'Chores' }).getAttribute('href')).toContain('kind=action')
    await user.click(within(views).getByRole('button', { name: 'Remove view Chores' }))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Saved views' })).toBeNull())
  })
})

describe('[R141] several items at once', () => {
  const select = async (page: Awaited<ReturnType<typeof openInbox>>): Promise<HTMLElement> => {
    await page.user.click(screen.getByRole('button', { name: 'Select' }))
    await page.user.click(await screen.findByRole('button', { name: 'Select all' }))
    return screen.getByRole('region', { name: 'Selected items' })
  }
  const paths = (server: PageServer, end: string): string[] =>
    server.calls.map(({ path }) => path).filter((path) => path.endsWith(end))

  it('are marked as done, each by its own command, and undone', async () => {
    const page = await openInbox()
    const bar = await select(page)
    expect(bar.textContent).toContain('7 selected')
    await page.user.click(within(bar).getByRole('button', { name: /^Mark \d as done/ }))
    expect(await within(bar).findByText(/items marked as done\./)).toBeTruthy()
    const done = paths(page.server, '/done')
    expect(new Set(done).size).toBe(done.length)
    await page.user.click(within(bar).getByRole('button', { name: 'Undo' }))
    expect(await within(bar).findByText('Undone.')).toBeTruthy()
    expect(paths(page.server, '/undo')).toHaveLength(done.length)
  })

  it('that are refused stop none of the others, say why, and stay selected', async () => {
    const urgent = INBOX_MESSAGES['Urgent, rings']
    const page = await openInbox({
      prepare: (server) =>
        server.answer(`POST /api/messages/${urgent?.id}/done`, refused('TASK_OVER', { task: 'Bakery' })),
    })
    const bar = await select(page)
    await page.user.click(within(bar).getByRole('button', { name: /^Mark \d as done/ }))
    expect(await within(bar).findByText("1 item couldn't be updated:")).toBeTruthy()
    expect(within(bar).getByRole('listitem').textContent).toContain('oven is on fire')
    const done = paths(page.server, '/done').length - 1
    expect(bar.textContent).toContain(`${done} items marked as done.`)
    expect(bar.textContent).toContain(`${7 - done} selected`)
  })

  it('get one answer, where all of them are questions', async () => {
    const page = await openInbox()
    await page.user.click(screen.getByRole('button', { name: 'Select' }))
    for (const box of await screen.findAllByRole('checkbox', { name: /^Select: (Which database|Add the tax)/ }))
      await page.user.click(box)
    const more = screen.queryByRole('button', { name: /^Answer 2/ })
    await page.user.click(more ?? screen.getByRole('button', { name: /more/i }))
    if (!more) await page.user.click(await screen.findByRole('menuitem', { name: /^Answer 2/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Same answer to several questions' })
    await page.user.type(within(dialog).getByRole('textbox', { name: 'Your answer' }), 'The second one.')
    await page.user.click(within(dialog).getByRole('button', { name: 'Send to 2 questions' }))
    await waitFor(() => expect(paths(page.server, '/answer')).toHaveLength(2))
    expect(
      new Set(page.server.calls.filter(({ path }) => path.endsWith('/answer')).map(({ body }) => body.text)),
    ).toEqual(new Set(['The second one.']))
  })

  it('are a menu on a phone', async () => {
    setScreen({ isNarrow: true })
    const page = await openInbox()
    const bar = await select(page)
    expect(within(bar).queryByRole('button', { name: /^Mark/ })).toBeNull()
    await page.user.click(within(bar).getByRole('button', { name: 'Actions' }))
    expect(await screen.findByRole('menuitem', { name: /^Mark \d as done/ })).toBeTruthy()
  })

  it('end with the selection, and hide what nothing fits', async () => {
    const page = await openInbox()
    const bar = await select(page)
    await page.user.click(within(bar).getByRole('button', { name: 'Select none' }))
    expect(bar.textContent).toContain('Nothing selected')
    await page.user.click(within(bar).getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})

describe('[R140] a snoozed item', () => {
  const snoozed: MeRow[] = ROWS.map((one) =>
    one.kind === 'request' && one.id === FIRST.id
      ? { ...one, request: { ...one.request, snoozed: { [ANA.id]: NOW + 900_000 } } }
      : one,
  )

  it('stays in its group with its time, is listed by itself, and is brought back', async () => {
    const { user, server } = await openInbox({ rows: snoozed })
    expect(await screen.findByText(/Reminds you at/)).toBeTruthy()
    await user.click(screen.getByRole('link', { name: 'Reminders · 1' }))
    await waitFor(() => expect(oven()).toBeNull())
    expect(row(/Which database/)).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Bring back now' }))
    await waitFor(() =>
      expect(server.called('POST', '/api/reminders')).toEqual([expect.objectContaining({ minutes: 0 })]),
    )
  })
})

describe('handing over', () => {
  it('gives all items to a person with a note, without those that were taken out', async () => {
    const { user, server } = await openInbox()
    await user.click(screen.getByRole('button', { name: 'Hand over…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Hand over your items' }))
    expect(dialog.getByRole('button', { name: /^Hand over/ }).getAttribute('aria-disabled')).toBe('true')
    await user.click(dialog.getByRole('combobox', { name: 'To' }))
    await user.click(await screen.findByRole('option', { name: 'Ben' }))
    await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'I leave at noon.')
    await user.click(dialog.getByRole('checkbox', { name: /Which database/ }))
    await user.click(dialog.getByRole('button', { name: /^Hand over/ }))
    await waitFor(() => expect(server.called('POST', '/api/hand_overs')).toHaveLength(1))
    const [given] = server.called('POST', '/api/hand_overs')
    expect(given).toMatchObject({ to: BEN.id, requests: [SECOND.id], sentence: 'I leave at noon.' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('the other views', () => {
  it.each([
    { view: 'waiting', shows: /list of photos/ },
    { view: 'fyi', shows: /Build the price page is finished|prices changed/ },
  ])('$view shows what belongs there', async ({ view, shows }) => {
    await openInbox({ at: `/inbox?view=${view}` })
    expect((await screen.findAllByText(saying(shows))).length).toBeGreaterThan(0)
    expect(oven()).toBeNull()
  })
})
