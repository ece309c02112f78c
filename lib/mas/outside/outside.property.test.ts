/** Whatever peers, agents and operators do in any order: what is on its way, waited for and talked about stays true. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { says, saysFyi } from '@/test/stories'
import { outcomeOf, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import { pieceOf, type TaskPiece } from '../archive/branches'
import { selectRestoredPiece } from '../archive/restoredPiece'
import type { Command } from '../commands/command'
import { type AgentId, asId, type PeerId, type TaskId } from '../ids'
import type { AgentRecord, DeliveryRecord, World } from '../records'
import { emptyWorld } from '../reduce'
import { reduceAll } from '../reduce/reduceAll'
import { isTaskOver } from '../statuses'
import { selectWaits } from '../waits/waits'
import { outgoingKey, selectOutgoing } from './outside'
import type { ConversationRecord, OutgoingRecord, PeerConfig } from './records'

const PEER: PeerConfig = {
  id: asId<PeerId>('00000000-0000-4000-8000-00000000abcd'),
  uri: 'agent://other.example/*',
  baseUrl: 'https://other.example',
  may: ['mamp'],
  actions: [],
  agents: [TEAM.reader.id, TEAM.manager.id, TEAM.analyst.id],
  allowPrivate: false,
}
const URIS = ['agent://other.example/a', 'agent://other.example/b']
const OURS = [TEAM.reader.id, TEAM.manager.id, TEAM.analyst.id]

type Move = { kind: number; a: number; b: number }
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]
const conversationsOf = (world: World): ConversationRecord[] => Object.values(world.conversations[PEER.id] ?? {})
const outsidersOf = (world: World): AgentRecord[] =>
  Object.values(world.agents).filter((agent: AgentRecord) => agent.kind === 'outside')

/** One random move; tasks that were archived are kept aside, as the store keeps them. */
function act(story: Story, archive: Map<TaskId, TaskPiece>, { kind, a, b }: Move): void {
  const { world } = story
  const put = (command: Command | null, by = 'system:adapter'): void => {
    if (command !== null) story.put(by, command)
  }
  const conversation = pick(conversationsOf(world), a)
  const tasks = Object.values(world.tasks).filter((task) => !task.base)
  const task = pick(tasks, a)
  const outsider = pick(outsidersOf(world), b)
  const outgoing = pick(selectOutgoing(world), a)
  switch (kind) {
    case 0:
    case 1:
      put({
        type: 'takeFromOutside',
        peer: PEER.id,
        protocol: 'mamp',
        from: pick(URIS, a) ?? '',
        to: pick(OURS, b) ?? TEAM.reader.id,
        shared: kind === 0 ? null : (conversation?.shared ?? 'conv-none'),
        theirs: `m-${a % 7}-${b % 5}`,
        text: 'hello',
        attachments: [],
        needReply: [null, true, false][b % 3] ?? null,
        inReplyTo:
          b % 4 === 0 ? (Object.keys(world.messages[conversation?.task ?? asId<TaskId>('')] ?? {})[0] ?? null) : null,
        callback: null,
        status: 200,
        bytes: 1,
        sha: '',
        body: null,
      })
      return
    case 2:
      put({
        type: 'sendOutside',
        sender: pick(OURS, a) ?? TEAM.reader.id,
        task: task?.id ?? asId<TaskId>('none'),
        stage: null,
        step: null,
        uri: pick(URIS, b) ?? '',
        text: 'question',
        attachments: [],
        conversation: b % 3 === 0 ? (conversation?.shared ?? null) : null,
      })
      return
    case 3:
      put(outgoing ? { type: 'startSending', ...idsOf(outgoing), node: 'n1' } : null)
      return
    case 4:
      put(
        outgoing
          ? {
              type: 'finishSending',
              ...idsOf(outgoing),
              verdict: (['delivered', 'delivered', 'retry', 'failed'] as const)[b % 4] ?? 'delivered',
              status: 200,
              why: null,
              by: 'call',
              bytes: 1,
              sha: '',
              body: null,
              shared: `conv-${a}`,
              next: world.at + 1_000,
              closes: b % 7 === 0,
            }
          : null,
      )
      return
    case 5: {
      const agent = pick(OURS, a) ?? TEAM.reader.id
      story.run(agent, (step) =>
        step.executor !== 'send_message'
          ? says(outsider ? [outsider.id] : [], { waiting: b % 2 === 0 })
          : b % 4 === 0
            ? outcomeOf({ state: 'failed', reason: 'no' })
            : says([], { need_reply: b % 2 === 0, waiting: false }),
      )
      return
    }
    case 6:
      put(task ? { type: a % 2 ? 'pauseTask' : 'resumeTask', task: task.id, reason: 'r' } : null, TEAM.ana.id)
      return
    case 7:
      put(
        outsider ? { type: a % 2 ? 'pauseAgent' : 'resumeAgent', agent: outsider.id, reason: 'r' } : null,
        TEAM.ana.id,
      )
      return
    case 8:
      put(
        task && b % 3 === 0
          ? { type: 'finishTask', task: task.id, state: 'finished', summary: 's', reason: 'r' }
          : null,
        TEAM.ana.id,
      )
      return
    case 9: {
      const resting = pick(tasks, b)
      if (!resting) return
      settle(story)
      story.pass(b % 2 === 0 ? 200 * 3_600_000 : 60_000)
      const piece = pieceOf(story.world, resting.id)
      if (story.put('system:timer', { type: 'archiveTask', task: resting.id })) archive.set(resting.id, piece)
      return
    }
    case 10: {
      const asleep = conversation && !world.tasks[conversation.task] ? archive.get(conversation.task) : undefined
      put(
        conversation && asleep
          ? { type: 'wakeTask', task: conversation.task, piece: selectRestoredPiece(conversation.task, asleep) }
          : null,
      )
      return
    }
    case 11:
      put(b % 5 === 0 ? { ...teamConfig(), peers: a % 2 ? [] : [PEER] } : null, 'system:start')
      return
    case 12:
      put(
        task && outsider
          ? {
              type: 'changeParticipants',
              task: task.id,
              add: a % 2 ? [outsider.id] : [],
              remove: a % 2 ? [] : [outsider.id],
              reason: 'r',
            }
          : null,
        TEAM.ana.id,
      )
      return
    default:
      put(
        task && outsider
          ? send(TEAM.ana.id, [outsider.id], { task: task.id, kind: b % 2 === 0 ? 'urgent' : 'action' })
          : null,
        TEAM.ana.id,
      )
  }
}

