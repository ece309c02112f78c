/** The journal in memory. Every call does its whole work before it first yields, as a transaction would. */
import { sha256 } from '@/server/shared/sha256'
import type { Acts, Archive, CommandOutcome, Journal, StoredEntry, StoredEvent, Unfit } from '@/server/store/interfaces'
import { type CheckedItem, checkBatch, jsonText } from '@/server/store/shared/checkBatch'
import { erasedText } from '@/server/store/shared/entryRows'
import { eraseInSlices } from '@/server/store/shared/erasing'
import { requireText, requireWhole } from '@/server/store/shared/names'
import { counterWriter } from '@/server/store/sqlite/counters'
import { envelopeWriter } from '@/server/store/sqlite/envelopes'
import { keepBody } from './memoryBodies'
import type { EntryLine, OutcomeLine } from './memoryData'
import { memorySearchClearer } from './memorySearch'
import type { MemoryContext } from './memoryStore'
import { queriesIn } from './memoryTables'

const DAY_MS = 24 * 3_600_000

export function memoryJournal(context: MemoryContext): Journal & Archive & Acts {
  const { data, now, ensureOpen } = context
  const clearSearch = memorySearchClearer(context)
  const counters = counterWriter(queriesIn(context))
  const envelopes = envelopeWriter(queriesIn(context))
  const lineOf = (event: StoredEvent): Omit<EntryLine, 'seq' | 'at' | 'by' | 'cause'> => {
    const json = jsonText(event)
    return {
      json,
      hash: sha256(json),
      task: typeof event.task === 'string' ? event.task : null,
      step: typeof event.step === 'string' ? event.step : null,
    }
  }

  const sortOut = (batch: CheckedItem[], at: number): Record<string, Unfit> | null => {
    const bad: Record<string, Unfit> = {}
    for (const { item } of batch) {
      const known = data.outcomes.get(item.id)
      if (known) bad[item.id] = known.by === item.by ? outcomeOf(item.id, known) : 'FOREIGN'
      else if (item.until !== undefined && item.until < at) bad[item.id] = 'EXPIRED'
    }
    return Object.keys(bad).length > 0 ? bad : null
  }

  return {
    id: data.journalId,
    async take(node) {
      ensureOpen()
      requireText('node', node)
      data.epoch += 1
      data.at = Math.max(now(), data.at)
      const { epoch, at } = data
      const seq = data.entries.length + 1
      const line = lineOf({ type: 'sequencer.took', v: 1, epoch, node })
      data.entries.push({ seq, at, by: node, cause: `take:${epoch}`, ...line })
      counters.appended(seq - 1, seq, [])
      return { epoch, seq }
    },
    async append(epoch, expectedHead, batch, decidedAt) {
      ensureOpen()
      if (decidedAt !== undefined) requireWhole({ decidedAt })
      const items = checkBatch(batch).map((one) => ({ ...one, lines: one.item.events.map(lineOf) }))
      const head = data.entries.length
      if (data.epoch !== epoch) return { r: 'FENCED', epoch: data.epoch }
      if (head !== expectedHead) return { r: 'MOVED', seq: head }
      const at = Math.max(decidedAt ?? now(), data.at)
      const bad = sortOut(items, at)
      if (bad) return { r: 'SORT', bad }

      for (const { item, lines, fault, reply } of items) {
        for (const line of lines) {
          data.entries.push({ seq: data.entries.length + 1, at, by: item.by, cause: item.id, ...line })
        }
        if (item.session !== undefined && lines.length > 0)
          data.acts.push({
            first: data.entries.length - lines.length + 1,
            last: data.entries.length,
            session: item.session,
          })
        const seq = fault === null ? data.entries.length : null
        data.outcomes.set(item.id, { by: item.by, seq, at, until: item.until ?? null, fault, reply })
        for (const body of item.bodies ?? []) keepBody(data, body, at)
        envelopes(item, at)
      }
      data.at = at
      const counted = batch.flatMap((item) => item.counters ?? [])
      counters.appended(head, data.entries.length, counted)
      return { r: 'OK', first: head + 1, at, last: data.entries.length }
    },
    async read(after, limit, upTo = data.entries.length) {
      ensureOpen()
      requireWhole({ after, limit, upTo })
      // Numbers have no gaps, so an entry's place is its number.
      return data.entries.slice(after, Math.max(after, Math.min(after + limit, upTo))).map(entryOf)
    },
    async outcome(id, by) {
      ensureOpen()
      const line = data.outcomes.get(id)
      return line?.by === by ? outcomeOf(id, line) : null
    },
    async head() {
      ensureOpen()
      return { seq: data.entries.length, at: data.at, epoch: data.epoch }
    },
    async hashAt(seq) {
      ensureOpen()
      const [entry, next] = [data.entries[seq - 1], data.entries[seq]]
      const isEnd = entry !== undefined && next?.cause !== entry.cause
      return isEnd
        ? sha256(JSON.stringify(data.entries.slice(0, seq).map(({ at, by, cause, hash }) => [at, by, cause, hash])))
        : null
    },
    async forgetOutcomes(atNow) {
      ensureOpen()
      const gone = [...data.outcomes].filter(
        ([, line]) => line.until !== null && line.at < atNow - DAY_MS && line.until < atNow,
      )
      for (const [id] of gone) data.outcomes.delete(id)
      return gone.length
    },
    erase: (erased) =>
      eraseInSlices(erased, (from, to, isLast) => {
        ensureOpen()
        const { task, by } = erased
        const its = data.entries.slice(from - 1, to).filter((line) => {
          const { event } = entryOf(line)
          const note = event.type === 'memory.added' ? (event.note as { task?: unknown }) : null
          return line.task === task || note?.task === task
        })
        for (const line of its) {
          Object.assign(line, { json: erasedText(by), task: null, step: null })
          const outcome = data.outcomes.get(line.cause)
          if (outcome) outcome.reply = null
        }
        if (isLast) clearSearch()
        return its.length
      }),
    async entriesOf(key, id, after = 0, limit = 1_000) {
      ensureOpen()
      requireWhole({ after, limit })
      const isIts = (line: EntryLine): boolean =>
        key === 'task' || key === 'step' ? line[key] === id : entryOf(line).event[key] === id
      return data.entries
        .filter((line) => line.seq > after && isIts(line))
        .slice(0, limit)
        .map(entryOf)
    },
    async acts({ before, look, from, to, by, types, task }) {
      ensureOpen()
      requireWhole({ before, look })
      const looked = data.acts
        .filter(({ last }) => last < before)
        .toReversed()
        .slice(0, look)
      const fits = ({ at, by: who, event }: StoredEntry): boolean =>
        (from === null || at >= from) &&
        (to === null || at < to) &&
        (by === null || by.includes(who)) &&
        (types === null || types.includes(event.type)) &&
        (task === null || event.task === task)
      const acts = looked.flatMap(({ first, last, session }) =>
        data.entries
          .slice(first - 1, last)
          .map((line) => ({ ...entryOf(line), last, session }))
          .filter(fits)
          .toReversed(),
      )
      const oldest = looked.at(-1)
      const isOld = from !== null && oldest !== undefined && (data.entries[oldest.last - 1]?.at ?? 0) < from
      return { acts, next: looked.length < look || isOld ? null : (oldest?.last ?? null) }
    },
  }
}

function entryOf({ seq, at, by, cause, json }: EntryLine): StoredEntry {
  const event: StoredEvent = JSON.parse(json)
  return { seq, at, by, cause, event }
}

function outcomeOf(id: string, { seq, at, fault, reply }: OutcomeLine): CommandOutcome {
  return {
    id,
    seq,
    at,
    ...(fault === null ? {} : { fault: JSON.parse(fault) }),
    ...(reply === null ? {} : { reply: JSON.parse(reply) }),
  }
}
