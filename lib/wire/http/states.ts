/** The states that the documents fix, and the search. */
import * as z from 'zod'
import type { TaskId } from '../../mas/ids'
import { SEARCH_KINDS } from '../search'
import { anyId, count, typed, when } from './common'

/** GET /api/states */
export const statesQuery = z.object({
  type: z.enum(['task', 'stage', 'agent', 'step']),
  task: anyId.optional(),
  after: anyId.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
})
/** By StateID. */
export const statesAnswer = z.record(z.string(), z.looseObject({}))

/** GET /api/search?q=&kind=&before=&limit= : what the caller may read, newest first; without a kind the first few of each. */
export const searchQuery = z.object({
  q: z.string().min(1).max(200),
  kind: z.enum(SEARCH_KINDS).optional(),
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(8),
})

/** A search result. title: who said, asked or does it, or a task's name; text: the matching line; at: epoch ms, 0 for agents. */
export const searchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  task: typed<TaskId>()(z.string()).nullable(),
  taskName: z.string(),
  title: z.string(),
  text: z.string(),
  at: when,
})
export type SearchHit = z.infer<typeof searchHit>

/** next: `before` of the next page, null: none. indexedTo: the last searchable entry; head: the last entry. */
export const searchAnswer = z.object({
  hits: z.array(searchHit),
  next: count.nullable(),
  indexedTo: count,
  head: count,
})
export type SearchAnswer = z.infer<typeof searchAnswer>
