/** Search, older messages of a conversation, finding a record by its id. */

import { taskAccessOf } from '@/lib/mas/access/access'
import { decodeEntry } from '@/lib/mas/decode'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import { messageRecordOf } from '@/lib/mas/messages/reduce'
import type { AgentRecord, MessageRecord, World } from '@/lib/mas/records'
import type { PastMessagesPage } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import type { RestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import { pastMessageRows } from '@/server/monitor'
import type { Store } from '@/server/store'
import { mustFind, resolveKnownAgent } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import { findOne, search } from '../../records/search'
import type { Routes } from '../../route'

export function addSearchRoutes({ add, gateway }: Routes): void {
  const { engine, store, past, searchedTo: upTo } = gateway
  const parts = { world: () => engine.world(), store, past, upTo }
  add('GET /api/search', {
    scope: 'read',
    isCostly: true,
    summary: 'Search tasks, agents, stages, messages, requests and steps that the caller may read, archived ones too.',
    query: schemas.searchQuery,
    answers: schemas.searchAnswer,
    async handle({ person, query }) {
      const { q, kind = null, before = null, limit } = query
      return search(parts, person, { query: q, kind, before, limit })
    },
  })

  add('GET /api/direct/{id}/left', {
    scope: 'read',
    isCostly: true,
    summary: 'Messages between the caller and this member that have left the live world, newest first, by page.',
    query: schemas.pastMessagesQuery,
    answers: schemas.pastMessagesPage,
    async handle({ person, params, query }) {
      const other = resolveKnownAgent(engine.world(), params.id)
      return pastDirectMessages(parts, person, other.id, { before: query.before ?? null, limit: query.limit })
    },
  })

  add('GET /api/find/{id}', {
    scope: 'read',
    summary:
      'The record of an id: a task, agent, stage, message, request or step that the caller may read, archived ones too.',
    answers: schemas.searchHit,
    async handle({ person, params }) {
      return mustFind(await findOne(parts, person, params.id), 'record', params.id)
    },
  })
}

type PastMessagesParts = {
  world: () => World
  store: Pick<Store, 'journal' | 'search'>
  past: Pick<RestoredTasks, 'task'>
}

const AT_ONCE = 40
/** Most entries read for one page: many of them may still be live. */
const MOST_LOOKED_AT = 400

/** in: before: only entries before that one. out: newest first; next: `before` of the next page, null: the last. */
export async function pastDirectMessages(
  parts: PastMessagesParts,
  person: AgentRecord,
  other: AgentId,
  { before, limit }: { before: number | null; limit: number },
): Promise<PastMessagesPage> {
  const found: MessageRecord[] = []
  let [world, next] = [parts.world(), before ?? Number.MAX_SAFE_INTEGER]
  for (let looked = 0; looked < MOST_LOOKED_AT; ) {
    const seqs = await parts.store.search.between([person.id, other], next, AT_ONCE)
    for (const seq of seqs) {
      if (found.length === limit) return { rows: pastMessageRows(world, person.id, found), next }
      next = seq
      looked += 1
      const message = await messageAt(parts, seq)
      if (message === null || hasIn(parts.world(), message)) continue
      const holding = await worldWithRestored(world, parts.past, message.task)
      // Sent or received by this person; for a task that they were removed from, only earlier ones.
      const reach = taskAccessOf(holding, person, message.task)
      if (reach === null || message.seq > reach.upTo) continue
      world = withMessage(holding, message)
      found.push(message)
    }
    if (seqs.length < AT_ONCE) return { rows: pastMessageRows(world, person.id, found), next: null }
  }
  return { rows: pastMessageRows(world, person.id, found), next }
}

async function messageAt({ store }: PastMessagesParts, seq: number): Promise<MessageRecord | null> {
  const [stored] = await store.journal.read(seq - 1, 1, seq)
  const entry = stored === undefined ? null : decodeEntry(stored)
  return entry?.event.type === 'message.sent' ? messageRecordOf(entry.event, entry) : null
}

const hasIn = (world: World, { task, id }: MessageRecord): boolean => world.messages[task]?.[id] !== undefined

/** Messages of an archived task keep their deliveries; those that left a live task have none. */
function withMessage(world: World, message: MessageRecord): World {
  if (hasIn(world, message)) return world
  const task: TaskId = message.task
  return { ...world, messages: { ...world.messages, [task]: { ...world.messages[task], [message.id]: message } } }
}
