/** The tools that a member may run by hand: servers and their tools are fetched once for all parts of the page. */
import { describe, expect, it } from 'vitest'
import type { ToolServerAnswer, ToolServersAnswer } from '@/lib/wire'
import { openPage, type PageServer, refused, screen, waitFor } from '@/test/dom'
import { useToolServers } from './useToolServers'

const server = (name: string, state: ToolServersAnswer['servers'][number]['state'], mayRun = true) => ({
  name,
  guide: '',
  state,
  error: null,
  mayRun,
  remote: false,
  signInUrl: null,
})
const tools = (...names: string[]): Pick<ToolServerAnswer, 'state' | 'error' | 'unread' | 'tools'> => ({
  state: 'connected',
  error: null,
  unread: [],
  tools: names.map((name) => ({
    name,
    description: '',
    reads: true,
    asks: false,
    schema: {},
  })) as ToolServerAnswer['tools'],
})

function Servers({ isEager }: { isEager: boolean }) {
  const { isLoading, fault, servers, refetch } = useToolServers(isEager)
  const wordsOf = ({ name, state, offers, fault: why }: (typeof servers)[number]): string =>
    `${name} ${state} ${why?.error ?? offers?.map((one) => one.name).join('+') ?? 'unknown'}`
  return (
    <>
      <output>{fault?.error ?? (isLoading ? 'loading' : servers.map(wordsOf).join(', '))}</output>
      <button type="button" onClick={refetch}>
        again
      </button>
    </>
  )
}

const withServers = (made: PageServer): void => {
  made.answer('GET /api/tools', {
    servers: [server('files', 'connected'), server('db', 'idle'), server('secret', 'connected', false)],
  })
  made.answer('GET /api/tools/files', tools('read', 'write'))
  made.answer('GET /api/tools/db', tools('query'))
}
const shows = (text: string): Promise<unknown> =>
  waitFor(() => expect(screen.getAllByRole('status')[0]?.textContent).toBe(text))

describe('[R723] the tools of a member', () => {
  it('are of the servers that they may use, and only a page of tools connects to one', async () => {
    const { server: page, rerender } = await openPage(<Servers isEager={false} />, { prepare: withServers })
    await shows('files connected read+write, db idle unknown')
    expect(page.called('GET', '/api/tools/db')).toEqual([])
    rerender(<Servers isEager />)
    await shows('files connected read+write, db connected query')
    rerender(<Servers isEager={false} />)
    await shows('files connected read+write, db connected query')
    expect(page.called('GET', '/api/tools/secret')).toEqual([])
  })

  it('are fetched once for all parts that show them', async () => {
    const { server: page } = await openPage(
      <>
        <Servers isEager />
        <Servers isEager />
      </>,
      { prepare: withServers },
    )
    await shows('files connected read+write, db connected query')
    expect(['/api/tools', '/api/tools/files', '/api/tools/db'].map((path) => page.called('GET', path).length)).toEqual([
      1, 1, 1,
    ])
  })

  it('of a server that cannot be asked are none, with the reason, and are asked for again by a press', async () => {
    const { server: page, user } = await openPage(<Servers isEager />, {
      prepare: (made) => {
        withServers(made)
        made.answer('GET /api/tools/db', refused('STOPPING'))
      },
    })
    await shows('files connected read+write, db failed STOPPING')
    page.answer('GET /api/tools/db', tools('query'))
    await user.click(screen.getByRole('button', { name: 'again' }))
    await shows('files connected read+write, db connected query')
  })
})
