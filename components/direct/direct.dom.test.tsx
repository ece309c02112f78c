/** Private conversations: how one begins and who reads it; the list, with what is known of those of others. */
import { describe, expect, it } from 'vitest'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { AnyRow, DirectRow, OthersTalkRow } from '@/lib/wire/rows'
import { openPage, type PageServer, refused, screen, waitFor, within } from '@/test/dom'
import { ANA, ago, BEN, CODER, fixtureWho } from '@/test/gallery/fixtures/people'
import { Members } from './DirectList'
import { TalkPage } from './TalkPage'

const row = (who: typeof BEN, change: Partial<DirectRow> = {}): DirectRow => ({
  id: who.id,
  sort: who.name,
  kind: 'direct',
  agent: who.id,
  who: fixtureWho(who),
  talk: null,
  unread: 0,
  last: null,
  ...change,
})
const othersTalk: OthersTalkRow = {
  id: 'their-talk',
  sort: '2',
  kind: 'othersTalk',
  task: 'their-talk' as TaskId,
  members: [fixtureWho(BEN), fixtureWho(CODER)],
  messages: 3,
  createdAt: ago(60),
  at: ago(5),
}
const open = (other: AgentId, rows: readonly AnyRow[], prepare?: (server: PageServer) => void) =>
  openPage(<TalkPage other={other} me={ANA.id} isOperator />, { rows: { direct: rows }, prepare })

describe('a private conversation that has not begun', () => {
  it('[R819] says who will read it, that who runs the server can read its files, and begins on a press', async () => {
    const { user, server } = await open(BEN.id, [row(BEN)])
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(
      screen.getByText(/Only you and Ben read this\. Anyone who runs the server can read its files\./),
    ).toBeTruthy()
    expect(screen.queryByText(/The agent sees this conversation alone/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Begin the conversation' }))
    await waitFor(() =>
      expect(server.called('POST', '/api/talks')).toEqual([expect.objectContaining({ with: BEN.id })]),
    )
  })

  it('with an agent says what the agent sees there', async () => {
    await open(CODER.id, [row(CODER)])
    expect(await screen.findByText(/The agent sees this conversation alone/)).toBeTruthy()
  })

  it('says why it did not begin', async () => {
    const { user } = await open(BEN.id, [row(BEN)], (server) =>
      server.answer('POST /api/talks', refused('RECEIVER_GONE', { name: 'Ben' })),
    )
    await user.click(await screen.findByRole('button', { name: 'Begin the conversation' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Ben')
  })

  it('is none with somebody who is not in the list', async () => {
    await open(CODER.id, [row(BEN)])
    expect(await screen.findByRole('heading', { name: 'Conversation not found' })).toBeTruthy()
  })
})

describe('the list of private conversations', () => {
  it('[R816] names those of others without their words, apart from mine', async () => {
    await openPage(<Members current={null} />, {
      rows: { direct: [row(BEN, { unread: 2, last: { text: 'Hello', at: ago(1), isMine: false } }), othersTalk] },
    })
    const mine = within(await screen.findByRole('navigation', { name: 'Conversations' }))
    expect(mine.getAllByRole('link')).toHaveLength(1)
    expect(mine.getByRole('link', { name: /^Ben, person.*2 unread/ })).toBeTruthy()
    const others = within(screen.getByRole('region', { name: 'Conversations of others' }))
    expect(others.getByRole('listitem').textContent).toContain('3 messages')
    expect(others.queryByRole('link')).toBeNull()
  })
})
