/** Search in SQLite: FTS5 without contents, over the terms of lib/format/searchWords.ts. */
import { type QueryPart, termsOf } from '@/lib/format/searchWords'
import type { IdPair, SearchIndex } from '../interfaces'
import { checkAdded, isEmptyQuery, pairKey, SEARCH_VERSION, TASKS_PER_QUERY } from '../shared/searchTerms'
import { asBytes, textOrNull } from './database/columns'
import type { SqliteConnection } from './database/connection'
import { stepWriter } from './steps'

/** Newest first by row number: FTS5 walks its lists backwards, nothing is sorted. Exported for the test of its plan. */
export const FIND = 'select rowid as seq from search where search match ? and rowid < ? order by rowid desc limit ?'

/** To be called inside a transaction. */
export function searchClearer(query: SqliteConnection['query']): () => void {
  const empty = query("insert into search (search) values ('delete-all')")
  const noMembers = query('delete from search_member')
  const move = query('update search_cursor set seq = 0, version = ?')
  const stepRows = stepWriter(query)
  return () => {
    empty.run()
    noMembers.run()
    stepRows.clear()
    move.run(SEARCH_VERSION)
  }
}

export function sqliteSearch({ read, write, query }: SqliteConnection): SearchIndex {
  const cursor = query<{ seq: number; version: number }>('select seq, version from search_cursor')
  const head = query<{ seq: number }>('select seq from head')
  const insert = query('insert into search (rowid, words, about) values (?, ?, ?)')
  const addMember = query('insert or ignore into search_member (person, task) values (?, ?)')
  const move = query('update search_cursor set seq = ?, version = ?')
  const find = query<{ seq: number }>(FIND)
  const tasks = query<{ task: ArrayBuffer }>(
    `select ${asBytes('task', 'task')} from search_member where person = ? order by search_member.task`,
  )
  const clear = searchClearer(query)
  const stepRows = stepWriter(query)

  const at = (): number => {
    const row = cursor.get()
    return row && row.version === SEARCH_VERSION ? row.seq : 0
  }
  return {
    async cursor() {
      return read('search', at)
    },
    async add(after, upTo, lines, members, steps) {
      checkAdded(
        after,
        upTo,
        read('search', () => head.get()?.seq ?? 0),
        lines,
        steps,
      )
      return write('search', () => {
        if (at() !== after) return false
        // Terms of another version may still exist.
        if (after === 0) clear()
        for (const { seq, kind, task, text, pairs = [] } of lines) {
          const about = [kindTerm(kind), taskTerm(task), ...pairs.map(pairTerm)]
          insert.run(seq, termsOf(text).join(' '), about.join(' '))
        }
        for (const { person, task } of members) addMember.run(person, task)
        for (const change of steps) stepRows.apply(change)
        move.run(upTo, SEARCH_VERSION)
        return true
      })
    },
    async find(wish) {
      if (isEmptyQuery(wish)) return []
      const { parts, kind, tasks: only, before, limit } = wish
      const words = parts.map(partOf).join(' AND ')
      const narrow =
        only !== null && only.length <= TASKS_PER_QUERY ? ` AND about : (${only.map(quotedTask).join(' OR ')})` : ''
      const match = `words : (${words}) AND about : ${quoted(kindTerm(kind))}${narrow}`
      return read('search', () => find.all(match, before, limit).map(({ seq }) => seq))
    },
    async between(pair, before, limit) {
      return read('search', () => find.all(`about : ${quoted(pairTerm(pair))}`, before, limit).map(({ seq }) => seq))
    },
    async tasksOf(person) {
      return read('search', () => tasks.all(person)).flatMap(({ task }) => textOrNull(task) ?? [])
    },
    async clear() {
      write('search', clear)
    },
  }
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
const kindTerm = (kind: string): string => `kind${letters(kind)}`
const pairTerm = (pair: IdPair): string => `pair${letters(pairKey(pair))}`
const taskTerm = (task: string): string => `task${letters(task)}`

/** Terms have letters and digits only; they are quoted so that none is read as an operator. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const quotedTask = (task: string): string => quoted(taskTerm(task))
const partOf = ({ terms, isPrefix }: QueryPart): string => `${quoted(terms.join(' '))}${isPrefix ? ' *' : ''}`
