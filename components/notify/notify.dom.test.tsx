/** What rings in an open page: a toast elsewhere, nothing for what is quiet, and who may still get through. */
import { describe, expect, it } from 'vitest'
import { useRows } from '@/client'
import type { MeRow, Settings } from '@/lib/wire'
import { act, openPage, saying, screen, waitFor } from '@/test/dom'
import { INBOX_MESSAGES } from '@/test/gallery/fixtures/inbox'
import { MANAGER, ME, NOW } from '@/test/gallery/fixtures/people'
import { TASK } from '@/test/gallery/fixtures/records'
import { PART_REQUESTS } from '@/test/gallery/fixtures/requests'
import { AttentionLayer } from './AttentionLayer'

let made = 0
/** After the page was opened. */
const LATER = NOW + 3_600_000
/** Another message each time: a page remembers what it has said. */
function arriving(state: keyof typeof INBOX_MESSAGES, text: string): MeRow & { kind: 'message' } {
  made += 1
  const row = INBOX_MESSAGES[state] as MeRow & { kind: 'message' }
  const id = `arriving-${made}` as typeof row.message.id
  // It came while the page is open.
  const message = { ...row.message, id, text, at: LATER + made }
  const request = row.outcome.request && { ...row.outcome.request, id: `ask-${made}` as never, openedAt: message.at }
  return { ...row, id, message, outcome: { ...row.outcome, request } }
}

/** How many rows the page holds, which are looked at as soon as they are drawn. */
const Count = () => <output>{useRows('me').length}</output>

async function openLayer(settings: Settings = {}) {
  const page = await openPage(
    <>
      <AttentionLayer member={ME.person.agent_id} isSettled />
      <Count />
    </>,
    { at: '/settings/display', rows: { me: [] }, me: { ...ME, settings } },
  )
  // It is used: somebody moves in it, and it has the focus.
  await page.user.pointer({ target: document.body })
  return page
}
const toast = (words: RegExp) => screen.findByText(saying(words))

describe('what comes while a page is open elsewhere', () => {
  it('is a toast with who it is from, which opens it', async () => {
    const { user, server } = await openLayer()
    const row = arriving('Action', 'Please count the loaves.')
    act(() => server.change('me', row.id, row))
    expect(await toast(/Manager.*Please count the loaves\./)).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Open' }))
    expect(window.location.pathname).toContain(row.message.id)
  })

  it('[R305] as a part of a stage is under the name of its task, without a sender', async () => {
    const { server } = await openLayer()
    const { request, ...shown } = PART_REQUESTS.open
    const asker = { ...shown.asker, id: 'system:task' as const, name: '', kind: 'system' as const }
    const row: MeRow = {
      ...shown,
      asker,
      request: { ...request, openedAt: LATER },
      id: request.id,
      sort: '0',
      kind: 'request',
      group: 'action',
      stage: null,
    }
    act(() => server.change('me', row.id, row))
    const words = (await toast(/Check the report against both lists/)).textContent
    expect(words).toMatch(/^Build the price page · Check the report/)
  })

  it('goes when it is settled', async () => {
    const { server } = await openLayer()
    const row = arriving('Action', 'Please count the trays.')
    act(() => server.change('me', row.id, row))
    await toast(/count the trays/)
    act(() => server.change('me', row.id, null))
    await waitFor(() => expect(screen.queryByText(saying(/count the trays/))).toBeNull())
  })
})

/** One that rings comes after the one that must not: it was looked at too. */
async function onlyTheLast(settings: Settings, quiet: MeRow & { kind: 'message' }, loud: MeRow & { kind: 'message' }) {
  const { server } = await openLayer(settings)
  act(() => server.change('me', quiet.id, quiet))
  act(() => server.change('me', loud.id, loud))
  expect(await toast(new RegExp(loud.message.text))).toBeTruthy()
  expect(screen.queryByText(saying(new RegExp(quiet.message.text)))).toBeNull()
}

describe('what does not ring', () => {
  it('is a message that only informs', () =>
    onlyTheLast({}, arriving('Unread', 'It is done'), arriving('Action', 'Please count the rolls')))

  it('[R142] is what a rule about its sender keeps quiet', () =>
    onlyTheLast(
      { senders: { [MANAGER.id]: 'urgent' } } as Settings,
      arriving('Action', 'Please count the pans'),
      arriving('Mention', 'Please count the lids'),
    ))

  it('[R142] is what a rule about its task keeps quiet, but for a rule about its sender', () =>
    onlyTheLast(
      { levels: { [TASK]: 'urgent' }, senders: { [MANAGER.id]: 'mentions' } } as Settings,
      arriving('Mention', 'Please count the cups'),
      arriving('Action', 'Please count the jars'),
    ))
})

describe('do not disturb', () => {
  it('[R224] keeps toasts away from the moment it begins on another page', async () => {
    const { server } = await openLayer()
    const rest = { isOn: true, until: null, daily: null, urgentBreaksThrough: false }
    server.answer('GET /api/me', { ...ME, settings: { rest } })
    act(() => server.note({ kind: 'settings', person: ME.person.agent_id }))
    const [quiet, loud] = [arriving('Action', 'Please count the cakes'), arriving('Action', 'Please count the pies')]
    await waitFor(() => expect(server.calls.filter(({ path }) => path === '/api/me').length).toBeGreaterThan(1))
    act(() => server.change('me', quiet.id, quiet))
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1'))
    server.answer('GET /api/me', { ...ME, settings: { rest: { ...rest, isOn: false } } })
    act(() => server.note({ kind: 'settings', person: ME.person.agent_id }))
    act(() => server.change('me', loud.id, loud))
    expect(await toast(/count the pies/)).toBeTruthy()
    expect(screen.queryByText(saying(/count the cakes/))).toBeNull()
  })
})
