/** What single rows of the inbox say, and in which order rows stand that are put to somebody at the same time. */
import { describe, expect, it } from 'vitest'
import { event, type MasEvent } from '@/lib/mas/events'
import type { AgentId, MessageId, RequestId, TaskId, ThreadId } from '@/lib/mas/ids'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { Attachment, World } from '@/lib/mas/records'
import { isSameList } from '@/lib/memo'
import type { MessageRow, NoticeRow, RequestRow, WaitingRow } from '@/lib/wire/rows'
import { isRecordView, parseView } from '@/lib/wire/views'
import { AGENTS, PEOPLE, TASKS } from '@/test/histories'
import { sampleShapeOf } from '@/test/samples'
import { scopeOfView } from '../scopes'
import { rowSourceOf } from '.'
import { ME_LIMITS } from './me'
import { openItemsOf, seenMessagesOf, sentCount, settledMessagesOf } from './openItems'
import {
  delivery,
  eight,
  itemsOf,
  locked,
  meOf,
  message,
  newId,
  play,
  playOn,
  request,
  STAGE,
  taskWith,
  totalsOf,
} from './test/rowsWorld'

const changed = (made: MasEvent, more: object): MasEvent => (made.type === 'message.sent' ? { ...made, ...more } : made)
const requestIn = (world: World, id: RequestId, person: AgentId = PEOPLE.ben) =>
  meOf(world, person).find((row): row is RequestRow => row.kind === 'request' && row.id === id)
const file: Attachment = {
  name: 'list.csv',
  savedAs: 'inbox/list.csv',
  body: { sha: 'a'.repeat(64), bytes: 3, preview: '', mime: 'text/csv' },
}

describe('the order of the inbox', () => {
  it('[M1] is by group, then by age, whatever came in between', () => {
    const [late, early] = eight<RequestId>()
    const [mention, other] = eight<MessageId>()
    const world = play(
      [message(PEOPLE.ana, PEOPLE.ben, { mention: true }, mention)],
      [request({ id: early })],
      [message(PEOPLE.ana, PEOPLE.ben, { mention: true }, other)],
      [request({ id: late })],
    )
    expect(itemsOf(meOf(world, PEOPLE.ben)).map(([, id]) => id)).toEqual([early, late, mention, other])
  })

  it('[M1] leaves out what comes last of more than fifty in all groups together', () => {
    const some = (count: number, needs: Parameters<typeof message>[2]) =>
      Array.from({ length: count }, () => message(PEOPLE.ana, PEOPLE.ben, needs))
    const groups = (count: number) => {
      const rows = meOf(play(some(count, { mention: true }), some(30, { reply: true })), PEOPLE.ben)
      const shown = itemsOf(rows).map(([group]) => group)
      return [shown.filter((group) => group === 'action').length, shown.filter((group) => group === 'mention').length]
    }
    expect([groups(20), groups(21)]).toEqual([
      [30, 20],
      [30, ME_LIMITS.open - 30],
    ])
  })
})

