/** Hooks that hold state: what a part of the page sees of the server, the storage, the screen and the address. */
import { describe, expect, it } from 'vitest'
import { useDraft } from '@/client/drafts'
import { useRows, useViewStatus } from '@/client/hooks'
import { Link, navigate, setSearch, useLocation, useSearchParam } from '@/client/nav'
import { usePaneWidth } from '@/components/shell/paneWidth'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import { act, fillStorage, openPage, screen, setScreen, waitFor } from '@/test/dom'
import { TASKS } from '@/test/gallery/fixtures/rows'

const shown = (): string => screen.getByRole('status').textContent ?? ''
function Rows() {
  const rows = useRows('overview')
  const { status } = useViewStatus('overview')
  return <output>{`${status}: ${rows.map(({ name }) => name).join(', ')}`}</output>
}

describe('a view', () => {
  it('is loading until its rows come, in their order, and follows each change', async () => {
    const [second, first] = TASKS
    if (first === undefined || second === undefined) throw new Error('the gallery has tasks')
    const { server } = await openPage(<Rows />)
    expect(shown()).toBe('loading: ')
    act(() =>
      server.show('overview', [
        { ...second, sort: '2' },
        { ...first, sort: '1' },
      ]),
    )
    await waitFor(() => expect(shown()).toBe(`open: ${first.name}, ${second.name}`))
    act(() => server.change('overview', first.id, null))
    await waitFor(() => expect(shown()).toBe(`open: ${second.name}`))
  })

  it('keeps its rows while the connection is lost, and has the newest when it is back', async () => {
    const [row] = TASKS
    if (row === undefined) throw new Error('the gallery has tasks')
    const { server } = await openPage(<Rows />, { rows: { overview: [row] } })
    await waitFor(() => expect(shown()).toBe(`open: ${row.name}`))
    act(() => server.setUp(false))
    server.show('overview', [{ ...row, name: 'Renamed meanwhile' }])
    expect(shown()).toBe(`open: ${row.name}`)
    act(() => server.setUp(true))
    await waitFor(() => expect(shown()).toBe('open: Renamed meanwhile'))
  })
})

function Kept({ place }: { place: string | null }) {
  const draft = useDraft(place)
  return <input aria-label="text" value={draft.text} onChange={({ target }) => draft.setText(target.value)} />
}

describe('a draft', () => {
  const box = () => screen.getByLabelText<HTMLInputElement>('text')

  it('is the same at each part that shows its place, and another at another place', async () => {
    const { user, rerender } = await openPage(<Kept place="task:one" />)
    await user.type(box(), 'Half')
    rerender(<Kept place="task:two" />)
    expect(box().value).toBe('')
    rerender(<Kept place="task:one" />)
    expect(box().value).toBe('Half')
  })

  it('is typed on where this browser stores nothing, and reaches the server', async () => {
    const { user, server } = await openPage(<Kept place="task:one" />)
    fillStorage()
    await user.type(box(), 'Half a sentence')
    expect(box().value).toBe('Half a sentence')
    await waitFor(() => expect(server.called('PUT', '/api/drafts/task%3Aone').at(-1)?.text).toBe('Half a sentence'))
  })
})

function Where() {
  const place = useLocation()
  const q = useSearchParam('q')
  return (
    <>
      <output>{`${place?.screen} ${q ?? '-'}`}</output>
      <Link href="/waits">waits</Link>
    </>
  )
}

describe('the address', () => {
  it('is followed by links, by code, and by Back, without loading the page', async () => {
    const { user } = await openPage(<Where />, { at: '/tasks?q=bolt' })
    expect(shown()).toBe('tasks bolt')
    await user.click(screen.getByRole('link', { name: 'waits' }))
    expect(shown()).toBe('waits -')
    act(() => setSearch({ q: 'nut' }, { replace: true }))
    expect(shown()).toBe('waits nut')
    act(() => navigate('/nothing-like-it'))
    expect(shown()).toBe('null -')
  })
})

function Narrow() {
  return <output>{useIsNarrow() ? 'phone' : 'desk'}</output>
}

it('a part knows when the window becomes as narrow as a phone', async () => {
  await openPage(<Narrow />)
  expect(shown()).toBe('desk')
  act(() => setScreen({ isNarrow: true }))
  expect(shown()).toBe('phone')
})

function Pane() {
  const [width, setWidth] = usePaneWidth('ana', { name: 'list', min: 240, max: 400, normal: 288, edge: 'right' })
  return (
    <>
      <output>{width}</output>
      <button type="button" onClick={() => setWidth(width + 1_000)}>
        wider
      </button>
    </>
  )
}

it('a pane keeps the width that its member gave it, within its limits', async () => {
  const { user, rerender } = await openPage(<Pane />)
  expect(shown()).toBe('288')
  await user.click(screen.getByRole('button', { name: 'wider' }))
  expect(shown()).toBe('400')
  rerender(null)
  rerender(<Pane />)
  expect(shown()).toBe('400')
})
