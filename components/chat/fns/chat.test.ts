import { describe, expect, it } from 'vitest'
import type { AgentId, MessageId, StageId, TaskId } from '@/lib/mas/ids'
import type { AgentRecord, MessageRecord, ReceiptRecord, RequestRecord, TaskRecord } from '@/lib/mas/records'
import { entriesOf, foldRuns, indexOfMessage, messageCount, openRuns, runOfMessage, talkersOf, withDays } from './lines'
import { bestMatch, chosenReceivers, matchingChoices, mentionAt, receiverChoices, typeCommand } from './members'
import { countReceipts, messageForMe, pendingRows, reachedStates, receiptRows } from './receipts'

const id = <Id extends string>(text: string): Id => text as Id
const TASK = id<TaskId>('t')
const [ANA, BEN, CODER, MANAGER, TESTER] = ['ana', 'ben', 'coder', 'manager', 'tester'].map((name) =>
  id<AgentId>(name),
) as [AgentId, AgentId, AgentId, AgentId, AgentId]
const isPerson = (who: string): boolean => who === ANA || who === BEN

let made = 0
const message = (
  sender: MessageRecord['sender'],
  receivers: AgentId[],
  change: Partial<MessageRecord> = {},
): MessageRecord => {
  made += 1
  const own = id<MessageId>(`m${made}`)
  return {
    id: own,
    task: TASK,
    sender,
    receivers,
    text: `text ${made}`,
    stage: null,
    needReply: false,
    waiting: null,
    returnWaiting: null,
    instruction: null,
    dispatch: own,
    thread: null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention: false,
    fromStep: null,
    at: made * 1_000,
    seq: made,
    ...change,
  }
}

describe('the lines of a chat', () => {
  it('stand in journal order, whatever order they came in', () => {
    const [one, two, three] = [message(ANA, [BEN]), message(BEN, [ANA]), message(ANA, [BEN])]
    expect(entriesOf([three, one, two], []).map(({ key }) => key)).toEqual(
      [one, two, three].map(({ sender, dispatch }) => `b:${sender}:${dispatch}`),
    )
  })

  it('are one bubble for what one act sent, and two for the same dispatch of two senders', () => {
    const first = message(ANA, [BEN], { dispatch: 'd' })
    const second = message(ANA, [CODER], { dispatch: 'd' })
    const other = message(BEN, [ANA], { dispatch: 'd' })
    const lines = entriesOf([first, second, other], [])
    expect(lines.map((line) => (line.kind === 'bubble' ? line.receivers : null))).toEqual([[BEN, CODER], [ANA]])
  })

  it('say once what the task says to each of many', () => {
    const instruction = { type: 'start_stage', stage: id<StageId>('s') } as const
    const said = [CODER, TESTER, ANA].map((receiver) => message('system:task', [receiver], { instruction, at: 5 }))
    expect(entriesOf(said, [])).toHaveLength(1)
  })

  it('show a request by itself when no member’s message carries it', () => {
    const asked = message(CODER, [ANA], { needReply: true })
    const part = message('system:task', [ANA])
    const request = (of: MessageId | null, openedSeq: number): RequestRecord =>
      ({ id: `r${openedSeq}`, message: of, openedAt: 0, openedSeq }) as RequestRecord
    const lines = entriesOf([asked, part], [request(asked.id, 900), request(part.id, 901), request(null, 902)])
    expect(lines.filter(({ kind }) => kind === 'request').map(({ seq }) => seq)).toEqual([901, 902])
  })

  it('have each day’s name before its first line', () => {
    const lines = withDays(
      entriesOf([message(ANA, [BEN], { at: 1 }), message(ANA, [BEN], { at: 2 }), message(ANA, [BEN], { at: 11 })], []),
      (at) => (at < 10 ? 'one' : 'two'),
    )
    expect(lines.map(({ kind }) => kind)).toEqual(['day', 'bubble', 'bubble', 'day', 'bubble'])
  })
})

