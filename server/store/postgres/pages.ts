/** The journal and the bodies in pages, for what reads all of them. */
import { gather } from '@/lib/gather'
import type { SealedOutcome } from '../shared/chain'
import type { SealedDecision } from '../shared/rowReader'
import type { Ask } from './connection'
import type { BareRow } from './entries'

const AT_ONCE = 500

/** Decisions with their entries. in: those behind `after` that begin at `to` at the latest */
export async function* decisionPages(
  ask: Ask,
  after: number,
  to = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<{ decision: SealedDecision; entries: BareRow[] }[]> {
  for (let from = after; ; ) {
    const page = await ask<SealedDecision>(
      `select last, first, command, "by", at, known, until, reply, encode(hash, 'hex') as hash, seal
       from decision where last > $1 and first <= $2 order by last limit $3`,
      [from, to, AT_ONCE],
    )
    const end = page.at(-1)?.last
    if (end === undefined) return
    const rows = await ask<BareRow>(
      'select seq, last, texts, event, content from entry where seq > $1 and seq <= $2 order by seq',
      [from, end],
    )
    const own = gather(rows, ({ last }) => [last])
    yield page.map((decision) => ({ decision, entries: own.get(decision.last) ?? [] }))
    from = end
  }
}

export async function* outcomePages(ask: Ask): AsyncGenerator<(SealedOutcome & { seal: number })[]> {
  for (let after = ''; ; ) {
    const page = await ask<SealedOutcome & { seal: number }>(
      'select id, "by", seq, at, until, fault, reply, seal from outcome where id > $1 order by id limit $2',
      [after, AT_ONCE],
    )
    const end = page.at(-1)
    if (end === undefined) return
    yield page
    after = end.id
  }
}

/** The shas of all bodies, in hex. */
export async function* bodyShas(ask: Ask): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await ask<{ sha: string }>(
      `select encode(sha, 'hex') as sha from body where sha > decode($1, 'hex') order by sha limit $2`,
      [after, AT_ONCE],
    )
    const end = page.at(-1)
    if (end === undefined) return
    for (const { sha } of page) yield sha
    after = end.sha
  }
}
