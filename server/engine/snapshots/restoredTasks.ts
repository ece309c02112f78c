/** What left the world, restored from snapshots and entries; selectors work on it as usual. */

import { pieceOf, type TaskPiece, withPieces } from '@/lib/mas/archive/branches'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry, MasEvent } from '@/lib/mas/events'
import { type AgentId, asId, type MessageId, type StepId, type TaskId } from '@/lib/mas/ids'
import { emptyWorld, type MessageRecord, type RequestRecord, type StepRecord, type World } from '@/lib/mas/records'
import { REDUCER_VERSION } from '@/lib/mas/reduce'
import { reduceStored } from '@/lib/mas/reduce/reduceAll'
import { findStep } from '@/lib/mas/team/agents'
import { recentMap } from '../../shared/recentMap'
import type { Archive, PlaceKey, Store } from '../../store'
import { entryPages } from './entryPages'
import { pieceKey } from './worldSnapshots'

/** seq: the last entry of the task before it left. agents: of a file from elsewhere; absent: they are in the world */
export type RestoredTask = { task: TaskId; seq: number; piece: TaskPiece; agents?: World['agents'] }

type RestoredTasksParts = {
  archive: Archive
  snapshots: Pick<Store['snapshots'], 'newest' | 'list'>
  /** Tasks that live are not looked up. */
  isLive: (task: TaskId) => boolean
}

/** Facts by which records leave the world, or come back as they were. */
export const LEAVES: ReadonlySet<MasEvent['type']> = new Set([
  'task.archived',
  'task.woken',
  'records.evicted',
  'thread.retired',
])

/** Facts by which a whole task leaves the world, or comes back. */
const MOVES: ReadonlySet<MasEvent['type']> = new Set(['task.archived', 'task.woken', 'task.erased'])

/** The task whose piece is kept under that key; null for another key. */
const taskOfPiece = (key: string): TaskId | null =>
  key.startsWith(PIECE_PREFIX) ? asId<TaskId>(key.slice(PIECE_PREFIX.length)) : null

const PIECE_PREFIX = pieceKey(asId<TaskId>(''))
const PAGE = 1_000
/** Tasks kept in memory: what one looks at is looked at again. */
const KNOWN = 8

/** The world with an archived task in it again. */
export function withRestoredTask(world: World, { task, piece, agents }: RestoredTask): World {
  const whole = withPieces(world, new Map([[task, piece]]))
  return agents === undefined ? whole : { ...whole, agents: { ...whole.agents, ...agents } }
}

