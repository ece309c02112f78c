/** Notices and do not disturb in the top bar: counted until they are seen, and the same on all pages of a person. */
import { describe, expect, it } from 'vitest'
import { DndButton } from '@/components/notify/DndButton'
import type { NoticeRow } from '@/lib/wire'
import { act, openPage, type PageServer, screen, waitFor, within } from '@/test/dom'
import { NOTICES } from '@/test/gallery/fixtures/inbox'
import { ANA, ME } from '@/test/gallery/fixtures/people'
import { NoticesButton } from './NoticesButton'

const PATH = '/api/read/notices'
const note = (seq: number) => ({ kind: 'read', person: ANA.id, place: 'notices', seq }) as const

let shift = 0
/** Notices that are newer than those of the tests before: the page remembers how far it has read. */
function newNotices() {
  shift += 1_000
  const rows = NOTICES.map((row): NoticeRow => ({ ...row, notice: { ...row.notice, seq: row.notice.seq + shift } }))
  return { rows, newest: Math.max(...rows.map(({ notice }) => notice.seq)) }
}

type Bar = { rows?: readonly NoticeRow[]; before?: number; prepare?: (server: PageServer) => void }

/** before: how far the person has read, as the server has it */
async function openBar({ rows = newNotices().rows, before, prepare }: Bar = {}) {
  const read = { seq: before ?? null }
  const page = await openPage(
    <>
      <NoticesButton />
      <DndButton />
    </>,
    {
      rows: { me: rows },
      prepare: (server) => {
        server.answer(`GET ${PATH}`, () => ({ ...read }))
        server.answer(`PUT ${PATH}`, ({ body }: { body: { seq: number } }) => Object.assign(read, { seq: body.seq }))
        prepare?.(server)
      },
    },
  )
  return { ...page, read }
}

const button = (name: string) => screen.findByRole('button', { name })

describe('notices', () => {
  it('are counted until their receiver has seen them, are marked while the list is open, and lead to their task', async () => {
    const { rows, newest } = newNotices()
    const { user, server } = await openBar({ rows })
    await user.click(await button('Notices, 3 new'))
    const list = within(await screen.findByRole('list', { name: 'Notices' }))
    expect(await list.findAllByText('new')).toHaveLength(3)
    await waitFor(() => expect(server.called('PUT', PATH)).toEqual([{ seq: newest }]))
    expect(await button('Notices')).toBeTruthy()
    expect(list.getAllByText('new')).toHaveLength(3)
    await user.keyboard('{ArrowDown}{ArrowDown}')
    await user.click(list.getAllByRole('link')[0] as HTMLElement)
    expect(window.location.pathname).toMatch(/^\/tasks\//)
  })

  it('that are settled are no news', async () => {
    await openBar({ rows: newNotices().rows.map((row, at) => ({ ...row, isSettled: at === 0 })) })
    expect(await button('Notices, 2 new')).toBeTruthy()
  })

  it('[R273] that were read before the page opened are read here', async () => {
    const { rows, newest } = newNotices()
    await openBar({ rows, before: newest })
    expect(await button('Notices')).toBeTruthy()
  })

  it('[R273] that another page reads are read here at once', async () => {
    const { rows, newest } = newNotices()
    const { server } = await openBar({ rows })
    await button('Notices, 3 new')
    act(() => server.note(note(newest)))
    expect(await button('Notices')).toBeTruthy()
  })

  it('[R273] that another page read while this one was offline are read here when it is back', async () => {
    const { rows, newest } = newNotices()
    const { server, read } = await openBar({ rows })
    await button('Notices, 3 new')
    act(() => server.setUp(false))
    read.seq = newest
    act(() => server.setUp(true))
    expect(await button('Notices')).toBeTruthy()
  })

  it('[R273] that another page reads while this one asks how far was read stay read', async () => {
    let give = (): void => {}
    const given = new Promise<void>((resolve) => {
      give = resolve
    })
    const { rows, newest } = newNotices()
    const { server } = await openBar({
      rows,
      prepare: (made) => made.answer(`GET ${PATH}`, () => given.then(() => ({ seq: 0 }))),
    })
    act(() => server.note(note(newest)))
    await act(async () => give())
    expect(await button('Notices')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Notices, / })).toBeNull()
  })

  it('[R273] are read up to where the page saw them, also when it closes at once', async () => {
    const { rows, newest } = newNotices()
    const { user, server } = await openBar({ rows })
    await user.click(await button('Notices, 3 new'))
    await screen.findByRole('list', { name: 'Notices' })
    act(() => void window.dispatchEvent(new Event('pagehide')))
    await waitFor(() => expect(server.called('PUT', PATH)).toEqual([{ seq: newest }]))
  })
})

describe('do not disturb', () => {
  it('begins and ends by its button, for all pages of the person', async () => {
    const { user, server } = await openBar()
    await user.click(await button('Do not disturb: off'))
    await user.click(await screen.findByRole('button', { name: 'Until I turn it off' }))
    expect(await button('Do not disturb: on')).toBeTruthy()
    expect(server.called('PUT', '/api/me/settings')).toEqual([
      { rest: expect.objectContaining({ isOn: true, until: null }) },
    ])
    await user.click(await button('Do not disturb: on'))
    await user.click(await screen.findByRole('button', { name: 'Turn off' }))
    expect(await button('Do not disturb: off')).toBeTruthy()
  })

  it.each(['while this one is connected', 'while this one was offline'])(
    '[R224] that another page sets %s holds here',
    async (when) => {
      const { server } = await openBar()
      await button('Do not disturb: off')
      if (when.endsWith('offline')) act(() => server.setUp(false))
      server.answer('GET /api/me', {
        ...ME,
        settings: { rest: { isOn: true, until: null, daily: null, urgentBreaksThrough: true } },
      })
      if (when.endsWith('offline')) act(() => server.setUp(true))
      else act(() => server.note({ kind: 'settings', person: ANA.id }))
      expect(await button('Do not disturb: on')).toBeTruthy()
    },
  )
})
