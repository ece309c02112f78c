/** Tasks of other systems that our agents asked for: each is looked at until it is over, and what it says becomes messages of ours. */
import { type Message, type Part, Task, TaskState } from '@a2a-js/sdk'
import * as z from 'zod'
import { asId, type ConversationId, type PeerId } from '@/lib/mas/ids'
import { findConversation, outsideIdOf, selectPeers, selectTaken } from '@/lib/mas/outside/outside'
import type { WorkState } from '@/lib/mas/outside/records'
import type { AdapterContext, OutgoingMessage } from '../adapter'
import { takeMessage } from '../receive'
import { Refusal } from '../refusal'
import { mampPartsOfTheirs } from './parts'
import { REFUSALS } from './refusals'
import { theirAgent } from './theirAgents'

const FIRST_LOOK_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** message: our id of the message that asked, as they know it */
const row = z.object({ peer: z.string(), conversation: z.string(), task: z.string(), message: z.string() })
type Row = z.infer<typeof row>
type Followed = Row & { key: string; at: number; pauseMs: number }

const SAYS: Readonly<Record<TaskState, WorkState>> = {
  [TaskState.TASK_STATE_UNSPECIFIED]: 'working',
  [TaskState.UNRECOGNIZED]: 'working',
  [TaskState.TASK_STATE_SUBMITTED]: 'working',
  [TaskState.TASK_STATE_WORKING]: 'working',
  [TaskState.TASK_STATE_INPUT_REQUIRED]: 'input_required',
  [TaskState.TASK_STATE_AUTH_REQUIRED]: 'input_required',
  [TaskState.TASK_STATE_COMPLETED]: 'finished',
  [TaskState.TASK_STATE_FAILED]: 'failed',
  [TaskState.TASK_STATE_CANCELED]: 'failed',
  [TaskState.TASK_STATE_REJECTED]: 'failed',
}

/** Rows of the store, so that another node continues when it begins to decide. */
export function openTheirTasks(context: AdapterContext) {
  const { engine, rows, now, schedule, log } = context
  const followed = new Map<string, Followed>()
  const stopping = new AbortController()
  let stopTimer = (): void => {}

  const personOf = (peer: string): string => `peer:${peer}`
  const keyOf = (conversation: string, task = ''): string => `a2a-theirs:${conversation}:${task}`
  function add(key: string, value: Row): void {
    followed.set(key, { ...value, key, at: now() + FIRST_LOOK_MS, pauseMs: FIRST_LOOK_MS })
  }
  async function forget({ peer, key }: Pick<Followed, 'peer' | 'key'>): Promise<void> {
    followed.delete(key)
    await rows.remove(personOf(peer), key)
  }

  async function load(): Promise<void> {
    for (const { id, may } of selectPeers(engine.world())) {
      if (!may.includes('a2a')) continue
      for (const { key, value } of await rows.list(personOf(id), 'a2a-theirs:')) {
        const read = row.safeParse(value)
        if (read.success && !followed.has(key)) add(key, read.data)
      }
    }
    lookLater()
  }

  function lookLater(): void {
    stopTimer()
    if (stopping.signal.aborted || followed.size === 0) return
    const next = Math.min(...[...followed.values()].map(({ at }) => at))
    stopTimer = schedule(() => void lookAll(), Math.max(0, next - now()))
  }

  async function lookAll(): Promise<void> {
    const due = engine.leads() ? [...followed.values()].filter(({ at }) => at <= now()) : []
    for (const one of due) {
      const isNews = await look(one).catch((error: unknown) => {
        log.warn({ err: error, peer: one.peer }, 'a task of another system could not be read')
        return false
      })
      one.pauseMs = isNews ? FIRST_LOOK_MS : Math.min(one.pauseMs * 2, LONGEST_PAUSE_MS)
      one.at = now() + one.pauseMs
    }
    if (!engine.leads()) followed.clear()
    lookLater()
  }

  async function tellOf(one: Followed, task: Task): Promise<boolean> {
    const told = await takeTheirs(context, one, task)
    if (told.isOver) await forget(one)
    return told.isNews
  }

  /** out: did it say something new? */
  async function look(one: Followed): Promise<boolean> {
    const peer = engine.world().peers[asId<PeerId>(one.peer)]
    if (!peer || peer.removed || peer.baseUrl === null) {
      await forget(one)
      return false
    }
    const client = await theirAgent(context, { ...peer, baseUrl: peer.baseUrl }, stopping.signal)
    const task = await client.getTask({ tenant: '', id: one.task, historyLength: 0 }, { signal: stopping.signal })
    return tellOf(one, task)
  }

  const stopLead = engine.onLead((leads) => {
    if (leads) void load()
  })
  const stopFirst = schedule(() => void load(), 0)
  return {
    /** Their task that is open in the conversation; null: none. */
    async openIn(peer: PeerId, conversation: ConversationId): Promise<string | null> {
      const [last] = (await rows.list(personOf(peer), keyOf(conversation))).sort((a, b) => b.at - a.at)
      return row.safeParse(last?.value).data?.task ?? null
    },
    /** What they answered to a message of ours. */
    async note({ conversation, peer, message, outgoing }: OutgoingMessage, answer: Message | Task): Promise<void> {
      const own = outsideIdOf(engine.world(), message, outgoing.agent)
      const isMessage = 'messageId' in answer
      const task: Task = isMessage ? endedTask(answer) : answer
      const key = keyOf(conversation.id, task.id)
      const known = await rows.get(personOf(peer.id), key)
      const value = row.safeParse(known?.value).data ?? {
        ...{ peer: peer.id, conversation: conversation.id, task: task.id, message: own },
      }
      if (!isMessage) await rows.put(personOf(peer.id), key, value, known?.version ?? null)
      add(key, value)
      const one = followed.get(key)
      if (isMessage && one !== undefined) await tellOf(one, task)
      lookLater()
    },
    close(): void {
      stopping.abort()
      stopTimer()
      stopLead()
      stopFirst()
    },
  }
}
export type TheirTasks = ReturnType<typeof openTheirTasks>