/** Everybody does what there is to do, and what is to be sent is taken. */
function settle(story: Story): void {
  for (let turn = 0; turn < 12; turn++) {
    for (const agent of OURS)
      story.run(agent, (step) => (step.executor === 'send_message' ? saysFyi([]) : outcomeOf({})))
    for (const outgoing of selectOutgoing(story.world)) {
      story.put('system:adapter', {
        type: 'finishSending',
        ...idsOf(outgoing),
        verdict: 'delivered',
        status: 200,
        why: null,
        by: 'call',
        bytes: 1,
        sha: '',
        body: null,
        shared: null,
        next: null,
        closes: false,
      })
    }
  }
}

const idsOf = ({ task, message, agent }: OutgoingRecord) => ({ task, message, agent })

function walk(moves: Move[], each: (world: World) => void): Story {
  const story = new Story()
  const archive = new Map<TaskId, TaskPiece>()
  story.put('system:start', { ...teamConfig(), peers: [PEER] })
  for (const move of moves) {
    act(story, archive, move)
    each(story.world)
  }
  return story
}

const anyMoves = fc.array(fc.record({ kind: fc.nat(13), a: fc.nat(99), b: fc.nat(99) }), { maxLength: 60, size: 'max' })
const RUNS = process.env.CONVENE_ALL === '1' ? 1_000 : 25

it('[R42] what is queued for somebody outside is in the outbox, unless a pause holds it back', () => {
  fc.assert(
    fc.property(anyMoves, (moves) => {
      walk(moves, (world) => {
        for (const outsider of outsidersOf(world)) {
          for (const [task, byAgent] of Object.entries(world.deliveries) as [TaskId, World['deliveries'][TaskId]][]) {
            const owner = world.tasks[task]
            for (const delivery of Object.values(byAgent[outsider.id] ?? {}) as DeliveryRecord[]) {
              if (delivery.state !== 'queued' || !owner || owner.paused || outsider.paused) continue
              expect(isTaskOver(owner)).toBe(false)
              const outgoing = world.outbox[task]?.[outgoingKey({ message: delivery.message, agent: outsider.id })]
              expect(outgoing, `${delivery.message} is queued and nowhere to be sent from`).toBeDefined()
              expect(world.conversations[PEER.id]?.[outgoing?.conversation ?? ('' as never)]).toBeDefined()
            }
          }
        }
        // Nobody waits for somebody outside who is gone without an operator being told; nothing goes on in what is over.
        for (const edge of selectWaits(world).edges) {
          const [on] = edge.on
          if (on === undefined || world.agents[on as AgentId]?.kind !== 'outside') continue
          if (edge.state === 'gone') expect(edge.isBlocked).toBe(true)
        }
        for (const one of conversationsOf(world)) {
          const task = world.tasks[one.task]
          if (task && isTaskOver(task)) expect(one.closedAt).not.toBeNull()
        }
      })
    }),
    { numRuns: RUNS },
  )
})

it('[R1] the same entries give the same world, through JSON, and every kind of move happens', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(anyMoves, (moves) => {
      const story = walk(moves, () => {})
      for (const { event } of story.entries) seen.add(event.type)
      expect(reduceAll(emptyWorld, JSON.parse(JSON.stringify(story.entries)))).toEqual(
        JSON.parse(JSON.stringify(story.world)),
      )
    }),
    { numRuns: RUNS, seed: 7 },
  )
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...[
        'peer.added',
        'peer.removed',
        'peer.seen',
        'conversation.opened',
        'conversation.named',
        'conversation.closed',
      ],
      ...['envelope.taken', 'envelope.queued', 'envelope.started', 'envelope.sent', 'task.archived', 'task.woken'],
    ]),
  )
})
