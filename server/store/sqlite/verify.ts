/** Walks the whole journal: every hash, every text, every body. */

import type { Damage } from '../errors'
import { StoreDamagedError } from '../errors'
import type { Verified } from '../interfaces'
import { requireWhole } from '../shared/names'
import { faultIn } from '../shared/texts'
import type { SqliteBodies } from './bodies'
import { chainHash, type DecisionHeader, decisionSeal } from './chain'
import type { SqliteConnection } from './connection'
import { DATABASE, type EntryDecoder, eventIn } from './entries'
import { asBytes, decodeText } from './textColumn'

export type DecisionRow = {
  last: number
  first: number
  command: ArrayBuffer
  by: ArrayBuffer
  at: number
  known: number
  until: number | null
  reply: ArrayBuffer | null
  hash: ArrayBuffer
  seal: number
}
export type BareEntryRow = { seq: number; last: number; texts: number; event: ArrayBuffer }

const DECISIONS_AT_ONCE = 200
const BODIES_AT_ONCE = 500

export const DECISIONS = `select last, first, ${asBytes('command', 'command')}, ${asBytes('"by"', '"by"')}, at, known, until,
  ${asBytes('reply', 'reply')}, hash, seal from decision`
export const ENTRIES = `select seq, last, texts, ${asBytes('event', 'event')} from entry where seq between ? and ? order by seq`

/** Its texts, decoded. */
export type ReadDecision = DecisionHeader & { reply: string | null; events: string[] }

/** in: rows of a decision and its entries. out: null: one of their texts is no text any more */
export function readDecision(row: DecisionRow, entries: readonly BareEntryRow[]): ReadDecision | null {
  try {
    const { first, last, at } = row
    return {
      first,
      last,
      at,
      by: decodeText(row.by),
      command: decodeText(row.command),
      reply: row.reply && decodeText(row.reply),
      events: entries.map(({ event }) => decodeText(event)),
    }
  } catch {
    return null
  }
}

/**
 * What is wrong with a decision; null: nothing.
 *
 * in      before: the hashes that it may be chained to, null: nobody knows; first: the number that it should begin with
 * out     hash: what its own is by its rows
 */
export function checkDecision(
  row: DecisionRow,
  entries: readonly BareEntryRow[],
  decoder: EntryDecoder,
  { before, first }: { before: ReadonlySet<string> | null; first: number },
): { hash: string; why: { entry: number | null; why: string } | null } {
  const stored = Buffer.from(row.hash).toString('hex')
  const decision = readDecision(row, entries)
  if (decision === null) return { hash: stored, why: { entry: null, why: 'a text of it is not UTF-8' } }
  const hashes = [...(before ?? [])].map((one) => chainHash(one, decision, decision.events))
  const hash = hashes.includes(stored) ? stored : (hashes[0] ?? stored)
  const wrong = (why: string, entry: number | null = null) => ({ hash, why: { entry, why } })
  if (row.first !== first) return wrong(`it begins at ${row.first}, not at ${first}`)
  if (row.last < row.first || entries.length !== row.last - row.first + 1)
    return wrong(`it has ${entries.length} of its entries ${row.first} to ${row.last}`)
  const stray = entries.find(({ last }) => last !== row.last)
  if (stray) return wrong('the entry names another decision', stray.seq)
  try {
    const content = decoder.contentOf(row.last)
    for (const entry of entries) {
      const fault = faultIn(eventIn(entry), content?.texts[entry.seq] ?? null, entry.texts)
      if (fault !== null) return wrong(fault, entry.seq)
    }
    const foreign = Object.keys(content?.texts ?? {}).find((seq) => !entries.some((entry) => `${entry.seq}` === seq))
    if (foreign !== undefined) return wrong(`its content holds texts of ${foreign}`)
  } catch (error) {
    if (error instanceof StoreDamagedError) return wrong(error.damage.why, error.damage.entry)
    throw error
  }
  if (decisionSeal(row.last, row.known, row.until, decision.reply) !== row.seal)
    return wrong('its outcome is another one')
  return before === null || hashes.includes(stored) ? { hash, why: null } : wrong('its hash is another one')
}

/** in: the decisions that hold entries from..to; without them all, the end of the journal and all bodies too. out: what was looked at and what is damaged */
export async function verifyStore(
  connection: SqliteConnection,
  bodies: SqliteBodies,
  decoder: EntryDecoder,
  range: { from?: number; to?: number },
): Promise<Verified> {
  const { from = 1, to = Number.MAX_SAFE_INTEGER } = range
  requireWhole({ from, to })
  const { query, read } = connection
  const damage: Damage[] = []
  const named = (decision: number | null, entry: number | null, why: string) =>
    damage.push({ file: DATABASE, decision, entry, why })
  const page = query<DecisionRow>(`${DECISIONS} where last > ? order by last limit ?`)
  const entriesQuery = query<BareEntryRow>(ENTRIES)
  const head = read('verify', () =>
    query<{ journal: string; seq: number; hash: string }>('select journal, seq, hash from head').get(),
  )
  const previous = read('verify', () =>
    query<{ last: number; hash: ArrayBuffer }>(
      'select last, hash from decision where last < ? order by last desc limit 1',
    ).get(from),
  )
  let before = new Set([previous ? Buffer.from(previous.hash).toString('hex') : (head?.journal ?? '')])
  let last = previous?.last ?? 0
  let [decisions, entries] = [0, 0]
  for (let goes = true; goes; ) {
    const rows = read('verify', () => page.all(last, DECISIONS_AT_ONCE))
    goes = rows.length > 0
    for (const row of rows) {
      if (row.first > to) {
        goes = false
        break
      }
      // A damaged number must not ask for all entries that there are.
      const own = read('verify', () => entriesQuery.all(row.first, Math.min(row.last, row.first + 1_000_000)))
      const { hash, why } = checkDecision(row, own, decoder, { before, first: last + 1 })
      if (why) named(row.last, why.entry, why.why)
      // Where only its hash is damaged, the next decision is chained to what it was.
      before = new Set([hash, Buffer.from(row.hash).toString('hex')])
      last = row.last
      decisions += 1
      entries += own.length
    }
    await turn()
  }
  const isWhole = range.from === undefined && range.to === undefined
  let count = 0
  if (isWhole) {
    if (head?.seq !== last || !before.has(head.hash)) named(last, null, 'the journal does not end with it')
    const stray = read('verify', () =>
      query<{ seq: number; last: number }>(
        'select seq, last from entry where seq > ? or seq < 1 union all select last, last from content where not exists (select 1 from decision d where d.last = content.last) limit 1',
      ).get(last),
    )
    if (stray) named(stray.last, stray.seq, 'it belongs to no decision')
    count = await verifyBodies(connection, bodies, damage)
  }
  return { decisions, entries, bodies: count, damage }
}

async function verifyBodies(
  { query, read }: SqliteConnection,
  bodies: SqliteBodies,
  damage: Damage[],
): Promise<number> {
  const page = query<{ id: number; sha: ArrayBuffer }>('select id, sha from body where id > ? order by id limit ?')
  let count = 0
  for (let after = 0; ; await turn()) {
    const rows = read('verify', () => page.all(after, BODIES_AT_ONCE))
    for (const { sha } of rows) {
      count += 1
      const found = await bodies.faultOf(Buffer.from(sha).toString('hex'))
      if (found) damage.push(found)
    }
    const last = rows.at(-1)
    if (last === undefined) return count
    after = last.id
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
