/** Work that an agent of another system asked for: what goes on in it, what is put to that agent, and a result with a file. */
import { randomUUID } from 'node:crypto'
import { bodyOf } from '@/lib/mas/bodies'
import { event, type MasEvent } from '@/lib/mas/events'
import {
  type AgentId,
  asId,
  type ConversationId,
  type MessageId,
  type PeerId,
  type StageId,
  type StepId,
  type TaskId,
} from '@/lib/mas/ids'
import type { Attachment, World } from '@/lib/mas/records'
import type { Double } from '@/server/gateway/test/gatewayDouble'
import { ID, seed } from '@/server/gateway/test/world'
import { ACTION } from '../../test/adapterCalls'
import { hiddenWordOf, text } from './walkWords'

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const [OPEN, DONE] = [asId<TaskId>(uuid(120)), asId<TaskId>(uuid(121))]
const [STAGE, STEP, MADE] = [asId<StageId>(uuid(220)), asId<StepId>(uuid(320)), asId<StepId>(uuid(321))]
const DRAFT = bodyOf(text('workDraft'))
const RESULT = bodyOf(text('workFile'))
const FILE = `${hiddenWordOf('workFile')}.md`
/** What the asking agent may find: the agent's name in states, what is addressed to it, and the result with its file. */
export const REQUESTERS_OWN = ['workName', 'workQuestion', 'workResult', 'workFile'] as const

/** The agent of that peer, and the task of its conversation with the message that asked. */
function requesterIn(world: World, peer: PeerId): { agent: AgentId; home: TaskId; thread: MessageId } {
  const conversation = Object.values(world.conversations[peer] ?? {}).find(({ agent }) => world.agents[agent]?.outside)
  const [thread] = Object.keys(world.messages[conversation?.task ?? ID.base] ?? {}) as MessageId[]
  if (conversation === undefined || thread === undefined) throw new Error('that peer has said nothing')
  return { agent: conversation.agent, home: conversation.task, thread }
}

const made = (task: TaskId, path: string, body: typeof DRAFT): MasEvent[] => [
  event('step.added', seed(MADE, task, { kind: 'tool', executor: 'files', text: 'write it' })),
  event('files.changed', {
    task,
    agent: ID.reader,
    step: MADE,
    thread: null,
    more: 0,
    complete: true,
    keep: 20,
    changes: [
      {
        path,
        change: 'made',
        before: null,
        now: { sha: body.ref.sha, bytes: body.ref.bytes, kept: true },
        shared: false,
      },
    ],
  }),
]

/**
 * Let the peer's agent have work under way and work that is done, and an action that it is asked for.
 *
 * in      done: calls a route as Ana
 * out     the ids of what is in it
 */
export async function fillWork(
  { engine, store }: Double,
  peer: PeerId,
  done: (method: string, path: string, body: object) => Promise<unknown>,
): Promise<string[]> {
  const { agent, home, thread } = requesterIn(engine.world(), peer)
  for (const { body } of [DRAFT, RESULT]) await store.bodies.put(body.bytes, body.mime)
  const task = (id: TaskId): MasEvent[] => [
    event('task.added', {
      task: id,
      name: text('workName'),
      intention: text('workGoal'),
      manager: ID.manager,
      base: false,
      group: [ID.manager, ID.reader, ID.ana],
      requestedBy: agent,
      requestedIn: { task: home, thread },
    }),
    event('task.started', { task: id }),
  ]
  const attachments: Attachment[] = [{ name: 'draft.md', body: DRAFT.ref, savedAs: null }]
  await engine.put([
    ...task(OPEN),
    event('stage.added', {
      task: OPEN,
      stage: STAGE,
      intention: text('workGoal'),
      after: null,
      retryOf: null,
      allocation: { [ID.reader]: text('workPart') },
    }),
    event('stage.started', { task: OPEN, stage: STAGE }),
    event('step.added', seed(STEP, OPEN, { stage: STAGE })),
    event('step.finished', {
      task: OPEN,
      agent: ID.reader,
      step: STEP,
      repairs: [],
      result: { kind: 'text', text: text('workStep'), body: null, made: null },
    }),
    event('message.sent', {
      task: OPEN,
      message: asId<MessageId>(randomUUID()),
      sender: ID.reader,
      receivers: [ID.ana],
      text: text('workTalk'),
      stage: STAGE,
      kind: 'fyi',
      waiting: null,
      audience: 'task',
      returnWaiting: null,
      attachments,
      instruction: null,
      dispatch: 'work-1',
      thread: null,
      answersRequest: null,
      replyTo: null,
      mention: false,
      fromStep: STEP,
    }),
    ...task(DONE),
    ...made(DONE, FILE, RESULT),
    event('conversation.opened', {
      conversation: asId<ConversationId>(randomUUID()),
      peer,
      protocol: 'envelope',
      task: ID.secret,
      agent,
      ours: ID.reader,
      shared: null,
      openedBy: 'us',
      callback: null,
    }),
  ])
  const head = () => ({ id: randomUUID(), until: Date.UTC(2030, 0) })
  const outside = (task: TaskId, message: string, more: object = {}) =>
    engine.commit({
      id: randomUUID(),
      by: 'system:agents',
      command: {
        type: 'sendOutside',
        sender: ID.reader,
        task,
        stage: null,
        step: null,
        attachments: [],
        uri: 'agent://south.example/seller',
        text: message,
        conversation: null,
        ...more,
      },
    })
  const question = await outside(OPEN, text('workQuestion'))
  if (!question.ok) throw question.fault
  await done('POST', `/api/tasks/${DONE}/finish`, {
    ...head(),
    state: 'finished',
    summary: `${text('workResult')} ${FILE}`,
    reason: 'It is done.',
  })
  const asked = await outside(ID.secret, text('action'), {
    action: { name: ACTION, parameters: { item: text('action') } },
  })
  if (!asked.ok) throw asked.fault
  const { messages } = engine.world()
  return [OPEN, DONE, STEP, MADE, ...[OPEN, DONE, home, ID.secret].flatMap((id) => Object.keys(messages[id] ?? {}))]
}
