/** Checks the whole journal: every hash, every text, every body. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorMessage } from '@/server/shared/errors'
import { type Damage, StoreBrokenError, StoreClosedError, StoreDamagedError } from '../../errors'
import type { Verified } from '../../interfaces'
import type { DecisionHeader } from '../../shared/chain'
import { requireWhole } from '../../shared/names'
import type { CheckedDecision, ExpectedPlace } from '../../shared/rowReader'
import type { SqliteBodies } from '../bodies/bodies'
import { asBytes, asInteger, decodeText } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { NEWEST } from '../database/schema'
import type { DecisionContent } from '../journal/content'
import { CONTENT_WORDS } from '../journal/contentWords'
import { checkDecision, DATABASE, type EntryDecoder } from '../journal/entries'
import { checkedHead } from '../journal/head'
import { DEFLATED } from '../journal/journal.sql'
import { outcomeRows } from '../journal/outcomes'
import { SEALED_FORM } from '../journal/seals'

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

export const DECISIONS = `select last,
  ${['command', '"by"', 'reply'].map((name) => asBytes(name, name)).join(', ')}, coalesce(cast(hash as blob), x'') as hash,
  ${['first', 'at', 'known', 'until', 'seal'].map((name) => asInteger(name, name)).join(', ')} from decision`
export const ENTRIES = `select seq, ${asInteger('last', 'last')}, ${asInteger('texts', 'texts')}, ${asBytes('event', 'event')}
  from entry where seq between ? and ? order by seq`

/** Its texts, decoded. */
type ReadDecision = DecisionHeader & { reply: string | null; events: string[] }

/** in: rows of a decision and its entries. out: null: one of their texts is damaged */
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

/** The same for rows as they are kept, with their content. See `checkDecision` of ../../shared/rowReader.ts. */
export function checkRows(
  row: DecisionRow,
  entries: readonly BareEntryRow[],
  decoder: EntryDecoder,
  expected: ExpectedPlace,
): CheckedDecision {
  const hash = Buffer.from(row.hash).toString('hex')
  const decision = readDecision(row, entries)
  if (decision === null) return { hash, why: { entry: null, why: 'a text of it is not UTF-8' } }
  const { known, until, seal } = row
  const decoded = entries.map((entry, n) => ({ ...entry, event: decision.events[n] ?? '' }))
  let content: DecisionContent | null | undefined
  const checked = checkDecision({ ...decision, known, until, seal, hash }, decoded, expected, ({ seq }) => {
    if (content === undefined) content = decoder.contentOf(row.last)
    return content?.texts[seq] ?? null
  })
  const foreign = Object.keys(content?.texts ?? {}).find((seq) => !entries.some((entry) => `${entry.seq}` === seq))
  return checked.why === null && foreign !== undefined
    ? { hash: checked.hash, why: { entry: null, why: `its content holds texts of ${foreign}` } }
    : checked
}

/**
 * in      the decisions with entries from..to; default: all, with the head, outcomes and all bodies.
 *         form: of the database
 * out     the checked data and the damage. A part that cannot be read is damaged; the others are checked nevertheless.
 */
export async function verifyStore(
  connection: SqliteConnection,
  bodies: SqliteBodies,
  decoder: EntryDecoder,
  { from, to, form = NEWEST }: { from?: number; to?: number; form?: number },
): Promise<Verified> {
  const out: Verified = { decisions: 0, entries: 0, bodies: 0, damage: [] }
  const part = async (work: () => Promise<void> | void): Promise<void> => {
    try {
      await work()
    } catch (error) {
      out.damage.push(damageIn(error))
    }
  }
  const isWhole = from === undefined && to === undefined
  const range = { from: from ?? 1, to: to ?? Number.MAX_SAFE_INTEGER }
  requireWhole(range)
  await part(() => verifyDecisions(connection, decoder, { ...range, isWhole, isSealed: form >= SEALED_FORM }, out))
  if (!isWhole) return out
  if (form >= SEALED_FORM) await part(() => verifyOutcomes(connection, out))
  await part(() => verifyWords(connection, out))
  await part(() => verifyBodies(connection, bodies, part, out))
  return out
}

function damageIn(error: unknown): Damage {
  if (error instanceof StoreDamagedError) return error.damage
  if (error instanceof StoreClosedError) throw error
  const cause = error instanceof StoreBrokenError ? error.cause : error
  return damageOf(errorMessage(cause))
}

