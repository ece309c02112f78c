/** Checks the whole journal: every hash, every text, every body. */
import { type Damage, IN_POSTGRES } from '../errors'
import type { Verified } from '../interfaces'
import { headSeal, outcomeSeal } from '../shared/chain'
import { requireWhole } from '../shared/names'
import type { BodyChecks } from './bodies'
import type { Ask, PostgresConnection } from './connection'
import { checkDecision, textsOf } from './entries'
import { bodyShas, decisionPages, outcomePages } from './pages'

type HeadRow = { journal: string; seq: number; at: number; epoch: number; hash: string; seal: number }
type Range = { from?: number; to?: number }

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
  const ask: Ask = (sql, bound) => connection.read('verify', sql, bound)
  await verifyDecisions(ask, { from, to, isWhole }, out)
  if (!isWhole) return out
  for await (const page of outcomePages(ask))
    for (const row of page)
      if (outcomeSeal(row) !== row.seal)
        out.damage.push(damageOf(`the outcome of the command ${row.id} is another one`))
  for await (const sha of bodyShas(ask)) {
    out.bodies += 1
    const why = await bodies.faultOf(sha)
    if (why !== null) out.damage.push(damageOf(why))
  }
  return out
}

const damageOf = (why: string, decision: number | null = null, entry: number | null = null): Damage => ({
  file: IN_POSTGRES,
  decision,
  entry,
  why,
})

async function verifyDecisions(
  ask: Ask,
  { from, to, isWhole }: { from: number; to: number; isWhole: boolean },
  out: Verified,
): Promise<void> {
  const [head] = await ask<HeadRow>('select journal, seq, at, epoch, hash, seal from head')
  const [previous] = await ask<{ last: number; hash: string }>(
    `select last, encode(hash, 'hex') as hash from decision where last < $1 order by last desc limit 1`,
    [from],
  )
  let before = new Set([previous?.hash ?? head?.journal ?? ''])
  let last = previous?.last ?? 0
  for await (const page of decisionPages(ask, last, to))
    for (const { decision, entries } of page) {
      const { hash, why } = checkDecision(decision, entries, { before, first: last + 1 }, textsOf)
      if (why) out.damage.push(damageOf(why.why, decision.last, why.entry))
      // If only its hash is damaged, the next decision is chained to the original one.
      before = new Set([hash, decision.hash])
      last = decision.last
      out.decisions += 1
      out.entries += entries.length
    }
  if (!isWhole) return
  if (head?.seq !== last || !before.has(head.hash)) out.damage.push(damageOf('the journal does not end with it', last))
  else if (headSeal(head) !== head.seal) out.damage.push(damageOf('its head is another one'))
  const stray = await ask<{ seq: number; last: number }>(
    'select seq, last from entry where seq > $1 or seq < 1 limit 1',
    [last],
  )
  for (const { seq, last: decision } of stray) out.damage.push(damageOf('it belongs to no decision', decision, seq))
}