/** An answer without a task is the end of one. */
const endedTask = (message: Message): Task => ({
  id: message.messageId,
  contextId: message.contextId,
  status: { state: TaskState.TASK_STATE_COMPLETED, message, timestamp: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
})

/** Its words, and at its end its artifacts; what both hold stands once. */
function saidBy({ artifacts }: Task, message: Message | undefined, isOver: boolean): Part[] {
  const words = message?.parts ?? []
  const texts = new Set(words.map(({ content }) => (content?.$case === 'text' ? content.value : null)))
  const more = isOver ? artifacts.flatMap(({ parts }) => parts) : []
  return [...words, ...more.filter(({ content }) => content?.$case !== 'text' || !texts.has(content.value))]
}

/** A message of ours for what the task says, once. out: isOver: nothing more comes */
async function takeTheirs(
  context: AdapterContext,
  one: Row,
  task: Task,
): Promise<{ isNews: boolean; isOver: boolean }> {
  const world = context.engine.world()
  const { message, state = TaskState.TASK_STATE_UNSPECIFIED } = task.status ?? {}
  const workState = SAYS[state]
  const isOver = workState === 'finished' || workState === 'failed'
  const conversation = findConversation(world, asId<ConversationId>(one.conversation))
  const peer = world.peers[asId<PeerId>(one.peer)]
  const from = conversation && world.agents[conversation.agent]?.outside?.uri
  if (!conversation || !peer || !from) return { isNews: false, isOver: true }
  const theirs = `${task.id}/${message?.messageId ?? TaskState[state]}`
  const said = saidBy(task, message, isOver)
  const isKnown = selectTaken(world, { peer: peer.id, protocol: 'a2a', from, theirs }) !== null
  if (isKnown || (said.length === 0 && workState === 'working')) return { isNews: false, isOver }
  const call = { peer, bytes: Buffer.from(JSON.stringify(Task.toJSON(task))) }
  const parts = said.length > 0 ? mampPartsOfTheirs(said) : [{ type: 'text' as const, text: TaskState[state] ?? '' }]
  try {
    await takeMessage(context, { protocol: 'a2a', refusals: REFUSALS }, call, {
      ...{ from, to: conversation.ours, shared: conversation.shared ?? task.contextId, theirs, parts, workState },
      ...{ needReply: null, inReplyTo: one.message, callback: null, status: 200 },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.log.warn({ err: error, peer: peer.id }, 'a task of another system could not be read')
  }
  return { isNews: true, isOver }
}
