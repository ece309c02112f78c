/** Checks the whole journal: every hash, every text, every body. */
import { type Damage, IN_POSTGRES } from '../errors'
import type { Verified } from '../interfaces'
import { headSeal, outcomeSeal, type SealedOutcome } from '../shared/chain'
import { requireWhole } from '../shared/names'
import type { SealedDecision } from '../shared/rowReader'
import type { BodyChecks } from './bodies'
import type { PostgresConnection } from './connection'
import { type BareRow, checkDecision, textsOf } from './entries'

type HeadRow = { journal: string; seq: number; at: number; epoch: number; hash: string; seal: number }
type Range = { from?: number; to?: number }

const AT_ONCE = 500

/** See `verify` of ../interfaces.ts. */
export async function verifyPostgres(
  connection: PostgresConnection,
  bodies: BodyChecks,
  range: Range,
): Promise<Verified> {
  const out: Verified = { decisions: 0, entries: 0, bodies: 0, damage: [] }
  const { from = 1, to = Number.MAX_SAFE_INTEGER } = range
  requireWhole({ from, to })
  const isWhole = range.from === undefined && range.to === undefined
  await verifyDecisions(connection, { from, to, isWhole }, out)
  if (!isWhole) return out
  await verifyOutcomes(connection, out)
  await verifyBodies(connection, bodies, out)
  return out
}

const damageOf = (why: string, decision: number | null = null, entry: number | null = null): Damage => ({
  file: IN_POSTGRES,
  decision,
  entry,
  why,
})

async function verifyDecisions(
  { read }: PostgresConnection,
  { from, to, isWhole }: { from: number; to: number; isWhole: boolean },
  out: Verified,
): Promise<void> {
  const [head] = await read<HeadRow>('verify', 'select journal, seq, at, epoch, hash, seal from head')
  const [previous] = await read<{ last: number; hash: string }>(
    'verify',
    `select last, encode(hash, 'hex') as hash from decision where last < $1 order by last desc limit 1`,
    [from],
  )
  let before = new Set([previous?.hash ?? head?.journal ?? ''])
  let last = previous?.last ?? 0
  for (;;) {
    const rows = await read<SealedDecision>(
      'verify',
      `select last, first, command, "by", at, known, until, reply, encode(hash, 'hex') as hash, seal
       from decision where last > $1 and first <= $2 order by last limit $3`,
      [last, to, AT_ONCE],
    )
    const end = rows.at(-1)?.last
    if (end === undefined) break
    const own = new Map<number, BareRow[]>(rows.map((row) => [row.last, []]))
    const entries = await read<BareRow>(
      'verify',
      'select seq, last, texts, event, content from entry where seq > $1 and seq <= $2 order by seq',
      [last, end],
    )
    for (const entry of entries) own.get(entry.last)?.push(entry)
    for (const row of rows) {
      const whole = own.get(row.last) ?? []
      const { hash, why } = checkDecision(row, whole, { before, first: last + 1 }, textsOf)
      if (why) out.damage.push(damageOf(why.why, row.last, why.entry))
      // If only its hash is damaged, the next decision is chained to the original one.
      before = new Set([hash, row.hash])
      last = row.last
      out.decisions += 1
      out.entries += whole.length
    }
  }
  if (!isWhole) return
  if (head?.seq !== last || !before.has(head.hash)) out.damage.push(damageOf('the journal does not end with it', last))
  else if (headSeal(head) !== head.seal) out.damage.push(damageOf('its head is another one'))
  const stray = await read<{ seq: number; last: number }>(
    'verify',
    'select seq, last from entry where seq > $1 or seq < 1 limit 1',
    [last],
  )
  for (const { seq, last: decision } of stray) out.damage.push(damageOf('it belongs to no decision', decision, seq))
}

async function verifyOutcomes({ read }: PostgresConnection, out: Verified): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await read<SealedOutcome & { seal: number }>(
      'verify',
      'select id, "by", seq, at, until, fault, reply, seal from outcome where id > $1 order by id limit $2',
      [after, AT_ONCE],
    )
    for (const row of rows)
      if (outcomeSeal(row) !== row.seal)
        out.damage.push(damageOf(`the outcome of the command ${row.id} is another one`))
    const end = rows.at(-1)
    if (end === undefined) return
    after = end.id
  }
}

async function verifyBodies({ read }: PostgresConnection, bodies: BodyChecks, out: Verified): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await read<{ sha: string }>(
      'verify',
      `select encode(sha, 'hex') as sha from body where sha > decode($1, 'hex') order by sha limit $2`,
      [after, AT_ONCE],
    )
    for (const { sha } of rows) {
      out.bodies += 1
      const why = await bodies.faultOf(sha)
      if (why !== null) out.damage.push(damageOf(why))
    }
    const end = rows.at(-1)
    if (end === undefined) return
    after = end.sha
  }
}
