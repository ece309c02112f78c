/** Talk among agents disturbs nobody, however much of it there is: from the world through the rows to what a page would do. */
import { describe, expect, it } from 'vitest'
import { NO_ALERTS_GIVEN, nextEscalation, titleMarkOf } from '@/client/notify/escalation'
import { firstUnread, foldRuns, chatEntriesOf as linesOf } from '@/components/chat/fns/lines'
import type { InboxRow } from '@/components/inbox/rows'
import { waitingItems } from '@/components/notify/waiting'
import { event } from '@/lib/mas/events'
import type { AgentId, MessageId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { DirectTotals, MeRow, MeTotals } from '@/lib/wire/rows'
import { scopeOfView } from '@/server/monitor/scopes'
import { AGENTS, apply, beginning, entriesOf, idAt, PEOPLE, TASKS } from './histories'
import { freshRows } from './watching'

const COUNT = 1_000
const say = (at: number, sender: AgentId, receiver: AgentId, mention = false) => {
  const message = idAt<MessageId>(50_000 + at)
  return event('message.sent', {
    task: TASKS.build,
    message,
    sender,
    receivers: [receiver],
    text: `word ${at}`,
    stage: null,
    kind: at % 2 === 0 ? 'action' : 'fyi',
    waiting: null,
    audience: 'task',
    returnWaiting: null,
    instruction: null,
    dispatch: message,
    thread: null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention,
    fromStep: null,
  })
}
const talked = (world: World, count: number, from = 0): World =>
  Array.from({ length: count }, (_, index) => from + index).reduce<World>(
    (now, at) =>
      apply(
        now,
        entriesOf(now, [at % 2 === 0 ? say(at, AGENTS.coder, AGENTS.manager) : say(at, AGENTS.manager, AGENTS.coder)]),
      ),
    world,
  )
const rowsOf = (world: World, view: 'me' | 'direct') => {
  const { scopeKey } = scopeOfView(world, PEOPLE.ben, { kind: view })
  if (scopeKey === null) throw new Error(view)
  return freshRows(world, { kind: view }, scopeKey)
}
const inboxOf = (world: World): InboxRow[] =>
  (rowsOf(world, 'me') as MeRow[]).filter((row): row is InboxRow => row.kind !== 'totals')

describe('1,000 messages among agents', () => {
  const before = beginning().world
  const world = talked(before, COUNT)
  const isPerson = (id: string) => id !== 'system:task' && world.agents[id as AgentId]?.kind === 'human'
  const lines = foldRuns(linesOf(Object.values(world.messages[TASKS.build] ?? {}), []), isPerson)

  it('are one folded line, and none of it is unread', () => {
    expect(lines.map(({ kind }) => kind)).toEqual(['run'])
    const [run] = lines
    expect(run?.kind === 'run' && run.entries.length).toBe(COUNT)
    expect(firstUnread(lines, before.seq, PEOPLE.ben)).toBeNull()
  })

  it('make no sound, no toast, no notice, no mark and no count, wherever the member looks', () => {
    for (const level of ['all', 'mentions', 'urgent'] as const) {
      const waiting = waitingItems(inboxOf(world), { levels: { [TASKS.build]: level } }, PEOPLE.ben).map(
        (one) => one.waiting,
      )
      for (const looking of ['away', 'elsewhere', 'atIt'] as const)
        expect(nextEscalation(NO_ALERTS_GIVEN, waiting, () => looking, false, world.at).effects).toEqual([])
      expect(titleMarkOf(waiting, true)).toEqual({ title: '', icon: 'plain' })
    }
    const totals = rowsOf(world, 'me').find(({ id }) => id === '$') as MeTotals
    expect([totals.needsMe, totals.notices]).toEqual([0, 0])
    expect((rowsOf(world, 'direct').find(({ id }) => id === '$') as DirectTotals).unread).toBe(0)
  })

  it('hide nothing that is for a person: it breaks the run and is told, as loudly as its task may', () => {
    const after = talked(
      apply(world, entriesOf(world, [say(COUNT + 1, AGENTS.coder, PEOPLE.ben, true)])),
      20,
      2 * COUNT,
    )
    const folded = foldRuns(linesOf(Object.values(after.messages[TASKS.build] ?? {}), []), isPerson)
    expect(folded.map(({ kind }) => kind)).toEqual(['run', 'bubble', 'run'])
    const effectsAt = (level: 'all' | 'mentions' | 'urgent') =>
      nextEscalation(
        NO_ALERTS_GIVEN,
        waitingItems(inboxOf(after), { levels: { [TASKS.build]: level } }, PEOPLE.ben).map((one) => one.waiting),
        () => 'elsewhere',
        false,
        after.at,
      ).effects.map(({ kind }) => kind)
    expect(effectsAt('mentions')).toEqual(['toast', 'chime'])
    expect(effectsAt('urgent')).toEqual([])
  })
})
