/** The rows of a database, read as a whole. */
import { gather } from '@/lib/gather'
import { type Damage, IN_POSTGRES, StoreDamagedError } from '@/server/store/errors'
import { headSeal, outcomeSeal, type SealedOutcome } from '@/server/store/shared/chain'
import { checkDecision, type SealedDecision } from '@/server/store/shared/rowReader'
import type { WholeHead, WholeStore } from '@/server/store/shared/wholeStore'
import type { Ask, PostgresConnection } from './connection'
import { damagedPart } from './entries'
import { postgresTables } from './tables'

const AT_ONCE = 500

type BareRow = { seq: number; last: number; nonce: Buffer; hash: string; event: string }

/** in: faultOf: the damage of a body; null: none, or no such body */
export function wholePostgres(
  connection: PostgresConnection,
  faultOf: (sha: string) => Promise<Damage | null>,
): WholeStore {
  const ask: Ask = (sql, bound) => connection.read('verify', sql, bound)
  return {
    file: IN_POSTGRES,
    tables: postgresTables(connection),
    async head() {
      const [head] = await ask<WholeHead & { seal: number }>('select journal, seq, at, epoch, hash, seal from head')
      if (!head) throw damagedPart(null, null, 'the head row is gone')
      const { seal, ...rest } = head
      return { ...rest, isWhole: headSeal(rest) === seal }
    },
    async before(seq) {
      const [row] = await ask<{ last: number; hash: string }>(
        `select last, encode(hash, 'hex') as hash from decision where last < $1 order by last desc limit 1`,
        [seq],
      )
      return row ?? null
    },
    async *decisions(after, to = Number.MAX_SAFE_INTEGER) {
      for (let from = after; ; ) {
        const page = await ask<SealedDecision>(
          `select last, first, command, "by", at, known, until, reply, encode(hash, 'hex') as hash, seal
           from decision where last > $1 and first <= $2 order by last limit $3`,
          [from, to, AT_ONCE],
        )
        const end = page.at(-1)?.last
        if (end === undefined) return
        const rows = await ask<BareRow>(
          "select seq, last, nonce, encode(hash, 'hex') as hash, event from entry where seq > $1 and seq <= $2 order by seq",
          [from, end],
        )
        const own = gather(rows, ({ last }) => [last])
        for (const decision of page) yield wholeDecision(decision, own.get(decision.last) ?? [])
        from = end
      }
    },
    async textOf(seq) {
      return (await ask<{ event: string }>('select event from entry where seq = $1', [seq]))[0]?.event ?? null
    },
    async stray(last) {
      const sql = 'select seq, last from entry where seq > $1 or seq < 1 limit 1'
      return (await ask<{ seq: number; last: number }>(sql, [last]))[0] ?? null
    },
    async *outcomes() {
      for (let after = ''; ; ) {
        const page = await ask<SealedOutcome & { seal: number }>(
          'select id, "by", seq, at, until, fault, reply, seal from outcome where id > $1 order by id limit $2',
          [after, AT_ONCE],
        )
        for (const { seal, ...outcome } of page) yield { outcome, isWhole: outcomeSeal(outcome) === seal }
        const end = page.at(-1)
        if (end === undefined) return
        after = end.id
      }
    },
    async *bodies() {
      for (let after = ''; ; ) {
        const page = await ask<{ sha: string }>(
          `select encode(sha, 'hex') as sha from body where sha > decode($1, 'hex') order by sha limit $2`,
          [after, AT_ONCE],
        )
        for (const { sha } of page) yield { sha, fault: () => faultOf(sha) }
        const end = page.at(-1)
        if (end === undefined) return
        after = end.sha
      }
    },
    otherDamage: async () => [],
    damageIn(error) {
      if (error instanceof StoreDamagedError) return error.damage
      throw error
    },
  }
}

function wholeDecision({ seal, ...decision }: SealedDecision, entries: readonly BareRow[]) {
  const { first, last, hash } = decision
  return {
    first,
    last,
    hash,
    entries: entries.length,
    check: (expected: Parameters<typeof checkDecision>[2]) => checkDecision({ ...decision, seal }, entries, expected),
    moved: () => ({ ...decision, rows: entries }),
  }
}