describe('talk among agents', () => {
  it('folds while nobody addresses a person, and only then', () => {
    const entries = entriesOf(
      [
        message(MANAGER, [CODER]),
        message(CODER, [MANAGER], { needReply: true }),
        message(CODER, [ANA]),
        message(TESTER, [MANAGER]),
        message(ANA, [TESTER]),
      ],
      [],
    )
    const lines = foldRuns(entries, isPerson)
    expect(lines.map((line) => (line.kind === 'run' ? messageCount(line) : line.kind))).toEqual([
      2,
      'bubble',
      1,
      'bubble',
    ])
  })

  it('keeps the landmarks of the task in sight and folds its orders to agents', () => {
    const stage = id<StageId>('s')
    const entries = entriesOf(
      [
        message(MANAGER, [CODER]),
        message('system:task', [MANAGER], { instruction: { type: 'judge_stage', stage } }),
        message('system:task', [CODER], { instruction: { type: 'finish_stage', stage, failed: false } }),
      ],
      [],
    )
    expect(foldRuns(entries, isPerson).map(({ kind }) => kind)).toEqual(['run', 'system'])
  })

  it('keeps in sight what the task tells to nobody in particular: a person acted upon the work', () => {
    const entries = entriesOf([message(MANAGER, [CODER]), message('system:task', []), message(CODER, [MANAGER])], [])
    expect(foldRuns(entries, isPerson).map(({ kind }) => kind)).toEqual(['run', 'system', 'run'])
  })

  it('names who talks, opens where it stands, and finds a message inside', () => {
    const [one, two] = [message(MANAGER, [CODER]), message(CODER, [MANAGER])]
    const lines = foldRuns(entriesOf([one, two, message(ANA, [CODER])], []), isPerson)
    const run = runOfMessage(lines, two.id)
    if (run === null) throw new Error('the run is missing')
    expect(talkersOf(run)).toEqual([MANAGER, CODER])
    expect(
      indexOfMessage(
        withDays(lines, () => 'd'),
        two.id,
      ),
    ).toBe(-1)
    const opened = withDays(
      openRuns(lines, (key) => key === run.key),
      () => 'd',
    )
    expect(opened.map(({ kind }) => kind)).toEqual(['day', 'run', 'bubble', 'bubble', 'bubble'])
    expect(indexOfMessage(opened, two.id)).toBe(3)
  })
})

describe('receipts', () => {
  const receipt = (state: ReceiptRecord['state'], shownAt: number | null = null): ReceiptRecord =>
    ({ state, shownAt }) as ReceiptRecord
  it('count what the type asks for, and never a release as an answer', () => {
    const rows = [
      receipt('delivered'),
      receipt('shown', 1),
      receipt('acknowledged', 1),
      receipt('done', 1),
      receipt('released', 1),
    ].map((one) => ({ receiver: ANA, receipt: one }))
    expect(countReceipts('fyi', rows)).toEqual({ n: 4, of: 5 })
    expect(countReceipts('action', rows)).toEqual({ n: 1, of: 5 })
    expect(countReceipts('urgent', rows)).toEqual({ n: 2, of: 5 })
  })

  it('tell every state that was reached, each with its own time', () => {
    const at = (times: Partial<ReceiptRecord>): string =>
      reachedStates(
        { deliveredAt: 10, shownAt: null, acknowledgedAt: null, settledAt: null, ...times } as ReceiptRecord,
        10,
      )
        .map((one) => `${one.state} ${one.at}`)
        .join(', ')
    expect(at({ state: 'queued', deliveredAt: null })).toBe('queued 10')
    expect(at({ state: 'shown', deliveredAt: 15, shownAt: 20 })).toBe('queued 10, delivered 15, shown 20')
    expect(at({ state: 'done', shownAt: 20, acknowledgedAt: 30, settledAt: 40 })).toBe(
      'delivered 10, shown 20, acknowledged 30, done 40',
    )
    // Answered without a word before: no acknowledging of its own.
    expect(at({ state: 'answered', shownAt: 20, acknowledgedAt: 40, settledAt: 40 })).toBe(
      'delivered 10, shown 20, answered 40',
    )
    expect(at({ state: 'expired', settledAt: 50 })).toBe('delivered 10, expired 50')
  })

  it('have a row for each receiver, also before any is known', () => {
    const sent = [message(ANA, [BEN], { dispatch: 'x' }), message(ANA, [CODER], { dispatch: 'x' })]
    const [bubble] = entriesOf(sent, [])
    if (bubble?.kind !== 'bubble') throw new Error('no bubble')
    expect(receiptRows(bubble, {}).map(({ receiver, receipt: one }) => [receiver, one])).toEqual([
      [BEN, null],
      [CODER, null],
    ])
  })
})

