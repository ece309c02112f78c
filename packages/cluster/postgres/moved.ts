/** Moves the rows of a database to or from another store. */
import { DatabaseUnfitError } from '@/server/store/errors'
import type { MoveSource, MoveTarget } from '@/server/store/moveRows'
import { decisionSeal, headSeal, outcomeSeal } from '@/server/store/shared/chain'
import type { WholeHead } from '@/server/store/shared/wholeStore'
import { readAddress } from './address'
import { packBodies } from './bodies'
import { openSession } from './holding'
import { openPostgresStore } from './openPostgresStore'

/** Throws StoreLockedError, DatabaseUnfitError. */
export const postgresSource = (url: string): Promise<MoveSource> => openPostgresStore(url, { sessions: 2 })

/** One transaction: an interrupted move does not change the database. Throws DatabaseUnfitError: it has a journal. */
export async function postgresTarget(url: string, head: WholeHead): Promise<MoveTarget> {
  const store = await openPostgresStore(url, { sessions: 2 })
  const { client: session, end } = await openSession(readAddress(url))
  const close = async (): Promise<void> => {
    await end()
    await store.close()
  }
  if ((await store.journal.head()).seq > 0) {
    await close()
    throw new DatabaseUnfitError(
      `${readAddress(url).shown} holds a journal already: name an empty database, or another schema (?schema=…)`,
    )
  }
  await session.query('begin')

  return {
    async addDecisions(decisions) {
      const made = decisions.map(({ rows: _, ...decision }) => ({
        ...decision,
        seal: decisionSeal(decision.last, decision.known, decision.until, decision.reply),
      }))
      await session.query(
        `insert into decision select last, first, command, "by", at, known, until, reply, decode(hash, 'hex'), seal
         from json_to_recordset($1) as d(last bigint, first bigint, command text, "by" text, at bigint, known smallint,
           until bigint, reply text, hash text, seal bigint)`,
        [JSON.stringify(made)],
      )
      const entries = decisions.flatMap(({ rows, first, last }) =>
        rows.map(({ event, nonce, hash }, n) => ({
          seq: first + n,
          last,
          nonce: Buffer.from(nonce).toString('hex'),
          hash,
          event,
        })),
      )
      await session.query(
        `insert into entry (seq, last, nonce, hash, event) select seq, last, decode(nonce, 'hex'), decode(hash, 'hex'), event
         from json_to_recordset($1) as e(seq bigint, last bigint, nonce text, hash text, event text)`,
        [JSON.stringify(entries)],
      )
    },
    async addOutcomes(outcomes) {
      const made = outcomes.map((outcome) => ({ ...outcome, seal: outcomeSeal(outcome) }))
      await session.query(
        `insert into outcome select id, "by", seq, at, until, fault, reply, seal from json_to_recordset($1)
         as o(id text, "by" text, seq bigint, at bigint, until bigint, fault text, reply text, seal bigint)`,
        [JSON.stringify(made)],
      )
    },
    async addBody(body) {
      const packed = await packBodies([body])
      if (!packed) return
      await session.query('select keep_bodies($1, $2, $3)', [packed.rows, Buffer.from(packed.data), Date.now()])
    },
    async addRows(rows) {
      for (const [sql, values] of rows) await session.query(sql, [...values])
    },
    async finish() {
      const { journal, seq, at, epoch, hash } = head
      await session.query('update head set journal = $1, seq = $2, at = $3, epoch = $4, hash = $5, seal = $6', [
        journal,
        seq,
        at,
        epoch,
        hash,
        headSeal(head),
      ])
      await session.query(
        `select setval(pg_get_serial_sequence('envelope', 'number'), (select coalesce(max(number), 0) + 1 from envelope), false)`,
      )
      await session.query('commit')
    },
    close,
  }
}
