/** Fills the search index from the journal, in slices, by a cursor that is stored in the same transaction. */
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { Store } from '../store'
import { searchLineOf, searchMembersOf } from './lines'

export type IndexerParts = {
  store: Pick<Store, 'journal' | 'search'>
  world: () => World
  /** Called after each decision with its entries; out: stop it. */
  onDecision: (listener: (entries: Entry[]) => void) => () => void
  /** Call once after that many ms. out: stop it. */
  schedule: (run: () => void, ms: number) => () => void
  onTrouble: (error: unknown) => void
}

export type SearchIndexer = {
  /** The last entry that can be found. */
  upTo: () => number
  /** Ends with the slice under way. */
  stop: () => Promise<void>
}

/** Entries of one slice: some ms of work, then others have their turn. */
export const SLICE = 200
/** Between slices while there is much to read, and after a decision: what comes together is taken together. */
const BETWEEN_MS = 10
/** Entries of decisions that are kept until they are taken in; past it they are read from the journal. */
const MOST_FRESH = 2_000
const AFTER_DECISION_MS = 300

/** Keeps the search up to date with the journal, in the background. */
export function openSearchIndexer(parts: IndexerParts): SearchIndexer {
  const { journal, search } = parts.store
  let at = 0
  let isKnown = false
  let isStopped = false
  let stopTimer: (() => void) | null = null
  let running = Promise.resolve()
  let fresh: Entry[] = []

  function wake(ms: number): void {
    if (isStopped || stopTimer) return
    stopTimer = parts.schedule(() => {
      running = slice().then(
        (isMore) => {
          stopTimer = null
          if (isMore || at < parts.world().seq) wake(isMore ? BETWEEN_MS : AFTER_DECISION_MS)
        },
        (error: unknown) => {
          stopTimer = null
          parts.onTrouble(error)
        },
      )
    }, ms)
  }

  /** out: is there more to read now? */
  async function slice(): Promise<boolean> {
    if (isStopped) return false
    if (!isKnown) await begin()
    const entries = await next()
    const last = entries.at(-1)?.seq
    if (last === undefined || isStopped) return false
    const lines = entries.flatMap((entry) => {
      const line = searchLineOf(entry)
      return line === null ? [] : [{ seq: entry.seq, ...line }]
    })
    const isTaken = await search.add(at, last, lines, entries.flatMap(searchMembersOf))
    // Another process filled it meanwhile: continue from there.
    at = isTaken ? last : await search.cursor()
    return entries.length === SLICE
  }

  /** The last decisions are in memory; all others are read. */
  async function next(): Promise<Entry[]> {
    fresh = fresh.filter(({ seq }) => seq > at)
    if (fresh[0]?.seq === at + 1) return fresh.slice(0, SLICE)
    return (await journal.read(at, SLICE)).map(decodeEntry)
  }

  async function begin(): Promise<void> {
    at = await search.cursor()
    if (at > (await journal.head()).seq) {
      await search.clear()
      at = 0
    }
    isKnown = true
  }

  const stopListening = parts.onDecision((entries) => {
    fresh = fresh.length + entries.length > MOST_FRESH ? [] : [...fresh, ...entries]
    wake(AFTER_DECISION_MS)
  })
  wake(AFTER_DECISION_MS)
  return {
    upTo: () => at,
    async stop() {
      isStopped = true
      stopListening()
      stopTimer?.()
      await running
    },
  }
}
