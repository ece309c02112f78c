/** Fills the search index from the journal in slices. Its cursor is stored in the same transaction. */
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { Store } from '../store'
import { searchLineOf, searchMembersOf } from './lines'
import { stepChangeOf } from './steps'

type IndexerParts = {
  store: Pick<Store, 'journal' | 'search'>
  world: () => World
  /** Called after each decision with its entries; out: stops it. */
  onDecision: (listener: (entries: Entry[]) => void) => () => void
  /** Call once after so many ms. out: cancels it */
  schedule: (run: () => void, ms: number) => () => void
  onTrouble: (error: unknown) => void
}

/** Entries per slice, a few ms of work. */
const SLICE = 200
/** Pause between slices, and after a decision, so that decisions are batched. */
const BETWEEN_MS = 10
/** Entries of decisions kept in memory until they are indexed; beyond it they are read from the journal. */
const MOST_FRESH = 2_000
const AFTER_DECISION_MS = 300

/** Keeps the search index up to date, in the background. */
export function openSearchIndexer(parts: IndexerParts) {
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

  /** out: are there more entries to index? */
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
    const steps = entries.flatMap((entry) => stepChangeOf(entry) ?? [])
    const isTaken = await search.add(at, last, lines, entries.flatMap(searchMembersOf), steps)
    // Another process has indexed meanwhile: continue from there.
    at = isTaken ? last : await search.cursor()
    return entries.length === SLICE
  }

  /** Recent decisions are in memory; all others are read. */
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
    /** The last indexed entry. */
    upTo: (): number => at,
    /** Another part of this process emptied the index: it is filled again. */
    again(): void {
      isKnown = false
      wake(BETWEEN_MS)
    },
    /** Resolves after the running slice. */
    async stop(): Promise<void> {
      isStopped = true
      stopListening()
      stopTimer?.()
      await running
    },
  }
}
