/** Signing in: one answer to every wrong pair, a password that is shown only on request, and how long one has to wait. */
import { describe, expect, it } from 'vitest'
import { rememberPerson } from '@/client/account/rememberedPeople'
import { openPage, refused, screen, waitFor } from '@/test/dom'
import { ANA } from '@/test/gallery/fixtures/people'
import { SignInForm } from './SignInForm'

const PATH = 'POST /api/bind_human_agent'
const id = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Human agent ID' })
const password = () => screen.getByLabelText<HTMLInputElement>('Password')

describe('signing in', () => {
  it('says the same of a wrong id and of a wrong password, keeps both, and can be tried again', async () => {
    const { user, server } = await openPage(<SignInForm first={null} />, {
      at: '/login',
      prepare: (made) => made.answer(PATH, refused('SIGN_IN_FAILED')),
    })
    await waitFor(() => expect(document.activeElement).toBe(id()))
    await user.type(id(), ' ana ')
    await user.type(password(), 'not-this-one{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('Incorrect ID or password.')
    expect([id().value, password().value, document.activeElement]).toEqual([' ana ', 'not-this-one', password()])
    expect(screen.getByRole('button', { name: 'Sign in' }).getAttribute('aria-disabled')).not.toBe('true')
    expect(server.called('POST', '/api/bind_human_agent')).toEqual([
      { human_agent_id: 'ana', password: 'not-this-one' },
    ])
  })

  it('shows the password only on request', async () => {
    const { user } = await openPage(<SignInForm first={null} />, { at: '/login' })
    await user.type(password(), 'a secret')
    expect(password().type).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Show' }))
    expect([password().type, password().value]).toEqual(['text', 'a secret'])
  })

  it('after too many tries says how long to wait, and sends nothing until then', async () => {
    const { user, server } = await openPage(<SignInForm first={null} />, {
      at: '/login',
      prepare: (made) => made.answer(PATH, refused('TOO_MANY', { seconds: 90 })),
    })
    await user.type(id(), 'ana')
    await user.type(password(), 'no{Enter}')
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Sign in' }).getAttribute('aria-disabled')).toBe('true'),
    )
    await user.type(password(), '{Enter}')
    expect(server.called('POST', '/api/bind_human_agent')).toHaveLength(1)
    expect(document.getElementById('announce-assertive')?.textContent).toBe('Too many attempts. Try again in 1 m 30 s.')
  })

  it('says why a link did not sign in', async () => {
    await openPage(<SignInForm first={refused('LINK_USED').body} />, { at: '/login' })
    expect(screen.getByRole('alert').textContent).toMatch(/expired or was already used/)
  })

  const WAYS = { passwords: true, providers: [{ id: 'acme', name: 'Acme' }] }

  it('[R892] offers each provider, and the way back to the page that was asked for', async () => {
    await openPage(<SignInForm first={null} ways={WAYS} />, { at: '/login?next=%2Finbox%3Ftask%3Da' })
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Sign in with Acme' })
    expect(link.getAttribute('href')).toBe('/api/sign-in/acme?back=%2Finbox%3Ftask%3Da')
    expect(id()).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('[R892] offers no password where nobody signs in by one', async () => {
    await openPage(<SignInForm first={null} ways={{ ...WAYS, passwords: false }} />, { at: '/login' })
    expect(screen.getByRole('link', { name: 'Sign in with Acme' })).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Human agent ID' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull()
  })

  it('[R892] says why a sign-in with a provider failed, in words of its own', async () => {
    await openPage(<SignInForm first={null} ways={WAYS} />, { at: '/login?problem=NOT_ADMITTED&by=acme' })
    expect(screen.getByRole('alert').textContent).toBe('Your account at Acme may not use this team. Ask an operator.')
    await openPage(<SignInForm first={null} ways={WAYS} />, { at: '/login?problem=You+won&by=acme' })
    expect(screen.getAllByRole('alert').at(-1)?.textContent).toBe('The sign-in with Acme failed. Try again.')
  })

  it('offers who signed in here before', async () => {
    const { rerender, user } = await openPage(null, { at: '/login' })
    rememberPerson({ agentId: ANA.id, id: 'ana', name: 'Ana' })
    rerender(<SignInForm first={null} />)
    await user.click(await screen.findByRole('button', { name: 'Ana' }))
    expect([id().value, document.activeElement]).toEqual(['ana', password()])
  })
})
