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
  byGroup: { urgent: 2, still: 2, part: 0, action: 1, mention: 1, unread: 1 },
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

const row = (name: RegExp) => screen.getByRole('link', { name })
const noRow = (name: RegExp) => screen.queryByRole('link', { name })
const item = (name: RegExp) => screen.getByRole('article', { name })
const oven = () => noRow(/oven is on fire/)
const headings = () => noRow(/three headings/)
const openItem = async (name: RegExp, { user }: Pick<Awaited<ReturnType<typeof openInbox>>, 'user'>) => {
  await user.click(row(name))
  return screen.findByRole('article', { name })
}

describe('"Needs me"', () => {
  it('lists what needs the person in its groups, urgent first, and the first of them is open beside the list', async () => {
    await openInbox()
    const groups = screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent ?? '')
    expect(groups.map((one) => one.split(' · ')[0])).toEqual([
      'Urgent',
      'Blocked on you',
      'Action required',
      'Mentions',
      'Unread',
    ])
    expect(screen.getAllByRole('article')).toEqual([item(/staging copy/)])
    expect(row(/staging copy/).getAttribute('aria-current')).toBe('true')
  })

  it('[R138] opens the item of a row, and keeps it when another row comes', async () => {
    const page = await openInbox()
    await openItem(/Add the tax/, page)
    expect(screen.getAllByRole('article')).toEqual([item(/Add the tax/)])
    expect(document.activeElement).toBe(item(/Add the tax/))
    expect(getPlace()?.search.get('item')).toBe(SECOND.id)
    const urgent = INBOX_MESSAGES['Urgent, rings'] as MeRow & { kind: 'message' }
    const message = { ...urgent.message, id: 'fresh' as typeof urgent.message.id, text: 'The door jams.' }
    act(() => page.server.change('me', 'fresh', { ...urgent, id: 'fresh', sort: '', message }))
    expect(await screen.findByRole('link', { name: /door jams/ })).toBeTruthy()
    expect(screen.getAllByRole('article')).toEqual([item(/Add the tax/)])
  })

  it('[R138] opens an item in its place where there is no room beside the list, and closes it by its key', async () => {
    setScreen({ isNarrow: true })
    const page = await openInbox()
    await openItem(/Which database/, page)
    expect(noRow(/Which database/)).toBeNull()
    await page.user.keyboard('x')
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    act(() => row(/Which database/).focus())
    await page.user.keyboard('x')
    expect(await screen.findByRole('article', { name: /Which database/ })).toBeTruthy()
  })

  it('comes before the hints for newcomers', async () => {
    await openInbox({ rows: [...ROWS.filter(({ kind }) => kind !== 'totals'), totals({ rehearsal: true })] })
    const hints = await screen.findByRole('region', { name: 'Get started' })
    const order = row(/three headings/).compareDocumentPosition(hints)
    expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('moves along the rows by keys, and the open item follows', async () => {
    const { user } = await openInbox()
    act(() => item(/staging copy/).focus())
    await user.keyboard('jj')
    expect(screen.getAllByRole('article')).toEqual([item(/Which database/)])
    expect(document.activeElement).toBe(row(/Which database/))
    await user.keyboard('k')
    expect(screen.getAllByRole('article')).toEqual([item(/oven is on fire/)])
  })

  it('moves the focus to the next item when one is answered and leaves', async () => {
    const page = await openInbox()
    const card = await openItem(/Which database/, page)
    await page.user.type(within(card).getByRole('textbox'), 'Postgres')
    await page.user.click(within(card).getByRole('button', { name: 'Send answer' }))
    await waitFor(() => expect(page.server.calls.some(({ path }) => path.endsWith('/answer'))).toBe(true))
    act(() => page.server.change('me', FIRST.id, null))
    await waitFor(() => expect(screen.queryByRole('article', { name: /Which database/ })).toBeNull())
    await waitFor(() => expect(item(/Add the tax/).contains(document.activeElement)).toBe(true))
  })

  it('keeps the focus when the last item leaves and when the next one comes', async () => {
    const page = await openInbox({ rows: [FIRST, totals()] })
    act(() => item(/Which database/).focus())
    act(() => page.server.change('me', FIRST.id, null))
    const panel = screen.getByRole('tabpanel')
    await waitFor(() => expect(document.activeElement).toBe(panel))
    act(() => page.server.change('me', FIRST.id, FIRST))
    expect([await screen.findByRole('article', { name: /Which database/ }), document.activeElement]).toEqual([
      item(/Which database/),
      panel,
    ])
  })

  it('keeps a card with an unsent text when somebody else answers it', async () => {
    const page = await openInbox()
    await page.user.type(within(await openItem(/Which database/, page)).getByRole('textbox'), 'Postg')
    act(() => page.server.change('me', FIRST.id, null))
    await waitFor(() =>
      expect(within(item(/Which database/)).getByRole<HTMLTextAreaElement>('textbox').value).toBe('Postg'),
    )
  })

  it('says that nobody waits, where nothing does', async () => {
    await openInbox({ rows: [totals({ needsMe: 0 })] })
    expect(await screen.findByText('No one is waiting for you.')).toBeTruthy()
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
    const page = await openInbox()
    const { user, server } = page
    await user.click(within(await openItem(of, page)).getByRole('button', { name }))
    await waitFor(() => expect(server.calls.filter((call) => call.path.endsWith(`/${path}`))).toHaveLength(1))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.calls.filter((call) => call.path.endsWith('/undo'))).toHaveLength(1))
  })
})

