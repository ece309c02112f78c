/** Search in PostgreSQL: the terms of lib/format/searchWords.ts with their positions, as a tsvector that PostgreSQL did not parse. */
import { type QueryPart, termsOf } from '@/lib/format/searchWords'
import type { SearchIndex } from '@/server/store/interfaces'
import { checkAdded, isEmptyQuery, pairKey, SEARCH_VERSION } from '@/server/store/shared/searchTerms'
import type { PostgresConnection } from './connection'
import { stepJson } from './steps'

/** A tsvector accepts terms below 2 KiB; a longer one is found by its beginning. */
const MOST_SIGNS = 400

export function postgresSearch({ read, write }: PostgresConnection): SearchIndex {
  return {
    async cursor() {
      const [row] = await read<{ seq: number }>('search', 'select seq from search_cursor where version = $1', [
        SEARCH_VERSION,
      ])
      return row?.seq ?? 0
    },
    async add(after, upTo, lines, members, steps) {
      const [head] = await read<{ seq: number }>('search', 'select seq from head')
      checkAdded(after, upTo, head?.seq ?? 0, lines, steps)
      const rows = lines.map(({ seq, kind, task, text, pairs = [] }) => ({
        seq,
        kind,
        task,
        pairs: pairs.map(pairKey),
        words: vectorOf(termsOf(text)),
      }))
      const [row] = await write<{ added: boolean }>('search', 'select search_add($1, $2, $3, $4, $5, $6) as added', [
        after,
        upTo,
        SEARCH_VERSION,
        JSON.stringify(rows),
        JSON.stringify(members),
        stepJson(steps),
      ])
      return row?.added === true
    },
    async find(wish) {
      if (isEmptyQuery(wish)) return []
      const { parts, kind, tasks, before, limit } = wish
      const rows = await read<{ seq: number }>(
        'search',
        `select seq from search where words @@ $1::tsquery and kind = $2 and seq < $3 and ($4::text[] is null or task = any($4))
         order by seq desc limit $5`,
        [parts.map(queryOf).join(' & '), kind, before, tasks, limit],
      )
      return rows.map(({ seq }) => seq)
    },
    async between(pair, before, limit) {
      const rows = await read<{ seq: number }>(
        'search',
        'select seq from search where pairs @> array[$1] and seq < $2 order by seq desc limit $3',
        [pairKey(pair), before, limit],
      )
      return rows.map(({ seq }) => seq)
    },
    async tasksOf(person) {
      const rows = await read<{ task: string }>(
        'search',
        'select task from search_member where person = $1 order by task',
        [person],
      )
      return rows.map(({ task }) => task)
    },
    async clear() {
      await write('search', 'select search_clear($1)', [SEARCH_VERSION], 'again')
    },
  }
}

/** Terms are letters, digits and marks; they are quoted so that none is read as an operator. */
const quoted = (term: string): string =>
  `'${[...term].slice(0, MOST_SIGNS).join('').replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The terms with their positions, in the text form of a tsvector. */
const vectorOf = (terms: readonly string[]): string => terms.map((term, at) => `${quoted(term)}:${at + 1}`).join(' ')

const queryOf = ({ terms, isPrefix }: QueryPart): string =>
  `(${terms.map((term, at) => `${quoted(term)}${isPrefix && at === terms.length - 1 ? ':*' : ''}`).join(' <-> ')})`