describe('the row of a request', () => {
  it('[M1] has its files and its stage only where it has them', () => {
    const [plain, full] = eight<RequestId>()
    const [bare, of] = eight<MessageId>()
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, { reply: true }, bare), request({ id: plain, message: bare })],
      [changed(message(AGENTS.coder, PEOPLE.ben, { reply: true }, of), { attachments: [file] })],
      [request({ id: full, message: of, stage: STAGE }), delivery(of, PEOPLE.ben, 'shown')],
    )
    expect(requestIn(world, full)).toMatchObject({
      attachments: [file],
      stage: { number: 1, name: 'a goal' },
      asker: { name: 'Coder' },
      asked: [{ name: 'Ben' }],
      answeredBy: null,
      changed: true,
    })
    expect(requestIn(world, plain)).toMatchObject({ stage: null, part: null })
    expect(requestIn(world, plain)).not.toHaveProperty('attachments')
    const none = newId<RequestId>()
    expect(requestIn(play([request({ id: none })]), none)).toMatchObject({
      changed: false,
      changes: [],
    })
  })

  it('[M1] holds up its stage only when somebody waits or when it is a part, and only a part has goals', () => {
    const [asked, waits, part, loose] = eight<RequestId>()
    const world = play([
      request({ id: asked, stage: STAGE, question: 'Write the headings.' }),
      request({ id: waits, stage: STAGE, lock: newId() }),
      request({ id: part, stage: STAGE, kind: 'part' }),
      request({ id: loose, lock: newId() }),
    ])
    const holds = [asked, waits, part, loose].map((id) => requestIn(world, id)?.holdsUp.stage)
    expect(holds).toEqual([false, true, true, false])
    expect([asked, waits, loose].map((id) => requestIn(world, id)?.part)).toEqual([null, null, null])
    expect(requestIn(world, part)?.part).toMatchObject({ goal: 'check it', stageGoal: 'a goal' })
    // A part that an operator sees done for somebody is the other's.
    const coders = newId<RequestId>()
    const done = play(
      [request({ id: coders, kind: 'part', stage: STAGE, asked: [AGENTS.coder] })],
      [
        event('request.answered', {
          task: TASKS.build,
          request: coders,
          answer: { by: PEOPLE.ben, for: AGENTS.coder, decision: 'done', text: '', arguments: null },
        }),
      ],
    )
    expect(requestIn(done, coders)).toMatchObject({ part: { goal: 'code it' }, answeredBy: { name: 'Ben' } })
  })

  it('[M1] names nobody who waits where no agent asked, or where it is over', () => {
    const [system, mine] = eight<RequestId>()
    const lock = locked(AGENTS.coder, TASKS.build, PEOPLE.ben)
    const id = lock.type === 'lock.added' ? lock.lock.id : newId<never>()
    const world = play([
      request({ id: system, asker: SYSTEM_TASK, lock: newId() }),
      request({ id: mine, lock: id }),
      lock,
    ])
    expect(requestIn(world, system)?.holdsUp.agents).toEqual([])
    expect(requestIn(world, mine)?.holdsUp.agents).toMatchObject([{ name: 'Coder' }])
    const answer = { by: PEOPLE.ben, for: null, decision: 'answer', text: 'this', arguments: null } as const
    const over = playOn(world, [event('request.answered', { task: TASKS.build, request: mine, answer })])
    expect(requestIn(over, mine)?.holdsUp.agents).toEqual([])
  })
})

describe('other rows of the inbox', () => {
  it('[M1] name their task, their sender, and what became of it for those who were asked', () => {
    const [unread, sent] = eight<MessageId>()
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, {}, unread)],
      [message(PEOPLE.ben, AGENTS.coder, { reply: true }, sent)],
    )
    const rows = meOf(world, PEOPLE.ben)
    expect(rows.find((row): row is MessageRow => row.kind === 'message')).toMatchObject({
      id: unread,
      taskName: 'build',
      sender: { name: 'Coder' },
    })
    expect(rows.find((row): row is WaitingRow => row.kind === 'waiting')).toMatchObject({
      taskName: 'build',
      outcomes: [
        { who: { name: 'Coder' }, state: 'delivered', settledAt: null, reassigned: null, transferredTo: null },
      ],
    })
  })

  it('[M1] are the newest fifty notices, and the totals count all of them', () => {
    const { notice } = sampleShapeOf('notice.given')
    const given = (count: number) =>
      Array.from({ length: count }, () => [
        event('notice.given', { task: TASKS.build, agent: PEOPLE.ben, notice: { ...notice, id: newId() } }),
      ])
    const noticesIn = (world: World) => meOf(world, PEOPLE.ben).filter((row): row is NoticeRow => row.kind === 'notice')
    const [full, one] = [given(ME_LIMITS.notices), given(ME_LIMITS.notices + 1)]
    expect(noticesIn(play(...full))).toHaveLength(ME_LIMITS.notices)
    const more = play(...one)
    expect(noticesIn(more)).toHaveLength(ME_LIMITS.notices)
    expect(totalsOf(meOf(more, PEOPLE.ben)).notices).toBe(ME_LIMITS.notices + 1)
    const first = more.notices[PEOPLE.ben]?.[0]?.id
    expect(noticesIn(more).map(({ id }) => id)).not.toContain(first)
    expect(noticesIn(more)[0]).toMatchObject({ taskName: 'build' })
  })

  it('[M1] tell what was done by when it was answered or settled, not by when it was asked', () => {
    const [asked, settled] = [newId<RequestId>(), newId<MessageId>()]
    const answer = { by: PEOPLE.ben, for: null, decision: 'answer', text: 'this', arguments: null } as const
    const world = play(
      [request({ id: asked }), message(PEOPLE.ana, PEOPLE.ben, { reply: true }, settled)],
      [delivery(settled, PEOPLE.ben, 'done')],
      [event('request.answered', { task: TASKS.build, request: asked, answer })],
    )
    expect(itemsOf(meOf(world, PEOPLE.ben))).toEqual([
      ['done', asked],
      ['done', settled],
    ])
    const turned = play(
      [message(PEOPLE.ana, PEOPLE.ben, { reply: true }, settled), request({ id: asked })],
      [event('request.answered', { task: TASKS.build, request: asked, answer })],
      [delivery(settled, PEOPLE.ben, 'done')],
    )
    expect(itemsOf(meOf(turned, PEOPLE.ben)).map(([, id]) => id)).toEqual([settled, asked])
  })
})