describe('[R760] keys of an item', () => {
  const at = async (name: RegExp) => {
    const page = await openInbox()
    act(() => row(name).focus())
    return page
  }

  it('`e` marks an Action as done, and a message as read', async () => {
    const { user, server } = await at(/three headings/)
    await user.keyboard('e')
    await waitFor(() => expect(server.calls.filter(({ path }) => path.endsWith('/done'))).toHaveLength(1))
    const unread = Object.values(INBOX_MESSAGES).find(({ group }) => group === 'unread')
    if (!unread) throw new Error('a message is unread')
    act(() =>
      screen
        .getAllByRole('link')
        .find((one) => one.closest(`[data-item="${unread.message.id}"]`))
        ?.focus(),
    )
    await user.keyboard('e')
    await waitFor(() =>
      expect(server.called('POST', '/api/receipts')).toContainEqual(
        expect.objectContaining({ shown: [unread.message.id] }),
      ),
    )
  })

  it('`e` does nothing to what waits for an answer', async () => {
    const { user, server } = await at(/Which database/)
    await user.keyboard('e')
    expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('`h` hands this item over, and no other', async () => {
    const { user } = await at(/Which database/)
    await user.keyboard('h')
    const dialog = within(await screen.findByRole('dialog', { name: 'Hand over your items' }))
    expect(dialog.getAllByRole('checkbox', { name: /·/ })).toHaveLength(1)
  })

  it('Shift+`h` snoozes it for an hour, which can be undone', async () => {
    const { user, server } = await at(/Which database/)
    await user.keyboard('{Shift>}H{/Shift}')
    await waitFor(() =>
      expect(server.called('POST', '/api/reminders')).toEqual([expect.objectContaining({ minutes: 60 })]),
    )
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(server.called('POST', '/api/reminders').at(-1)).toEqual(expect.objectContaining({ minutes: 0 })),
    )
  })

  it('a digit chooses an option of a question, and the answer is sent from there', async () => {
    const page = await openInbox()
    await openItem(/Which database/, page)
    await page.user.keyboard('2{Control>}{Enter}{/Control}')
    await waitFor(() => expect(page.server.calls.filter(({ path }) => path.endsWith('/answer'))).toHaveLength(1))
  })
})

describe('[R761] the inbox of a newcomer', () => {
  const begin = (rehearsal = true) =>
    openPage(<Inbox screen="inbox" params={{}} person={ME.person} />, {
      at: '/inbox',
      rows: { me: [totals({ needsMe: 0, rehearsal })], overview: TASKS.filter((task) => task.base) },
      prepare: (made) => made.answer('POST /api/work', { seq: 1, reply: {}, saved: [] }),
    })

  it('is one field, which an example fills, and which says that it was sent', async () => {
    const { user, server } = await begin()
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'What do you need?' })
    await user.click(screen.getByRole('button', { name: 'Compare price lists' }))
    expect(field.value).toMatch(/prices/)
    await user.click(screen.getByRole('button', { name: 'Send request' }))
    await waitFor(() => expect(server.called('POST', '/api/work')).toHaveLength(1))
    expect(await screen.findByText(saying('Request sent.'))).toBeTruthy()
    expect(field.value).toBe('')
  })

  it('offers the demo second, where the built-in program plays', async () => {
    const { user, server } = await begin()
    await user.click(await screen.findByRole('button', { name: 'Start the demo task' }))
    await waitFor(() => expect(server.called('POST', '/api/work/demo')).toHaveLength(1))
  })

  it('offers no demo to a team with a model', async () => {
    await begin(false)
    expect(await screen.findByRole('textbox', { name: 'What do you need?' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Start the demo task' })).toBeNull()
  })
})

describe('[R763] a password', () => {
  const openAs = (hasPassword: boolean, overview = TASKS) =>
    openPage(<Inbox screen="inbox" params={{}} person={ME.person} />, {
      at: '/inbox',
      me: { ...ME, hasPassword },
      rows: { me: [totals({ needsMe: 0 })], overview },
    })
  const line = () => screen.queryByRole('region', { name: 'Set a password' })

  it('is asked for once there is work that could not be reached again, and not before', async () => {
    await openAs(
      false,
      TASKS.filter((task) => task.base),
    )
    expect(await screen.findByRole('textbox', { name: 'What do you need?' })).toBeTruthy()
    expect(line()).toBeNull()
  })

  it('is set from the inbox, or later', async () => {
    const { user } = await openAs(false)
    await waitFor(() => expect(line()).toBeTruthy())
    await user.click(screen.getByRole('button', { name: 'Not now' }))
    expect(line()).toBeNull()
  })

  it('that is there is not asked for', async () => {
    await openAs(true)
    expect(await screen.findByText('No one is waiting for you.')).toBeTruthy()
    expect(line()).toBeNull()
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
  /** Beside an item the bar has one button, and the rest in a menu. */
  const choose = async (page: Awaited<ReturnType<typeof openInbox>>, bar: HTMLElement, name: RegExp): Promise<void> => {
    await page.user.click(within(bar).getByRole('button', { name: 'More actions' }))
    await page.user.click(await screen.findByRole('menuitem', { name }))
  }
  const paths = (server: PageServer, end: string): string[] =>
    server.calls.map(({ path }) => path).filter((path) => path.endsWith(end))

  it('are marked as done, each by its own command, and undone', async () => {
    const page = await openInbox()
    const bar = await select(page)
    expect(bar.textContent).toContain('7 selected')
    await choose(page, bar, /^Mark \d as done/)
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
    await choose(page, bar, /^Mark \d as done/)
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
