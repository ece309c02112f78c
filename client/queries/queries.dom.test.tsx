/** What is fetched beside the views, whole or by pages: what comes late or twice changes nothing that is shown, and what is old is fetched again. */
import { describe, expect, it, vi } from 'vitest'
import { signOut } from '@/client/account/session'
import { command } from '@/client/api'
import { getPageClient } from '@/client/pageClient'
import type { AgentId } from '@/lib/mas/ids'
import { act, openPage, refused, screen, waitFor } from '@/test/dom'
import { BEN, ME } from '@/test/gallery/fixtures/people'
import { TASKS } from '@/test/gallery/fixtures/rows'
import { type Paging, useApiBytes, useApiPages, useApiQuery } from '.'
import { queryClient } from './cache'

const shown = (): string => screen.getByRole('status').textContent ?? ''
const shows = (text: string): Promise<void> => waitFor(() => expect(shown()).toBe(text))
type Named = { name: string }

type OneProps = Parameters<typeof useApiQuery>[1] & { path: string | null }

function One({ path, ...options }: OneProps) {
  const { data, error, refetch } = useApiQuery<unknown>(path, options)
  return (
    <>
      <output>{error?.error ?? (data as Named | undefined)?.name ?? 'nothing'}</output>
      <button type="button" onClick={refetch}>
        again
      </button>
    </>
  )
}

/** An answer that comes when the test says so. */
function later(name: string) {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { answer: () => given.then(() => ({ name })), give: () => act(async () => give()) }
}
const noLine = (): Promise<never> => Promise.reject(new TypeError('no line'))

