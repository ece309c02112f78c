/** What the console shows before anybody is signed in. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionState } from '@/client/account/session'
import { openPage, screen, waitFor } from '@/test/dom'
import { Gate } from './Gate'

const session = vi.hoisted((): { state: SessionState } => ({ state: { status: 'out', me: null } }))
vi.mock(import('@/client/account/session'), async (load) => ({ ...(await load()), useSession: () => session.state }))

describe('somebody who is not signed in', () => {
  const replace = vi.fn()
  beforeEach(() => {
    replace.mockReset()
    vi.spyOn(window.location, 'replace').mockImplementation(replace)
  })

  it('[R807] learns at an address of no screen that nothing is there, with a link to the start', async () => {
    const { user } = await openPage(<Gate />, { at: '/nowhere' })
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(replace).not.toHaveBeenCalled()
    await user.click(screen.getByRole('link', { name: 'Go to inbox' }))
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/login?next=%2Finbox'))
  })

  it('[R807] reads it in Chinese too', async () => {
    await openPage(<Gate />, { at: '/nowhere', language: 'zh' })
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toMatch(/\p{Script=Han}/u)
  })

  it('is led from a screen to the page where one signs in', async () => {
    await openPage(<Gate />, { at: '/tasks?state=open' })
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/login?next=%2Ftasks%3Fstate%3Dopen'))
  })
})
