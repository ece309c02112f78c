/** Settings that a person makes for all of their browsers: whom they hear of how, and their own keys. */
import { describe, expect, it } from 'vitest'
import { type ActionId, actionRow } from '@/client/actions/actionTable'
import { LevelMenu } from '@/components/chat/task/LevelMenu'
import type { TaskId } from '@/lib/mas/ids'
import type { Access } from '@/lib/mas/records'
import type { Settings } from '@/lib/wire'
import { openPage, saying, screen, waitFor, within } from '@/test/dom'
import { BEN, ME } from '@/test/gallery/fixtures/people'
import { AGENT_ROWS, TASKS } from '@/test/gallery/fixtures/rows'
import SettingsScreen from '.'
import { NotificationsPart } from './NotificationsPart'
import { OwnKeysPart } from './OwnKeys'
import { ProfilePart } from './ProfilePart'
import { SessionsPart } from './SessionsPart'

const PATH = '/api/me/settings'

describe('[R142] rules of what rings', () => {
  const openRules = async (settings: Settings = {}) => {
    const page = await openPage(<NotificationsPart />, {
      me: { ...ME, settings },
      rows: { agents: AGENT_ROWS, overview: TASKS },
    })
    return { ...page, rules: within(await screen.findByRole('region', { name: 'By member' })) }
  }

  it('begin with what is urgent only, for a member who is chosen', async () => {
    const { user, server, rules } = await openRules()
    await user.click(rules.getByRole('combobox', { name: 'Add a member…' }))
    await user.click(await screen.findByRole('option', { name: 'Ben' }))
    await waitFor(() => expect(server.called('PUT', PATH)).toEqual([{ senders: { [BEN.id]: 'urgent' } }]))
    expect((await rules.findByRole('combobox', { name: 'Notify me about: Ben' })).textContent).toContain('Urgent only')
  })

  it('are changed and removed, also of a member who is gone', async () => {
    const { user, server, rules } = await openRules({ senders: { gone: 'urgent', [BEN.id]: 'all' } })
    const [first] = rules.getAllByRole('button')
    await user.click(first as HTMLElement)
    await waitFor(() => expect(server.called('PUT', PATH)).toEqual([{ senders: { [BEN.id]: 'all' } }]))
  })
})

describe('how loud a task is', () => {
  it('is chosen in its menu, with a way back', async () => {
    const task = 'gallery-task-1' as TaskId
    const { user, server } = await openPage(<LevelMenu task={task} />)
    await user.click(screen.getByRole('button', { name: /^Notify me about/ }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Urgent only' }))
    expect(await screen.findByText(saying("You'll only be notified about urgent messages in this task."))).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(server.called('PUT', PATH).map(({ levels }) => levels)).toEqual([
        { [task]: 'urgent' },
        { [task]: 'mentions' },
      ]),
    )
  })
})

describe('the list of settings', () => {
  const sections = async (access: Access) => {
    const person = { ...ME.person, access }
    await openPage(<SettingsScreen screen="settings" params={{ page: 'language' }} person={person} />, {
      me: { ...ME, person },
    })
    return within(screen.getByRole('navigation', { name: 'Settings sections' }))
  }
  const groups = (list: Awaited<ReturnType<typeof sections>>) =>
    list.getAllByRole('list').map((one) => one.getAttribute('aria-labelledby') && one.querySelectorAll('a').length)

  it('has the parts of you, of the team and of the system, for an operator', async () => {
    const list = await sections('operator')
    expect(list.getAllByRole('heading').map((one) => one.textContent)).toEqual(['You', 'Team', 'System'])
    expect(groups(list)).toEqual([5, 4, 2])
    expect(list.getByRole('link', { current: 'page' }).textContent).toBe('Language')
  })

  it('has no group of which its reader may see nothing', async () => {
    const list = await sections('participant')
    expect(list.getAllByRole('heading').map((one) => one.textContent)).toEqual(['You', 'Team'])
    expect(list.queryByRole('link', { name: 'People' })).toBeNull()
  })
})

describe('own keys', () => {
  const row = () => {
    const [first] = screen.getAllByRole('row').slice(1)
    if (first === undefined) throw new Error('there are keys')
    return first
  }

  it('are set by pressing one, kept for all browsers, and put back', async () => {
    const { user, server } = await openPage(<OwnKeysPart />)
    const chord = row().dataset.id ?? ''
    await user.click(within(row()).getByRole('button', { name: /^Change/ }))
    await user.keyboard('ü')
    await waitFor(() => expect(server.called('PUT', PATH)).toEqual([{ keys: { [chord]: 'ü' } }]))
    expect(row().querySelector('kbd')?.textContent?.toLowerCase()).toContain('ü')
    await user.click(within(row()).getAllByRole('button').at(-1) as HTMLElement)
    await waitFor(() => expect(server.called('PUT', PATH).at(-1)).toEqual({ keys: {} }))
  })

  it('that another act has are refused with its name, and Escape keeps the old one', async () => {
    const { user, server } = await openPage(<OwnKeysPart />)
    const other = screen.getAllByRole('row').at(2)?.dataset.id as ActionId
    await user.click(within(row()).getByRole('button', { name: /^Change/ }))
    await user.keyboard(actionRow(other).key)
    expect(await screen.findByRole('alert')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect([screen.queryByRole('alert'), server.called('PUT', PATH)]).toEqual([null, []])
  })
})

describe('[R892] who signed in by a provider', () => {
  const me = { ...ME, hasPassword: false, passwords: false, provider: { id: 'acme', name: 'Acme' } }

  it('sees by which, and no field for a password', async () => {
    await openPage(<ProfilePart />, { me })
    expect(screen.getByText('By Acme')).toBeTruthy()
    expect(screen.getByText('Passwords are off: people sign in by the company.')).toBeTruthy()
    expect(screen.queryByLabelText('New password')).toBeNull()
  })

  it('is not asked before the session ends: the provider is the way back', async () => {
    const session = { id: 's1', browser: null, address: null, since: 1, lastSeen: 1, isThis: true }
    const { user, server } = await openPage(<SessionsPart />, {
      me,
      prepare: (made) => {
        made.answer('GET /api/me/sessions', { sessions: [session] })
        made.answer('POST /api/sessions/end', { ended: 1 })
      },
    })
    await user.click(await screen.findByRole('button', { name: /^(End|Sign out)/ }))
    await waitFor(() => expect(server.called('POST', '/api/sessions/end')).toHaveLength(1))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

describe('the sessions of a member', () => {
  it('[R763] asks before this session ends of a member without a password', async () => {
    const session = { id: 's1', browser: null, address: null, since: 1, lastSeen: 1, isThis: true }
    const { user, server } = await openPage(<SessionsPart />, {
      me: { ...ME, hasPassword: false },
      prepare: (made) => made.answer('GET /api/me/sessions', { sessions: [session] }),
    })
    await user.click(await screen.findByRole('button', { name: /^(End|Sign out)/ }))
    expect(await screen.findByRole('alertdialog', { name: 'Sign out without a password?' })).toBeTruthy()
    expect(server.called('POST', '/api/sessions/end')).toEqual([])
  })
})
