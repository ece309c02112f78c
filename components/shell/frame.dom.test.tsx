/** The frame of the page: the member's menu, the palette, the connection and what is off without one. */
import { describe, expect, it, vi } from 'vitest'
import CommandPalette from '@/components/palette/CommandPalette'
import { PaletteBox } from '@/components/palette/PaletteBox'
import { ServerButton } from '@/components/ui/ServerButton'
import { act, openPage, type PageServer, screen, setScreen, waitFor, within } from '@/test/dom'
import { ME } from '@/test/gallery/fixtures/people'
import { TASKS } from '@/test/gallery/fixtures/rows'
import { ConnectionBar } from './connection/ConnectionBar'
import { ConnectionChip } from './connection/ConnectionChip'
import MemberMenu from './MemberMenu'

describe("the member's menu", () => {
  const openMenu = (prepare?: (server: PageServer) => void) =>
    openPage(<MemberMenu me={ME} inMenu="all" />, { prepare })

  it('leads to profile, keys and help, and on a phone to what has no room in the bar', async () => {
    await openMenu()
    const links = (await screen.findAllByRole('menuitem')).map((one) => one.getAttribute('href')).filter(Boolean)
    expect(links).toEqual(['/settings/profile', '/settings/keyboard', '/help'])
  })

  it('on a phone has search, notices and do not disturb too', async () => {
    setScreen({ isNarrow: true })
    const { user, server } = await openMenu()
    expect(await screen.findByRole('menuitem', { name: /^Search/ })).toBeTruthy()
    expect(screen.getByRole('menuitem', { name: /^Notices/ })).toBeTruthy()
    await user.click(screen.getByRole('menuitem', { name: /disturb/i }))
    await waitFor(() =>
      expect(server.called('PUT', '/api/me/settings')).toEqual([{ rest: expect.objectContaining({ isOn: true }) }]),
    )
  })

  it('sets theme and language here and for all browsers of the person', async () => {
    const { user, server } = await openMenu()
    await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
    expect(document.documentElement.dataset.theme).toBe('dark')
    await user.click(screen.getByRole('button', { name: /^Ana/ }))
    await user.click(await screen.findByRole('menuitemradio', { name: '中文' }))
    await waitFor(() =>
      expect(server.called('PUT', '/api/me/settings')).toEqual([{ theme: 'dark' }, { language: 'zh' }]),
    )
    expect(document.documentElement.lang).toBe('zh')
  })

  it('[R763] asks before it signs out who has no password, since only a link brings them back', async () => {
    const { user, server } = await openPage(<MemberMenu me={ME} inMenu="all" />, { me: { ...ME, hasPassword: false } })
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Sign out without a password?' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(server.called('POST', '/api/sign_out')).toEqual([])
  })

  it('says that a sign-out was refused, and stays signed in', async () => {
    const { user, server } = await openMenu()
    act(() => server.setUp(false))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await waitFor(() => expect(document.getElementById('announce-assertive')?.textContent).toMatch(/server/i))
    expect(window.location.pathname).toBe('/inbox')
  })
})

describe('the palette', () => {
  const closed = vi.fn()
  const openPalette = (at = '/inbox', typed = '') =>
    openPage(<CommandPalette typed={{ current: typed }} onClose={closed} />, {
      at,
      rows: { overview: TASKS, me: [] },
    })
  const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search or run a command' })

  it('has the focus and what was typed while it loaded, and leads to a place by Enter', async () => {
    const { user } = await openPalette('/inbox', 'hel')
    await waitFor(() => expect(box().value).toBe('hel'))
    expect(document.activeElement).toBe(box())
    await user.type(box(), 'p')
    expect(await screen.findByRole('option', { name: 'Help' })).toBeTruthy()
    await user.keyboard('{Enter}')
    expect(closed).toHaveBeenCalledOnce()
    await waitFor(() => expect(window.location.pathname).toBe('/help'))
  })

  it('finds an open task by its name', async () => {
    const { user } = await openPalette()
    await user.type(box(), 'nightly')
    await user.click(await screen.findByRole('option', { name: /Nightly import/ }))
    await waitFor(() => expect(window.location.pathname).toBe(`/tasks/${TASKS[0]?.task}`))
  })

  it('says that nothing fits, and closes by Escape', async () => {
    const { user } = await openPalette()
    await user.type(box(), 'qqqq')
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('qqqq'))
    await user.keyboard('{Escape}')
    expect(closed).toHaveBeenCalledOnce()
  })
})

describe('the box of a palette that is loading', () => {
  it('[R806] takes the focus and what is typed, closes by Escape, and gives the focus back', async () => {
    const typed = { current: '' }
    const { user, rerender } = await openPage(<button type="button">opener</button>)
    const opener = screen.getByRole('button', { name: 'opener' })
    act(() => opener.focus())
    const page = (isOpen: boolean) => (
      <>
        <button type="button">opener</button>
        {isOpen ? <PaletteBox typed={typed} onClose={closed} /> : null}
      </>
    )
    const closed = vi.fn(() => rerender(page(false)))
    rerender(page(true))
    await user.keyboard('he')
    expect(typed.current).toBe('he')
    await user.keyboard('{Escape}')
    expect(closed).toHaveBeenCalledOnce()
    expect(document.activeElement?.textContent).toBe('opener')
  })
})

describe('without a connection', () => {
  const pressed = vi.fn()
  const openAway = () =>
    openPage(
      <>
        <ConnectionBar isSignedOut={false} />
        <ConnectionChip />
        <ServerButton onClick={pressed}>Allow</ServerButton>
      </>,
    )

  it('[R321] an act of the server is off and says why, until the server is back', async () => {
    const { user, server } = await openAway()
    const allow = screen.getByRole('button', { name: 'Allow' })
    await waitFor(() => expect(allow.getAttribute('aria-disabled')).not.toBe('true'))
    act(() => server.setUp(false))
    await waitFor(() => expect(allow.getAttribute('aria-disabled')).toBe('true'))
    expect(allow.title).not.toBe('')
    await user.click(allow)
    expect(pressed).not.toHaveBeenCalled()
    act(() => server.setUp(true))
    await waitFor(() => expect(allow.getAttribute('aria-disabled')).not.toBe('true'))
    await user.click(allow)
    expect(pressed).toHaveBeenCalledOnce()
  })

  it('a notice says so, and can try again', async () => {
    const { server } = await openAway()
    expect(await screen.findByRole('button', { name: /^Connection: live/ })).toBeTruthy()
    act(() => server.setUp(false))
    expect(await screen.findByRole('button', { name: 'Try now' })).toBeTruthy()
    expect(screen.getByRole('button', { name: /^Connection: offline/ })).toBeTruthy()
    act(() => server.setUp(true))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull())
  })

  it('of a session that ended the page leads to signing in, and back here', async () => {
    await openPage(<ConnectionBar isSignedOut />, { at: '/tasks?state=open' })
    expect((await screen.findByRole('link', { name: 'Sign in again' })).getAttribute('href')).toBe(
      `/login?next=${encodeURIComponent('/tasks?state=open')}`,
    )
  })
})
