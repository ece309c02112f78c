/** The list of private conversations: who stands in it, what is unread, what is known of talks of others. */
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectTalk } from '@/lib/mas/tasks/talks'
import type { AnyRow, DirectRow, DirectTotals, OthersTalkRow } from '@/lib/wire/rows'
import { isRecordView, parseView } from '@/lib/wire/views'
import { freshRows } from '@/test/watching'
import { BASE_TASK, openTask, Story, send, TEAM } from '@/test/worldHistories'
import { scopeOfView } from '../scopes'

const { ana, ben, lee, reader, manager } = TEAM

function rowsOf(world: World, person: AgentId, view: string): AnyRow[] {
  const parsed = parseView(view)
  if (parsed === null || isRecordView(parsed)) throw new Error(view)
  const { scopeKey, closed } = scopeOfView(world, person, parsed)
  if (scopeKey === null) throw new Error(closed)
  return freshRows(world, parsed, scopeKey).sort((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : 0))
}
const listOf = (world: World, person: AgentId) =>
  rowsOf(world, person, 'direct').filter((row): row is DirectRow => row.kind === 'direct')
const othersOf = (world: World, person: AgentId) =>
  rowsOf(world, person, 'direct').filter((row): row is OthersTalkRow => row.kind === 'othersTalk')
const unreadOf = (world: World, person: AgentId) =>
  (rowsOf(world, person, 'direct').find(({ id }) => id === '$') as DirectTotals).unread

/** Says each of these in the talk of the two, which it opens. */
function says(story: Story, by: AgentId, to: AgentId, ...texts: string[]): void {
  // Who has had a task with an agent knows it.
  const isKnown = Object.values(story.world.tasks).some(({ group }) => group.includes(to))
  if (!isKnown) openTask(story)
  story.put(by, { type: 'openTalk', with: to })
  const talk = selectTalk(story.world, by, to)
  if (talk === null) throw new Error('no talk')
  for (const text of texts) story.put(by, send(by, [to], { task: talk.id, text }))
}

describe('the list of private conversations', () => {
  it('[M1] tells the newest word of either, no matter who said it, and who wrote last first', () => {
    const story = new Story()
    says(story, ben.id, lee.id, 'first')
    says(story, ben.id, reader.id, 'second')
    says(story, lee.id, ben.id, 'third')
    expect(
      listOf(story.world, ben.id)
        .slice(0, 3)
        .map(({ who, talk, last }) => [who.name, talk !== null, last?.text ?? null, last?.isMine ?? null]),
    ).toEqual([
      ['Lee', true, 'third', false],
      ['Reader', true, 'second', true],
      ['Ana', false, null, null],
    ])
  })

  it('[M5] holds nothing that was written in a task, to one member or to all', () => {
    const story = new Story()
    story.put(ben.id, send(ben.id, [manager.id], { text: 'in the base task' }))
    expect(listOf(story.world, ben.id).map(({ last }) => last)).toEqual(listOf(story.world, ben.id).map(() => null))
  })

  it('counts what was sent to me and not seen, each once', () => {
    const story = new Story()
    says(story, lee.id, ben.id, 'hello', 'again')
    expect([unreadOf(story.world, ben.id), unreadOf(story.world, lee.id)]).toEqual([2, 0])
    const talk = selectTalk(story.world, ben.id, lee.id)
    const messages = Object.values(story.world.messages[talk?.id ?? BASE_TASK] ?? {}).map(({ id }) => id)
    story.put(ben.id, { type: 'markShown', messages: messages.slice(0, 1) })
    expect(unreadOf(story.world, ben.id)).toBe(1)
  })

  it('[R816] shows of a talk of others that it exists, to who sees all tasks, and nothing of it to anybody else', () => {
    const story = new Story()
    says(story, ben.id, reader.id, 'PRIVATEWORD', 'more')
    expect(othersOf(story.world, lee.id)).toEqual([])
    expect(othersOf(story.world, ben.id)).toEqual([])
    expect(othersOf(story.world, ana.id)).toMatchObject([
      { messages: 2, members: [{ name: 'Ben' }, { name: 'Reader' }] },
    ])
    for (const person of [ana.id, lee.id]) {
      const shown = ['direct', 'overview', 'waits', 'me', ...(person === ana.id ? ['agents'] : [])].flatMap((view) =>
        rowsOf(story.world, person, view),
      )
      expect(JSON.stringify(shown)).not.toContain('PRIVATEWORD')
      const task = selectTalk(story.world, ben.id, reader.id)?.id
      for (const view of [`task:${task}`, `tree:${task}`, `timeline:${task}`]) {
        const parsed = parseView(view)
        if (parsed === null) throw new Error(view)
        expect([view, scopeOfView(story.world, person, parsed).closed]).toEqual([view, 'not-allowed'])
      }
    }
  })
})
