import { describe, expect, it } from 'vitest'
import { mentionAt } from '@/components/ui/fields/mentionAt'
import type { MessageOutcome, OutcomeSources } from '@/lib/mas/asks/outcomes'
import type { AgentId, MessageId, RequestId, StageId, TaskId } from '@/lib/mas/ids'
import type { AgentRecord, MessageRecord, RequestRecord, TaskRecord } from '@/lib/mas/records'
import { bubbleOutcomes, countOutcomes, messageForMe, pendingRows, reachedStates, remindedRows } from './deliveries'
import { chatEntriesOf, foldRuns, indexOfMessage, openRuns, runOfMessage, talkersOf, withDays } from './lines'
import { bestMatch, chosenReceivers, matchingChoices, receiverChoices, typeCommand } from './members'

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
    type: 'fyi',
    waiting: null,
    audience: 'task',
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
  it('lines of a chat are in journal order, whatever order they arrived in', () => {
    const [one, two, three] = [message(ANA, [BEN]), message(BEN, [ANA]), message(ANA, [BEN])]
    expect(chatEntriesOf([three, one, two], []).map(({ key }) => key)).toEqual(
      [one, two, three].map(({ sender, dispatch }) => `b:${sender}:${dispatch}`),
    )
  })

  it('a line is no message that only writes into a working memory', () => {
    const silent = message('system:task', [BEN, CODER], { instruction: { type: 'update_working_memory', stage: null } })
    const told = message('system:task', [BEN], { instruction: { type: 'finish_task' } })
    expect(chatEntriesOf([silent, told], []).flatMap((line) => (line.kind === 'system' ? line.messages : []))).toEqual([
      told,
    ])
  })

  it('one command makes one bubble, and the same dispatch of two senders makes two', () => {
    const first = message(ANA, [BEN], { dispatch: 'd' })
    const second = message(ANA, [CODER], { dispatch: 'd' })
    const other = message(BEN, [ANA], { dispatch: 'd' })
    const lines = chatEntriesOf([first, second, other], [])
    expect(lines.map((line) => (line.kind === 'bubble' ? line.receivers : null))).toEqual([[BEN, CODER], [ANA]])
  })

  it('a message of the task to many receivers is one line', () => {
    const instruction = { type: 'start_stage', stage: id<StageId>('s') } as const
    const said = [CODER, TESTER, ANA].map((receiver) => message('system:task', [receiver], { instruction, at: 5 }))
    expect(chatEntriesOf(said, [])).toHaveLength(1)
  })

  it('a request that no member’s message carries is a line of its own', () => {
    const asked = message(CODER, [ANA], { type: 'action' })
    const part = message('system:task', [ANA])
    const request = (of: MessageId | null, openedSeq: number): RequestRecord =>
      ({ id: `r${openedSeq}`, message: of, openedAt: 0, openedSeq }) as RequestRecord
    const lines = chatEntriesOf([asked, part], [request(asked.id, 900), request(part.id, 901), request(null, 902)])
    expect(lines.filter(({ kind }) => kind === 'request').map(({ seq }) => seq)).toEqual([901, 902])
  })

  it('each day’s name stands before its first line', () => {
    const lines = withDays(
      chatEntriesOf(
        [message(ANA, [BEN], { at: 1 }), message(ANA, [BEN], { at: 2 }), message(ANA, [BEN], { at: 11 })],
        [],
      ),
      (at) => (at < 10 ? 'one' : 'two'),
    )
    expect(lines.map(({ kind }) => kind)).toEqual(['day', 'bubble', 'bubble', 'day', 'bubble'])
  })
})

