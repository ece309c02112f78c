/** Search, older messages of a conversation, finding a record by its id. */

import { decodeEntry } from '@/lib/mas/decode'
import type { AgentId } from '@/lib/mas/ids'
import { messageRecordOf } from '@/lib/mas/messages/reduce'
import type { AgentRecord, MessageRecord, World } from '@/lib/mas/records'
import { selectTalk } from '@/lib/mas/tasks/talks'
import type { PastMessagesPage } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { recordRow } from '@/lib/wire/records'
import type { Store } from '@/server/store'
import { mustFind, resolveKnownAgent } from '../../records/resolve'
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
    summary:
      'Messages of the talk of the caller with this member that have left the live world, newest first, by page.',
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
}

const AT_ONCE = 40
/** Most entries read for one page: many of them may still be live. */
const MOST_LOOKED_AT = 400

/** in: before: only entries before that one. out: newest first; next: `before` of the next page, null: the last. */
export async function pastDirectMessages(
  { world, store }: PastMessagesParts,
  person: AgentRecord,
  other: AgentId,
  { before, limit }: { before: number | null; limit: number },
): Promise<PastMessagesPage> {
  const talk = selectTalk(world(), person.id, other)
  const rows: PastMessagesPage['rows'] = []
  let next = before ?? Number.MAX_SAFE_INTEGER
  if (talk === null) return { rows, next: null }
  for (let looked = 0; looked < MOST_LOOKED_AT; ) {
    const seqs = await store.search.between([person.id, other], next, AT_ONCE)
    for (const seq of seqs) {
      if (rows.length === limit) return { rows, next }
      next = seq
      looked += 1
      const message = await messageAt({ store }, seq)
      if (message?.task !== talk.id || world().messages[talk.id]?.[message.id] !== undefined) continue
      rows.push(recordRow('message', message))
    }
    if (seqs.length < AT_ONCE) return { rows, next: null }
  }
  return { rows, next }
}

async function messageAt({ store }: Pick<PastMessagesParts, 'store'>, seq: number): Promise<MessageRecord | null> {
  const [stored] = await store.journal.read(seq - 1, 1, seq)
  const entry = stored === undefined ? null : decodeEntry(stored)
  return entry?.event.type === 'message.sent' ? messageRecordOf(entry.event, entry) : null
}