export function openRestoredTasks({ archive, snapshots, isLive }: RestoredTasksParts) {
  const known = recentMap<string, Promise<RestoredTask | null>>(KNOWN)

  const pagesOf = (key: PlaceKey, id: string, from = 0) =>
    entryPages((after, limit) => archive.entriesOf(key, id, after, limit), from, PAGE)
  const firstOf = async (key: PlaceKey, id: string): Promise<Entry[]> =>
    (await archive.entriesOf(key, id, 0, PAGE)).map(decodeEntry)

  async function read(task: TaskId): Promise<RestoredTask | null> {
    const kept = await snapshots.newest(pieceKey(task), REDUCER_VERSION)
    let world = kept
      ? startOf(task, kept.seq, JSON.parse(new TextDecoder().decode(kept.data)) as TaskPiece)
      : emptyWorld
    let isAway = false
    for await (const page of pagesOf('task', task, world.seq)) {
      const last = page.findLast(({ event }) => MOVES.has(event.type))
      if (last) isAway = last.event.type === 'task.archived'
      // A restored conversation continues where it was: all that it ever held is shown.
      const lived = page.filter(({ event }) => event.type !== 'task.archived')
      world = reduceMost(world, lived)
    }
    // It never left, or came back, or never existed.
    return isAway ? { task, seq: world.seq, piece: pieceOf(world, task) } : null
  }

  return {
    /** The ids of archived tasks, newest first. at: when each was last stored, epoch ms */
    async archived(): Promise<{ task: TaskId; at: number }[]> {
      const newest = new Map<TaskId, number>()
      for (const { key, at } of await snapshots.list()) {
        const task = taskOfPiece(key)
        if (task !== null && !isLive(task)) newest.set(task, Math.max(at, newest.get(task) ?? 0))
      }
      return [...newest].map(([task, at]) => ({ task, at })).sort((a, b) => b.at - a.at || (a.task < b.task ? -1 : 1))
    },
    /** An archived task; null when there never was one, or it lives. */
    task(id: string): Promise<RestoredTask | null> {
      const task = asId<TaskId>(id)
      if (isLive(task)) return Promise.resolve(null)
      const found = known.getOrMake(id, () => read(task))
      // A failure may pass.
      found.then(
        // What is not archived may be so later, and a conversation may be so again.
        (past) => (past === null || past.piece.tasks?.conversation ? known.delete(id) : past),
        () => known.delete(id),
      )
      return found
    },
    /** It got another entry since. */
    forget(task: TaskId): void {
      known.delete(task)
    },
    /** A task with all that it ever held, whether it lives or not; null when there never was one. Reads all of its entries. */
    async whole(task: TaskId): Promise<RestoredTask | null> {
      let [world, seq] = [emptyWorld, 0]
      for await (const page of pagesOf('task', task)) {
        world = reduceMost(
          world,
          page.filter(({ event }) => !LEAVES.has(event.type)),
        )
        seq = page.at(-1)?.seq ?? seq
      }
      return world.tasks[task] ? { task, seq, piece: pieceOf(world, task) } : null
    },
    /** A step of an archived task, or one that was evicted; null when there never was one. */
    async step(id: string): Promise<StepRecord | null> {
      const entries = await firstOf('step', id)
      const made = reduceMost(
        emptyWorld,
        entries.filter(({ event }) => event.type !== 'records.evicted'),
      )
      return findStep(made, asId<StepId>(id))
    },
    /** A request of an archived task, or one that was evicted; null when none is found. */
    async request(id: string): Promise<RequestRecord | null> {
      const { requests } = reduceMost(emptyWorld, await firstOf('request', id))
      return Object.values(requests).flatMap((own) => Object.values<RequestRecord>(own))[0] ?? null
    },
    /** The message that began a thread of the base task, also when the thread has left the world; null: none is found. */
    async opening(thread: string): Promise<MessageRecord | null> {
      const page = await firstOf('thread', thread)
      const first = page.find(({ event }) => event.type === 'message.sent' && event.message === asId<MessageId>(thread))
      const { messages } = reduceMost(emptyWorld, first ? [first] : [])
      return Object.values(messages).flatMap((own) => Object.values<MessageRecord>(own))[0] ?? null
    },
    /** Did this person write in a thread of the base task, or was something in it addressed to them? */
    async tookPart(thread: string, person: AgentId): Promise<boolean> {
      for await (const page of pagesOf('thread', thread))
        if (page.some(({ event }) => isPartOf(event, person))) return true
      return false
    },
  }
}

/** For its readers. */
export type RestoredTasks = Omit<ReturnType<typeof openRestoredTasks>, 'forget'>

/** What a person does in a thread is a message, and a step in their name. */
function isPartOf(event: MasEvent, person: AgentId): boolean {
  if (event.type === 'message.sent') return event.sender === person || event.receivers.includes(person)
  return event.type === 'step.added' && event.agent === person
}

const startOf = (task: TaskId, seq: number, piece: TaskPiece): World => ({
  ...withPieces(emptyWorld, new Map([[task, piece]])),
  seq,
})

/** Entries of one task have gaps: they are reduced as a view reduces them. */
const reduceMost = (world: World, entries: readonly Entry[]): World => entries.reduce(reduceStored, world)