describe('talk among agents', () => {
  it('talk among agents folds while nobody addresses a person, and only then', () => {
    const entries = chatEntriesOf(
      [
        message(MANAGER, [CODER]),
        message(CODER, [MANAGER], { type: 'action' }),
        message(CODER, [ANA]),
        message(TESTER, [MANAGER]),
        message(ANA, [TESTER]),
      ],
      [],
    )
    const lines = foldRuns(entries, isPerson)
    expect(lines.map((line) => (line.kind === 'run' ? line.entries.length : line.kind))).toEqual([
      2,
      'bubble',
      1,
      'bubble',
    ])
  })

  it('landmarks of the task are shown, and its instructions to agents fold', () => {
    const stage = id<StageId>('s')
    const entries = chatEntriesOf(
      [
        message(MANAGER, [CODER]),
        message('system:task', [MANAGER], { instruction: { type: 'judge_stage', stage } }),
        message('system:task', [CODER], { instruction: { type: 'finish_stage', stage, failed: false } }),
      ],
      [],
    )
    expect(foldRuns(entries, isPerson).map(({ kind }) => kind)).toEqual(['run', 'system'])
  })

  it('a message of the task without receivers is shown, since it reports a command of a person', () => {
    const entries = chatEntriesOf(
      [message(MANAGER, [CODER]), message('system:task', []), message(CODER, [MANAGER])],
      [],
    )
    expect(foldRuns(entries, isPerson).map(({ kind }) => kind)).toEqual(['run', 'system', 'run'])
  })

  it('a run names who talks, opens in its place, and finds a message inside', () => {
    const [one, two] = [message(MANAGER, [CODER]), message(CODER, [MANAGER])]
    const lines = foldRuns(chatEntriesOf([one, two, message(ANA, [CODER])], []), isPerson)
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

describe('what became of a bubble', () => {
  const outcome = (state: MessageOutcome['state'], shownAt: number | null = null): MessageOutcome =>
    ({ state, shownAt, reassigned: null, transferredTo: null, request: { asked: [ANA] } }) as unknown as MessageOutcome
  it('deliveries are counted by the type of the message, and a release is no answer', () => {
    const rows = [
      outcome('delivered'),
      outcome('shown', 1),
      outcome('acknowledged', 1),
      outcome('done', 1),
      outcome('released', 1),
    ].map((one) => ({ receiver: ANA, outcome: one }))
    expect(countOutcomes('fyi', rows)).toEqual({ n: 4, of: 5 })
    expect(countOutcomes('action', rows)).toEqual({ n: 1, of: 5 })
    expect(countOutcomes('urgent', rows)).toEqual({ n: 2, of: 5 })
  })

  it('a reminder goes to all people who have not settled the message, also to who acknowledged an Urgent, and to no agent', () => {
    const rows = [outcome('shown', 1), outcome('acknowledged', 1), outcome('done', 1), null].map((one) => ({
      receiver: ANA,
      outcome: one,
    }))
    expect(remindedRows(rows).map(({ outcome: one }) => one?.state)).toEqual(['shown', 'acknowledged'])
    const agent = { receiver: CODER, outcome: { ...outcome('shown', 1), request: null } }
    expect(remindedRows([agent])).toEqual([])
  })

  it('a delivery tells every state that it reached, each with its time', () => {
    const at = (times: Partial<MessageOutcome>): string =>
      reachedStates(
        { deliveredAt: 10, shownAt: null, acknowledgedAt: null, settledAt: null, ...times } as MessageOutcome,
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

  it('each receiver has a row of deliveries, also before any is known', () => {
    const sent = [message(ANA, [BEN], { dispatch: 'x' }), message(ANA, [CODER], { dispatch: 'x' })]
    const [bubble] = chatEntriesOf(sent, [])
    if (bubble?.kind !== 'bubble') throw new Error('no bubble')
    expect(
      bubbleOutcomes(bubble, { deliveries: {}, requests: {} }).map(({ receiver, outcome: one }) => [receiver, one]),
    ).toEqual([
      [BEN, null],
      [CODER, null],
    ])
  })
})

describe('a message that was put to one more person', () => {
  const sent = message(ANA, [BEN], { type: 'action' })
  const bubble = { messages: [sent] }
  const asked = (change: Partial<RequestRecord>): OutcomeSources => ({
    deliveries: {},
    requests: {
      ['r' as RequestId]: {
        ...{ id: 'r', message: sent.id, number: null, type: 'action', state: 'open', claimed: null },
        ...change,
      } as RequestRecord,
    },
  })

  it('a message that was reassigned has a row for the new person and is counted for its receiver', () => {
    const answer = { by: TESTER, decision: 'done' } as RequestRecord['answer']
    const rows = bubbleOutcomes(
      bubble,
      asked({ asked: [TESTER], transferredBy: [BEN], state: 'answered', answer, endedAt: 9 }),
    )
    expect(rows.map(({ receiver }) => receiver)).toEqual([BEN, TESTER])
    expect(countOutcomes('action', rows)).toEqual({ n: 1, of: 1 })
  })

  it('a reassigned message is its new person’s until they decline it, and its receiver is no longer reminded', () => {
    const open = asked({ asked: [TESTER], transferredBy: [BEN] })
    expect(messageForMe(bubble, open, TESTER)?.id).toBe(sent.id)
    expect(messageForMe(bubble, asked({ asked: [BEN] }), TESTER)).toBeNull()
    expect(pendingRows('action', bubbleOutcomes(bubble, open)).map(({ receiver }) => receiver)).toEqual([TESTER])
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

  it('receivers are offered as people, agents, role groups, without me and those who were removed', () => {
    expect(receiverChoices(world, TASK, ANA).map(({ id: who }) => who)).toEqual([BEN, CODER, 'group:designers'])
  })

  it('[R148] the agent of another system that asked for the task is offered as that, and is not among all', () => {
    const asker = id<AgentId>('planner')
    const outside = { ...agent(asker, 'llm', []), kind: 'outside' } as AgentRecord
    const asked = {
      tasks: { [TASK]: { ...world.tasks[TASK], requestedBy: asker } as TaskRecord },
      agents: { ...world.agents, [asker]: outside },
    }
    const choices = receiverChoices(asked, TASK, ANA)
    expect(choices.filter(({ kind }) => kind === 'outside').map(({ id: who }) => who)).toEqual([asker])
    expect(chosenReceivers([], choices)).toBe('all')
    expect(chosenReceivers([asker], choices)).toEqual([asker])
  })

  it('a receiver is found by name, id or role, and Enter takes the name that begins with the query', () => {
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

  it('a saved group is offered with those of its members that are in the task', () => {
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

  it('a Chinese name is found by its pinyin initials', () => {
    const named = receiverChoices(
      { ...world, agents: { ...world.agents, [BEN]: { ...world.agents[BEN], name: '本杰明' } } } as typeof world,
      TASK,
      ANA,
    )
    expect(matchingChoices(named, 'bj').map(({ id }) => id)).toEqual([BEN])
  })

  it('a message goes to everyone when nobody was chosen, and to each receiver once', () => {
    const choices = receiverChoices(world, TASK, ANA)
    expect(chosenReceivers([], choices)).toBe('all')
    expect(chosenReceivers([BEN, 'group:designers'], choices)).toEqual([BEN, CODER])
  })

  it('an "@" at the start of a word opens the list of receivers, an address does not', () => {
    expect(mentionAt('hello @des', 10)).toEqual({ from: 6, typed: 'des' })
    expect(mentionAt('@', 1)).toEqual({ from: 0, typed: '' })
    expect(mentionAt('mail ana@x', 10)).toBeNull()
    expect(mentionAt('@ben wrote', 10)).toBeNull()
  })

  it('a word at the start of a message sets its type', () => {
    expect(typeCommand('/action check it')).toEqual({ type: 'action', rest: 'check it' })
    expect(typeCommand('/URGENT now')).toEqual({ type: 'urgent', rest: 'now' })
    expect(typeCommand('see /action')).toBeNull()
    expect(typeCommand('/actions now')).toBeNull()
  })
})
