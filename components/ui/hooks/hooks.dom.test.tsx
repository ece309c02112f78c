/** Hooks that hold state: what a part of the page sees of the server, the storage, the screen and the address. */
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { useDraft } from '@/client/drafts'
import { useRows, useViewStatus } from '@/client/hooks'
import { Link, navigate, setSearch, useLocation, useSearchParam } from '@/client/nav'
import { type Paging, useFetched, usePages } from '@/client/useFetched'
import { usePaneWidth } from '@/components/shell/paneWidth'
import { lazyFile, useLazy } from '@/components/ui/lazyFile'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import { act, fillStorage, openPage, refused, screen, setScreen, waitFor } from '@/test/dom'
import { TASKS } from '@/test/gallery/fixtures/rows'
import { useKeptAnswer } from './useKeptAnswer'

const shown = (): string => screen.getByRole('status').textContent ?? ''
type Named = { name: string }

function Fetched({ path, version = 0 }: { path: string | null; version?: number }) {
  const { answer, reload } = useFetched<Named>(path, version)
  const { value, refused: fault } = useKeptAnswer(answer)
  return (
    <>
      <output>{fault?.error ?? value?.name ?? 'nothing'}</output>
      <button type="button" onClick={reload}>
        again
      </button>
    </>
  )
}

/** An answer that comes when the test says so. */
function held(name: string) {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { answer: () => given.then(() => ({ name })), give: () => act(async () => give()) }
}

describe('what is fetched', () => {
  it('is of the path that is shown: an answer to an earlier one that comes late is dropped', async () => {
    const slow = held('first')
    const { rerender } = await openPage(<Fetched path="/api/first" />, {
      prepare: (server) => {
        server.answer('GET /api/first', slow.answer)
        server.answer('GET /api/second', { name: 'second' })
      },
    })
    rerender(<Fetched path="/api/second" />)
    await waitFor(() => expect(shown()).toBe('second'))
    await slow.give()
    expect(shown()).toBe('second')
  })

  it('stays while a newer version is on its way, and after a call without an answer', async () => {
    const next = held('second')
    const { rerender, server } = await openPage(<Fetched path="/api/one" version={1} />, {
      prepare: (made) => made.answer('GET /api/one', { name: 'first' }),
    })
    await waitFor(() => expect(shown()).toBe('first'))
    server.answer('GET /api/one', next.answer)
    rerender(<Fetched path="/api/one" version={2} />)
    expect(shown()).toBe('first')
    await next.give()
    await waitFor(() => expect(shown()).toBe('second'))
    server.answer('GET /api/one', () => Promise.reject(new TypeError('no line')))
    rerender(<Fetched path="/api/one" version={3} />)
    await waitFor(() => expect(server.called('GET', '/api/one')).toHaveLength(3))
    expect(shown()).toBe('second')
  })

  it('that is refused says why, and is asked for again by a press', async () => {
    const { user, server } = await openPage(<Fetched path="/api/one" />, {
      prepare: (made) => made.answer('GET /api/one', refused('STOPPING')),
    })
    await waitFor(() => expect(shown()).toBe('STOPPING'))
    server.answer('GET /api/one', { name: 'there' })
    await user.click(screen.getByRole('button', { name: 'again' }))
    await waitFor(() => expect(shown()).toBe('there'))
  })
})

type Page = { names: string[]; next: string | null }
const PAGING: Paging<Page> = {
  cursor: 'after',
  next: ({ next }) => next,
  append: (before, page) => ({ names: [...before.names, ...page.names], next: page.next }),
}

function Pages() {
  const { value, fault, more } = usePages('/api/list', PAGING)
  return (
    <>
      <output>{`${value?.names.join(' ') ?? ''}${fault ? ` ${fault.error}` : ''}`}</output>
      {more ? (
        <button type="button" onClick={more}>
          more
        </button>
      ) : null}
    </>
  )
}

it('a list grows page by page; one that fails leaves the others, and is asked for again', async () => {
  let isBroken = true
  const { user } = await openPage(<Pages />, {
    prepare: (server) =>
      server.answer('GET /api/list', ({ path }: { path: string }) => {
        if (!path.includes('after=')) return { names: ['a', 'b'], next: '2' }
        return isBroken ? refused('STOPPING') : { names: ['c'], next: null }
      }),
  })
  await waitFor(() => expect(shown()).toBe('a b'))
  await user.click(screen.getByRole('button', { name: 'more' }))
  await waitFor(() => expect(shown()).toBe('a b STOPPING'))
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'more' }))
  await waitFor(() => expect(shown()).toBe('a b c'))
  expect(screen.queryByRole('button', { name: 'more' })).toBeNull()
})

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

function Later({ file }: { file: ReturnType<typeof lazyFile<{ words: string }>> }) {
  const [isWanted, setWanted] = useState(false)
  const part = useLazy(file, isWanted, () => setWanted(false))
  return (
    <>
      <button type="button" aria-pressed={isWanted} onClick={() => setWanted(true)}>
        open
      </button>
      <output>{part?.words ?? ''}</output>
    </>
  )
}

it('a part whose file cannot be fetched closes and says so, and comes by the next press', async () => {
  let isThere = false
  const file = lazyFile(async () => {
    if (!isThere) throw new Error('no such chunk')
    return { words: 'here' }
  })
  const { user } = await openPage(<Later file={file} />)
  const open = screen.getByRole('button', { name: 'open' })
  await user.click(open)
  expect(await screen.findByRole('button', { name: /reload/i })).toBeTruthy()
  expect(open.getAttribute('aria-pressed')).toBe('false')
  isThere = true
  await user.click(open)
  await waitFor(() => expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('here'))
})