describe('a message that was put to one more person', () => {
  const sent = message(ANA, [BEN], { needReply: true })
  const bubble = { messages: [sent] }
  const given = (more: Partial<ReceiptRecord>): ReceiptRecord =>
    ({
      receiver: TESTER,
      message: sent.id,
      state: 'done',
      settledAt: 9,
      passed: { from: BEN, by: 'handOver', at: 5 },
      ...more,
    }) as ReceiptRecord
  const of = (theirs: ReceiptRecord, his: Partial<ReceiptRecord> = {}) => ({
    [BEN]: { [sent.id]: { receiver: BEN, message: sent.id, state: 'done', settledAt: 9, ...his } as ReceiptRecord },
    [TESTER]: { [sent.id]: theirs },
  })

  it('has a row for them too, and is counted for whom it was sent to', () => {
    const rows = receiptRows(bubble, of(given({})))
    expect(rows.map(({ receiver }) => receiver)).toEqual([BEN, TESTER])
    expect(countReceipts('action', rows)).toEqual({ n: 1, of: 1 })
  })

  it('is theirs to see to, until they said that it is not; who handed it on is reminded no more', () => {
    const open = of(given({ state: 'delivered', settledAt: null }), {
      state: 'shown',
      settledAt: null,
      handedTo: TESTER,
    })
    expect(messageForMe(bubble, open, TESTER)?.id).toBe(sent.id)
    expect(messageForMe(bubble, of(given({ state: 'superseded' })), TESTER)).toBeNull()
    expect(pendingRows('action', receiptRows(bubble, open)).map(({ receiver }) => receiver)).toEqual([TESTER])
  })
})

describe('whom a message goes to', () => {
  const agent = (who: AgentId, kind: 'llm' | 'human', groups: string[], removed = false): AgentRecord =>
    ({ id: who, name: `${who}`, kind, role: kind === 'llm' ? 'builds' : 'person', groups, removed }) as AgentRecord
  const world = {
    tasks: { [TASK]: { group: [ANA, BEN, CODER, TESTER] } as TaskRecord },
    agents: {
      [ANA]: agent(ANA, 'human', ['designers']),
      [BEN]: agent(BEN, 'human', ['designers']),
      [CODER]: agent(CODER, 'llm', ['designers']),
      [TESTER]: agent(TESTER, 'llm', [], true),
    },
  }

  it('is people, then agents, then role groups; never me, never who was removed', () => {
    expect(receiverChoices(world, TASK, ANA).map(({ id: who }) => who)).toEqual([BEN, CODER, 'group:designers'])
  })

  it('is found by name, id or role; Enter takes the name that begins so', () => {
    const choices = receiverChoices(world, TASK, ANA)
    const shown = matchingChoices(choices, 'der')
    expect(shown.map(({ id: who }) => who)).toEqual([CODER])
    expect(matchingChoices(choices, 'b').map(({ id: who }) => who)).toEqual([BEN, CODER])
    expect(bestMatch(matchingChoices(choices, 'b'), 'b')).toBe(0)
    const all = matchingChoices(choices, 'e')
    expect(all[bestMatch(all, 'des')]?.id).toBe('group:designers')
    expect(bestMatch(all, 'buil')).toBe(all.findIndex(({ id: who }) => who === CODER))
    expect(matchingChoices(choices, 'zz')).toEqual([])
  })

  it('is a group of one’s own, as far as its members are here', () => {
    const saved = [
      { name: 'Bakers', members: [BEN, 'nobody'] },
      { name: 'Gone', members: ['nobody'] },
    ]
    const choices = receiverChoices(world, TASK, ANA, saved)
    expect(choices.filter(({ kind }) => kind === 'saved')).toEqual([
      { kind: 'saved', id: 'saved:Bakers', name: 'Bakers', members: [BEN] },
    ])
    expect(chosenReceivers(['saved:Bakers', BEN], choices)).toEqual([BEN])
  })

  it('is found by the letters that a Chinese name is typed with', () => {
    const named = receiverChoices(
      { ...world, agents: { ...world.agents, [BEN]: { ...world.agents[BEN], name: '本杰明' } } } as typeof world,
      TASK,
      ANA,
    )
    expect(matchingChoices(named, 'bj').map(({ id }) => id)).toEqual([BEN])
  })

  it('is everyone when nobody was chosen, and each once when a group holds them too', () => {
    const choices = receiverChoices(world, TASK, ANA)
    expect(chosenReceivers([], choices)).toBe('all')
    expect(chosenReceivers([BEN, 'group:designers'], choices)).toEqual([BEN, CODER])
  })

  it('is asked for by an "@" at the start of a word, not by an address', () => {
    expect(mentionAt('hello @des', 10)).toEqual({ from: 6, typed: 'des' })
    expect(mentionAt('@', 1)).toEqual({ from: 0, typed: '' })
    expect(mentionAt('mail ana@x', 10)).toBeNull()
    expect(mentionAt('@ben wrote', 10)).toBeNull()
  })

  it('takes its type from a word at the start', () => {
    expect(typeCommand('/action check it')).toEqual({ type: 'action', rest: 'check it' })
    expect(typeCommand('/URGENT now')).toEqual({ type: 'urgent', rest: 'now' })
    expect(typeCommand('see /action')).toBeNull()
    expect(typeCommand('/actions now')).toBeNull()
  })
})