describe('what is put to one person in a task', () => {
  it('[M1] is no message that left the world, no FYI among what was done, and nothing that ran out', () => {
    const [fyi, ended, order, refused] = eight<MessageId>()
    const world = play(
      [message(PEOPLE.ana, PEOPLE.ben, {}, fyi), delivery(fyi, PEOPLE.ben, 'done')],
      [message(PEOPLE.ana, PEOPLE.ben, { reply: true }, ended), delivery(ended, PEOPLE.ben, 'done')],
      [changed(message(PEOPLE.ana, PEOPLE.ben, {}, order), { instruction: { type: 'finish_task' } })],
      [delivery(order, PEOPLE.ben, 'shown')],
      [message(PEOPLE.ana, PEOPLE.ben, { reply: true }, refused), delivery(refused, PEOPLE.ben, 'expired')],
    )
    const ids = (items: readonly { message: { id: MessageId } }[]) => items.map(({ message: { id } }) => id)
    expect(ids(settledMessagesOf(world, TASKS.build, PEOPLE.ben))).toEqual([ended])
    expect(ids(seenMessagesOf(world, TASKS.build, PEOPLE.ben))).toEqual([])
    const { messages: _, ...rest } = world
    const without: World = { ...rest, messages: {} }
    expect(openItemsOf(without, TASKS.build, PEOPLE.ben)).toEqual([])
    expect(settledMessagesOf(without, TASKS.build, PEOPLE.ben)).toEqual([])
    expect(seenMessagesOf(without, TASKS.build, PEOPLE.ben)).toEqual([])
  })

  it('[M1] is not rung for once it was acknowledged', () => {
    const [asked, of] = [newId<RequestId>(), newId<MessageId>()]
    const urgent = [
      message(AGENTS.coder, PEOPLE.ben, { waits: true }, of),
      request({ id: asked, message: of, type: 'urgent' }),
    ]
    const rings = (world: World) => totalsOf(meOf(world, PEOPLE.ben)).urgentUnacknowledged
    expect(rings(play(urgent))).toBe(1)
    const acknowledged = event('request.claimed', { task: TASKS.build, request: asked, agent: PEOPLE.ben, until: null })
    expect(rings(play(urgent, [acknowledged]))).toBe(0)
    expect(rings(play([request({ id: asked, type: 'urgent' })]))).toBe(1)
    expect(rings(play([message(PEOPLE.ana, PEOPLE.ben, { reply: true })]))).toBe(0)
  })

  it('[M1] is what was sent to somebody else only when it asks for something', () => {
    const world = play([message(PEOPLE.ben, AGENTS.coder), message(PEOPLE.ben, AGENTS.coder, { reply: true })])
    expect(totalsOf(meOf(world, PEOPLE.ben)).waitingOnOthers).toBe(1)
    const counts = [PEOPLE.ben, PEOPLE.ana].map((person) => sentCount(world, TASKS.build, person))
    expect([...counts, sentCount(world, TASKS.docs, PEOPLE.ben)]).toEqual([2, 0, 0])
  })
})

describe('what can change the inbox', () => {
  /** Did anything that the rows read change from one world to the next? */
  const isTouched = (before: World, ...decisions: MasEvent[][]): boolean => {
    const parsed = parseView('me')
    if (parsed === null || isRecordView(parsed)) throw new Error('me')
    const { scopeKey } = scopeOfView(before, PEOPLE.ben, parsed)
    if (scopeKey === null) throw new Error('closed')
    const { inputs } = rowSourceOf(parsed, scopeKey)
    return !isSameList(inputs(before), inputs(playOn(before, ...decisions)))
  }
  const others = message(PEOPLE.ana, AGENTS.coder, { reply: true })
  const of = others.type === 'message.sent' ? others.message : newId<MessageId>()

  it('[M1] is not what others do with messages of others, unless the reader sent something', () => {
    const world = play([others])
    expect(isTouched(world, [delivery(of, AGENTS.coder, 'answered')])).toBe(false)
    expect(
      isTouched(playOn(world, [message(PEOPLE.ben, AGENTS.coder)]), [delivery(of, AGENTS.coder, 'answered')]),
    ).toBe(true)
  })

  it('[M1] is who comes to wait with what is put to the reader', () => {
    const [asked, lock] = [newId<RequestId>(), locked(AGENTS.coder, TASKS.build, PEOPLE.ben)]
    const id = lock.type === 'lock.added' ? lock.lock.id : null
    const world = play([request({ id: asked, lock: id }), lock])
    expect(isTouched(world, [locked(AGENTS.manager, TASKS.build, AGENTS.coder)])).toBe(true)
    expect(isTouched(world, [locked(AGENTS.tester, TASKS.docs, AGENTS.manager)])).toBe(false)
    expect(isTouched(play([others]), [locked(AGENTS.manager, TASKS.build, AGENTS.coder)])).toBe(false)
  })
})

