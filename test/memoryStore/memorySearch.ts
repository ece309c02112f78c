/** Search in memory: the terms of each line, walked from the newest. */
import { type QueryPart, termsOf } from '@/lib/format/searchWords'
import type { SearchIndex } from '@/server/store/interfaces'
import { checkAdded, isEmptyQuery, pairKey } from '@/server/store/shared/searchTerms'
import type { MemoryContext } from './memoryStore'
import { memoryStepWriter } from './memoryTables'

export function memorySearchClearer(context: MemoryContext): () => void {
  const { search } = context.data
  const stepRows = memoryStepWriter(context)
  return () => {
    search.cursor = 0
    search.lines = []
    search.members.clear()
    stepRows.clear()
  }
}

export function memorySearch(context: MemoryContext): SearchIndex {
  const { data, ensureOpen } = context
  const { search } = data
  const stepRows = memoryStepWriter(context)
  const clear = memorySearchClearer(context)
  return {
    async cursor() {
      ensureOpen()
      return search.cursor
    },
    async add(after, upTo, lines, members, steps) {
      ensureOpen()
      checkAdded(after, upTo, data.entries.at(-1)?.seq ?? 0, lines, steps)
      if (search.cursor !== after) return false
      for (const { seq, kind, task, text, pairs = [] } of lines)
        search.lines.push({ seq, kind, task, terms: termsOf(text), pairs: pairs.map(pairKey) })
      for (const { person, task } of members) search.members.set(`${person} ${task}`, { person, task })
      for (const change of steps) stepRows.apply(change)
      search.cursor = upTo
      return true
    },
    async find(wish) {
      ensureOpen()
      if (isEmptyQuery(wish)) return []
      const { parts, kind, tasks, before, limit } = wish
      return search.lines
        .filter((line) => line.kind === kind && line.seq < before && (tasks === null || tasks.includes(line.task)))
        .filter(({ terms }) => matchesQuery(terms, parts))
        .map(({ seq }) => seq)
        .sort((a, b) => b - a)
        .slice(0, limit)
    },
    async between(pair, before, limit) {
      ensureOpen()
      return search.lines
        .filter(({ seq, pairs }) => seq < before && pairs.includes(pairKey(pair)))
        .map(({ seq }) => seq)
        .sort((a, b) => b - a)
        .slice(0, limit)
    },
    async tasksOf(person) {
      ensureOpen()
      return [...search.members.values()].flatMap((one) => (one.person === person ? [one.task] : [])).sort()
    },
    async clear() {
      ensureOpen()
      clear()
    },
  }
}

/** in: terms of a text, parts of a query. out: does the text contain all parts? */
export const matchesQuery = (terms: readonly string[], query: readonly QueryPart[]): boolean =>
  query.every((part) => terms.some((_, at) => matchesAt(terms, at, part)))

const matchesAt = (terms: readonly string[], at: number, { terms: wanted, isPrefix }: QueryPart): boolean =>
  wanted.every((term, index) => {
    const found = terms[at + index]
    if (found === undefined) return false
    return isPrefix && index === wanted.length - 1 ? found.startsWith(term) : found === term
  })
