/** Shared rules of search indexes: their version, rules of queries, checks of what is added against the journal. */
import type { IdPair, SearchQuery } from '../interfaces'
import { requireWhole } from './names'

/** Another number rebuilds every index: change it together with lib/format/searchWords.ts, or lines.ts or steps.ts of server/search. */
export const SEARCH_VERSION = 1

/** Most tasks that narrow one search; for more, the results are filtered. */
export const TASKS_PER_QUERY = 300

/** in: head: the last entry of the journal; parts: lines and changes of steps */
export function checkAdded(
  after: number,
  upTo: number,
  head: number,
  ...parts: readonly (readonly { seq: number }[])[]
): void {
  requireWhole({ after, upTo })
  if (upTo <= after) throw new TypeError(`search goes on from ${after}, not to ${upTo}`)
  if (upTo > head) throw new TypeError(`search may not be ahead of the journal: ${upTo}, which ends at ${head}`)
  for (const { seq } of parts.flat()) {
    if (seq <= after || seq > upTo) throw new TypeError(`entry ${seq} is not among those after ${after} up to ${upTo}`)
  }
}

/** There can be no result: no words, or no task to search. */
export const isEmptyQuery = ({ parts, tasks, limit }: SearchQuery): boolean =>
  parts.length === 0 || tasks?.length === 0 || limit < 1

/** One name for a pair, in any order. */
export const pairKey = ([a, b]: IdPair): string => (a < b ? `${a} ${b}` : `${b} ${a}`)