describe('the row of a message that tells the end of a task', () => {
  const THREAD = newId<ThreadId>()
  const ends = (task: TaskId, receiver: AgentId, more: object) => {
    const id = newId<MessageId>()
    return {
      id,
      sent: changed(message(PEOPLE.ana, receiver, { mention: true }, id, task), { sender: SYSTEM_TASK, ...more }),
    }
  }
  const endedIn = (world: World, person: AgentId, id: MessageId) => {
    const row = meOf(world, person).find((one): one is MessageRow => one.kind === 'message' && one.id === id)
    return row && ('ended' in row ? row.ended : 'none')
  }
  const finish = event('task.finished', { task: TASKS.build, state: 'finished', summary: 'done' })

  it('[M1] names the task to its members, and to the person who asked for it in their thread', () => {
    const asked = ends(TASKS.base, PEOPLE.ben, { thread: THREAD })
    const other = ends(TASKS.base, PEOPLE.ben, { thread: 'another' })
    const byHand = newId<MessageId>()
    const said = changed(message(PEOPLE.ana, PEOPLE.ben, { mention: true }, byHand, TASKS.base), { thread: THREAD })
    const ended = playOn(
      taskWith(play([]), TASKS.build, { requestedIn: { task: TASKS.base, thread: THREAD } }),
      [finish],
      [asked.sent, other.sent, said],
    )
    expect([asked.id, other.id, byHand].map((id) => endedIn(ended, PEOPLE.ben, id))).toEqual([
      TASKS.build,
      'none',
      'none',
    ])
    // Ana reads everything; Cyn is not in the task that ended.
    const toCyn = ends(TASKS.base, PEOPLE.cyn, { thread: THREAD })
    expect(endedIn(playOn(ended, [toCyn.sent]), PEOPLE.cyn, toCyn.id)).toBe('none')
  })

  it('[R515] stands first in its group where the reader asked for the task, with the headline, until it was seen', () => {
    const [early, late] = eight<MessageId>()
    const note = (id: MessageId) => message(PEOPLE.ana, PEOPLE.ben, {}, id, TASKS.build)
    const told = ends(TASKS.base, PEOPLE.ben, { thread: THREAD, mention: false })
    const result = { headline: 'Pears cost 3.20.', facts: [], leftOut: [] }
    const before = taskWith(play([]), TASKS.build, {
      requestedIn: { task: TASKS.base, thread: THREAD },
      requestedBy: PEOPLE.ben,
    })
    const world = playOn(before, [note(early)], [{ ...finish, result } as MasEvent], [told.sent], [note(late)])
    const unread = (of: World, person = PEOPLE.ben) =>
      meOf(of, person).flatMap((row) => (row.kind === 'message' && row.group === 'unread' ? [row] : []))
    const inOrder = (of: World) => unread(of).toSorted((a, b) => (a.sort < b.sort ? -1 : 1))
    expect(inOrder(world).map(({ id }) => id)).toEqual([told.id, early, late])
    expect(inOrder(world)[0]).toMatchObject({ ended: TASKS.build, headline: 'Pears cost 3.20.' })
    // Behind everything that needs more of the reader than to be read.
    const asked = newId<RequestId>()
    const [first] = meOf(playOn(world, [request({ id: asked })]), PEOPLE.ben)
      .filter((row) => row.kind === 'message' || row.kind === 'request')
      .toSorted((a, b) => (a.sort < b.sort ? -1 : 1))
    expect(first?.id).toBe(asked)
    expect(
      unread(playOn(world, [{ ...delivery(told.id, PEOPLE.ben, 'shown'), task: TASKS.base } as MasEvent])).map(
        ({ id }) => id,
      ),
    ).not.toContain(told.id)
    // Another person's task, which Ben reads as a member, has no such place.
    const others = taskWith(world, TASKS.build, { requestedBy: PEOPLE.ana })
    expect(inOrder(others).map(({ id }) => id)).toEqual([early, told.id, late])
  })
})