describe('[R720] what is fetched', () => {
  it('is of the path that is shown: an answer to an earlier one that comes late is dropped', async () => {
    const slow = later('first')
    const { rerender } = await openPage(<One path="/api/first" />, {
      prepare: (server) => {
        server.answer('GET /api/first', slow.answer)
        server.answer('GET /api/second', { name: 'second' })
      },
    })
    rerender(<One path="/api/second" />)
    await shows('second')
    await slow.give()
    expect(shown()).toBe('second')
  })

  it('stays while a newer version is on its way, and after a call without an answer', async () => {
    const next = later('second')
    const { rerender, server } = await openPage(<One path="/api/one" version={1} />, {
      prepare: (made) => made.answer('GET /api/one', { name: 'first' }),
    })
    await shows('first')
    server.answer('GET /api/one', next.answer)
    rerender(<One path="/api/one" version={2} />)
    expect(shown()).toBe('first')
    await next.give()
    await shows('second')
    server.answer('GET /api/one', noLine)
    rerender(<One path="/api/one" version={3} />)
    await waitFor(() => expect(server.called('GET', '/api/one')).toHaveLength(3))
    expect(shown()).toBe('second')
  })

  it('is of the last version, also where that changes before the first answer', async () => {
    const old = later('old')
    const { rerender, server } = await openPage(<One path="/api/one" version={1} />, {
      prepare: (made) => made.answer('GET /api/one', old.answer),
    })
    server.answer('GET /api/one', { name: 'new' })
    rerender(<One path="/api/one" version={2} />)
    await shows('new')
    await old.give()
    expect(shown()).toBe('new')
  })

  it('that is refused says why, also in place of an earlier answer, and is asked for again by a press alone', async () => {
    const { user, server } = await openPage(<One path="/api/one" />, {
      prepare: (made) => made.answer('GET /api/one', { name: 'mine' }),
    })
    await shows('mine')
    server.answer('GET /api/one', refused('NOT_ALLOWED', { what: 'x' }))
    await user.click(screen.getByRole('button', { name: 'again' }))
    await shows('NOT_ALLOWED')
    expect(server.called('GET', '/api/one')).toHaveLength(2)
    server.answer('GET /api/one', { name: 'there' })
    await user.click(screen.getByRole('button', { name: 'again' }))
    await shows('there')
  })

  it('is fetched where the browser has no internet, and once for all who show it', async () => {
    vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false)
    const { server } = await openPage(
      <>
        <One path="/api/one" />
        <div hidden>
          <One path="/api/one" />
        </div>
      </>,
      { prepare: (made) => made.answer('GET /api/one', { name: 'from here' }) },
    )
    await waitFor(() => expect(screen.getAllByText('from here')).toHaveLength(2))
    expect(server.called('GET', '/api/one')).toHaveLength(1)
  })

  it('is not fetched again by a look at the window', async () => {
    const { server } = await openPage(<One path="/api/one" />, {
      prepare: (made) => made.answer('GET /api/one', { name: 'first' }),
    })
    await shows('first')
    act(() => {
      window.dispatchEvent(new Event('focus'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await shows('first')
    expect(server.called('GET', '/api/one')).toHaveLength(1)
  })
})

function Bytes({ path }: { path: string | null }) {
  const { data } = useApiBytes(path)
  return <output>{data ? `${data.size} bytes` : 'nothing'}</output>
}

it('[R720] the bytes of a file are dropped with the part that shows them', async () => {
  const { rerender } = await openPage(<Bytes path="/api/files/content?path=a" />, {
    prepare: (made) => made.answer('GET /api/files/content', 'seven'),
  })
  await shows('7 bytes')
  rerender(<Bytes path={null} />)
  await waitFor(() =>
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .filter(({ state }) => state.data),
    ).toEqual([]),
  )
})

describe('[R721] an answer is old', () => {
  it('after a call that changes its list, whether it was done or refused', async () => {
    let name = 'before'
    const { server } = await openPage(<One path="/api/templates/t1/history" />, {
      prepare: (made) => {
        made.answer('GET /api/templates/t1/history', () => ({ name }))
        made.answer('POST /api/templates', refused('NOT_ALLOWED', { what: 'x' }))
      },
    })
    await shows('before')
    name = 'saved'
    await act(() => command('/api/templates', {}))
    await shows('saved')
    await act(() => command('/api/tasks/x/pause', {}))
    expect(server.called('GET', '/api/templates/t1/history')).toHaveLength(2)
  })

  it('when rows of a view tell so, and not before: an archived task leaves the list of tasks', async () => {
    const [row] = TASKS
    if (row === undefined) throw new Error('the gallery has tasks')
    let name = 'none'
    const { server } = await openPage(<One path="/api/tasks/archived" />, {
      rows: { overview: [row] },
      prepare: (made) => made.answer('GET /api/tasks/archived', () => ({ name })),
    })
    await shows('none')
    const leave = getPageClient().views.open('overview')
    await waitFor(() => expect(getPageClient().views.store('overview').getState().status).toBe('open'))
    expect(server.called('GET', '/api/tasks/archived')).toHaveLength(1)
    name = 'one'
    act(() => server.change('overview', row.id, null))
    await shows('one')
    leave()
  })

  it('with the next connection, where there was none for the first', async () => {
    const { server } = await openPage(<One path="/api/one" />, {
      prepare: (made) => made.answer('GET /api/one', noLine),
    })
    await shows('NO_ANSWER')
    act(() => server.setUp(false))
    server.answer('GET /api/one', { name: 'there' })
    act(() => server.setUp(true))
    await shows('there')
  })
})

describe('[R722] what one person fetched', () => {
  it('is never shown to the next one in the same page', async () => {
    const slow = later('of Ana, late')
    const { rerender, server } = await openPage(<One path="/api/one" />, {
      prepare: (made) => made.answer('GET /api/one', { name: 'of Ana' }),
    })
    await shows('of Ana')
    server.answer('GET /api/one', slow.answer)
    act(() => screen.getByRole('button', { name: 'again' }).click())
    server.answer('GET /api/one', { name: 'of Ben' })
    const ben = { ...ME, person: { ...ME.person, agent_id: BEN.id, name: BEN.name } }
    server.answer('GET /api/me', ben)
    const said: string[] = []
    const watch = new MutationObserver(() => said.push(shown()))
    watch.observe(screen.getByRole('status'), { characterData: true, subtree: true, childList: true })
    act(() => server.note({ kind: 'settings', person: ME.person.agent_id as AgentId }))
    await shows('of Ben')
    await slow.give()
    rerender(<One path="/api/one" />)
    expect(shown()).toBe('of Ben')
    expect(said).not.toContain('of Ana, late')
    expect(
      JSON.stringify(
        queryClient
          .getQueryCache()
          .getAll()
          .map(({ state }) => state.data),
      ),
    ).not.toContain('of Ana')
  })
})

type Page = { names: string[]; next: string | null }
const PAGING: Paging<Page> = {
  cursor: 'after',
  next: ({ next }) => next,
  append: (before, page) => ({ names: [...before.names, ...page.names], next: page.next }),
}

function Pages({ path }: { path: string }) {
  const { data, error, more, refetch } = useApiPages(path, PAGING)
  return (
    <>
      <output>{`${data?.names.join(' ') ?? ''}${error ? ` ${error.error}` : ''}`}</output>
      <button type="button" onClick={refetch}>
        again
      </button>
      {more ? (
        <button type="button" onClick={more}>
          more
        </button>
      ) : null}
    </>
  )
}

describe('[R195] a list', () => {
  const more = (): HTMLElement => screen.getByRole('button', { name: 'more' })

  it('grows page by page; one that fails leaves the others, and is asked for again', async () => {
    let isBroken = true
    const { user } = await openPage(<Pages path="/api/list" />, {
      prepare: (server) =>
        server.answer('GET /api/list', ({ path }: { path: string }) => {
          if (!path.includes('after=')) return { names: ['a', 'b'], next: '2' }
          return isBroken ? refused('STOPPING') : { names: ['c'], next: null }
        }),
    })
    await shows('a b')
    await user.click(more())
    await shows('a b STOPPING')
    isBroken = false
    await user.click(more())
    await shows('a b c')
    expect(screen.queryByRole('button', { name: 'more' })).toBeNull()
  })

  it('asks for one page when it is pressed twice, and a first page that failed is asked for again', async () => {
    let isBroken = true
    const { user, server } = await openPage(<Pages path="/api/list?text=b" />, {
      prepare: (made) => {
        made.answer('GET /api/list?text=b', () => (isBroken ? refused('STOPPING') : { names: ['one'], next: 's 9' }))
        made.answer('GET /api/list?text=b&after=s%209', { names: ['two'], next: null })
      },
    })
    await shows(' STOPPING')
    isBroken = false
    await user.click(more())
    await shows('one')
    act(() => {
      more().click()
      more().click()
    })
    await shows('one two')
    expect(server.called('GET', '/api/list?text=b&after=s%209')).toHaveLength(1)
  })

  it('drops a late page of another search', async () => {
    const late = later('')
    const { rerender } = await openPage(<Pages path="/api/a" />, {
      prepare: (made) => {
        made.answer('GET /api/a', { names: ['one'], next: 's9' })
        made.answer('GET /api/a?after=s9', () => late.answer().then(() => ({ names: ['two'], next: null })))
        made.answer('GET /api/b', { names: ['other'], next: null })
      },
    })
    await shows('one')
    act(() => more().click())
    rerender(<Pages path="/api/b" />)
    await shows('other')
    await late.give()
    expect(shown()).toBe('other')
  })

  it('fetched again has all pages as they are now', async () => {
    let names = [['two'], ['three']]
    const { user } = await openPage(<Pages path="/api/list" />, {
      prepare: (server) =>
        server.answer('GET /api/list', ({ path }: { path: string }) =>
          path.includes('after=') ? { names: names[1], next: null } : { names: names[0], next: '2' },
        ),
    })
    await shows('two')
    await user.click(more())
    await shows('two three')
    names = [
      ['one', 'two'],
      ['three', 'four'],
    ]
    await user.click(screen.getByRole('button', { name: 'again' }))
    await shows('one two three four')
  })
})

it('[R722] nothing that was fetched is left after signing out', async () => {
  await openPage(<One path="/api/one" />, { prepare: (made) => made.answer('GET /api/one', { name: 'mine' }) })
  await shows('mine')
  vi.spyOn(window.location, 'assign').mockReturnValue(undefined)
  await act(() => signOut())
  expect(queryClient.getQueryCache().getAll()).toEqual([])
})