const damageOf = (why: string, decision: number | null = null, entry: number | null = null): Damage => ({
  file: DATABASE,
  decision,
  entry,
  why,
})

type Range = { from: number; to: number; isWhole: boolean; isSealed: boolean }

async function verifyDecisions(
  { query, read }: SqliteConnection,
  decoder: EntryDecoder,
  { from, to, isWhole, isSealed }: Range,
  out: Verified,
): Promise<void> {
  const named = (...what: Parameters<typeof damageOf>) => out.damage.push(damageOf(...what))
  const page = query<DecisionRow>(`${DECISIONS} where last > ? order by last limit ?`)
  const entriesQuery = query<BareEntryRow>(ENTRIES)
  const head = readHead(() => read('verify', () => checkedHead(query, isSealed)))
  const previous = read('verify', () =>
    query<{ last: number; hash: ArrayBuffer }>(
      `select last, ${asBytes('hash', 'hash')} from decision where last < ? order by last desc limit 1`,
    ).get(from),
  )
  let before = new Set([previous ? Buffer.from(previous.hash).toString('hex') : (head?.journal ?? '')])
  let last = previous?.last ?? 0
  for (let goes = true; goes; ) {
    const rows = read('verify', () => page.all(last, DECISIONS_AT_ONCE))
    goes = rows.length > 0
    for (const row of rows) {
      if (row.first > to) {
        goes = false
        break
      }
      // A damaged number must not request all entries.
      const own = read('verify', () => entriesQuery.all(row.first, Math.min(row.last, row.first + 1_000_000)))
      const { hash, why } = checkRows(row, own, decoder, { before, first: last + 1 })
      if (why) named(why.why, row.last, why.entry)
      // If only its hash is damaged, the next decision is chained to the original one.
      before = new Set([hash, Buffer.from(row.hash).toString('hex')])
      last = row.last
      out.decisions += 1
      out.entries += own.length
    }
    await nextTurn()
  }
  if (!isWhole) return
  if (head?.seq !== last || !before.has(head.hash)) named('the journal does not end with it', last)
  else if (!head.isWhole) named('its head is another one')
  const stray = read('verify', () =>
    query<{ seq: number; last: number }>(
      `select seq, ${asInteger('last', 'last')} from entry where seq > ? or seq < 1
       union all select last, last from content where not exists (select 1 from decision d where d.last = content.last) limit 1`,
    ).get(last),
  )
  if (stray) named('it belongs to no decision', stray.last, stray.seq)
}

/** out: null: unreadable, so the end of the journal is unknown */
function readHead<Head>(work: () => Head): Head | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreClosedError) throw error
    return null
  }
}

function verifyOutcomes({ query, read }: SqliteConnection, out: Verified): void {
  read('verify', () => {
    for (const { outcome, isWhole } of outcomeRows(query, true))
      if (!isWhole) out.damage.push(damageOf(`the outcome of the command ${outcome?.id ?? '(no text)'} is another one`))
  })
}

function verifyWords({ query, read }: SqliteConnection, out: Verified): void {
  const rows = read('verify', () =>
    query<{ packed: number; text: ArrayBuffer }>(`select packed, ${asBytes('text', 'text')} from words`).all(),
  )
  const [row] = rows
  const isRight =
    rows.length === 1 && row?.packed === DEFLATED && Buffer.from(row.text).equals(Buffer.from(CONTENT_WORDS))
  if (!isRight) out.damage.push(damageOf('the words that contents are deflated against are other ones'))
}

async function verifyBodies(
  { query, read }: SqliteConnection,
  bodies: SqliteBodies,
  part: (work: () => Promise<void>) => Promise<void>,
  out: Verified,
): Promise<void> {
  const page = query<{ id: number; sha: string }>(
    'select id, lower(hex(sha)) as sha from body where id > ? order by id limit ?',
  )
  const isThere = query<{ id: number }>('select id from body where id = ?')
  for (let after = 0; ; await nextTurn()) {
    const rows = read('verify', () => page.all(after, BODIES_AT_ONCE))
    for (const { id, sha } of rows) {
      out.bodies += 1
      await part(async () => {
        const found = await bodies.faultOf(sha)
        if (found) out.damage.push(found)
        else if (!bodies.has(sha) && read('verify', () => isThere.get(id)) !== undefined)
          out.damage.push(damageOf(`the body ${sha} is not found by its name`))
      })
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
