/** The log of envelopes over the tables of a store: what came from other systems and went to them, refused ones too. */
import * as z from 'zod'
import { type AgentId, asId, type ConversationId, type MessageId, type PeerId, type TaskId } from '@/lib/mas/ids'
import { PROTOCOLS } from '@/lib/mas/outside/peerProtocols'
import type { EnvelopeRecord, NewEnvelope } from '@/lib/mas/outside/records'
import { unsentReason } from '@/lib/mas/setup/schemas/unsent'
import { StoreDamagedError } from '../errors'
import type { EnvelopeFilter, Envelopes } from '../interfaces'
import { requireText, requireWhole } from './names'
import { columnsOf, jsonIn, type TableRow, type Tables, type TableValue } from './tables'

type Row = TableRow<'envelope'>
const WHAT = 'an envelope'
const COLUMNS = columnsOf('envelope')
/** The store numbers them. */
const WRITTEN = COLUMNS.filter((name) => name !== 'number')
/** Another system writes these texts: no store can keep a NUL or half of a surrogate pair. */
const plain = (text: string): string => Buffer.from(text).toString().replaceAll('\0', '\u{fffd}')
const plainOr = (text: string | null): string | null => (text === null ? null : plain(text))

/** As the rows are written, without their number. at: epoch ms */
export function envelopeRow(envelope: NewEnvelope, at: number): Omit<Row, 'number'> {
  const { reason, content, theirs, verdict, why, ...same } = envelope
  requireText('id', same.id)
  return {
    ...same,
    at,
    theirs: plain(theirs),
    verdict: plain(verdict),
    why: plainOr(why),
    reason: reason ? plain(JSON.stringify(reason)) : null,
    content: content ?? null,
  }
}

const names = WRITTEN.map((name) => `"${name}"`).join(', ')
export const ENVELOPE_INSERT = `insert into envelope (${names}) values (${WRITTEN.map((_, n) => `$${n + 1}`).join(', ')})
  on conflict (id) do nothing`
export const envelopeValues = (row: Omit<Row, 'number'>): TableValue[] => WRITTEN.map((name) => row[name])

const id = <Id extends string>() => z.string().transform((text) => asId<Id>(text))
const Kept = z.object({
  number: z.number(),
  id: z.string(),
  at: z.number(),
  peer: id<PeerId>(),
  direction: z.enum(['in', 'out']),
  protocol: z.enum(PROTOCOLS),
  conversation: id<ConversationId>().nullable(),
  task: id<TaskId>().nullable(),
  outsider: id<AgentId>().nullable(),
  message: id<MessageId>().nullable(),
  theirs: z.string(),
  verdict: z.string(),
  status: z.number().nullable(),
  why: z.string().nullable(),
  by: z.enum(['call', 'callback', 'stream']).nullable(),
  bytes: z.number(),
  sha: z.string(),
  body: z.string().nullable(),
})

/** in: now: epoch ms */
export function envelopesOf(tables: Tables, now: () => number): Envelopes {
  const { select, change, count } = tables

  const recordOf = ({ reason, content, ...row }: Row): EnvelopeRecord => {
    const kept = Kept.safeParse(row)
    const why = reason === null ? null : unsentReason.safeParse(jsonIn(tables, WHAT, reason))
    if (!kept.success || why?.success === false)
      throw new StoreDamagedError({ file: tables.file, decision: null, entry: null, why: `${WHAT} cannot be read` })
    return { ...kept.data, ...(why ? { reason: why.data } : {}), ...(content === null ? {} : { content }) }
  }

  return {
    async add(envelope) {
      const row = envelopeRow(envelope, Math.trunc(now()))
      await change('envelope', [[ENVELOPE_INSERT, envelopeValues(row)]], 'again')
    },
    async page(filter, { before = Number.MAX_SAFE_INTEGER, limit }) {
      requireWhole({ before, limit })
      const { where, values } = conditionsOf(filter)
      const all = where.length === 0 ? '' : `where ${where.join(' and ')}`
      const here = [...where, `number < $${values.length + 1}`].join(' and ')
      const rest = `where ${here} order by number desc limit $${values.length + 2}`
      const rows = await select(WHAT, 'envelope', COLUMNS, rest, [...values, before, limit])
      return { envelopes: rows.map(recordOf), total: await count('envelope', all, values) }
    },
    async get(number) {
      requireWhole({ number })
      const [row] = await select(WHAT, 'envelope', COLUMNS, 'where number = $1', [number])
      return row === undefined ? null : recordOf(row)
    },
    async bodiesOf(task) {
      const rows = await select(WHAT, 'envelope', ['body'], 'where task = $1 and body is not null', [task])
      return rows.flatMap(({ body }) => body ?? [])
    },
    async tasksNaming(body) {
      return (await select(WHAT, 'envelope', ['task'], 'where body = $1', [body])).map(({ task }) => task)
    },
    erase: (task) => change('envelope', [['delete from envelope where task = $1', [task]]], 'again'),
  }
}

const EQUAL = ['peer', 'outsider', 'task', 'conversation', 'message'] as const satisfies (keyof EnvelopeFilter)[]

function conditionsOf(filter: EnvelopeFilter): { where: string[]; values: TableValue[] } {
  const values: TableValue[] = []
  const place = (value: TableValue): string => `$${values.push(value)}`
  const where = EQUAL.flatMap((name) => {
    const wanted = filter[name]
    return wanted === undefined ? [] : [`${name} = ${place(wanted)}`]
  })
  const { verdictsLeft = [] } = filter
  if (verdictsLeft.length > 0) where.push(`verdict not in (${verdictsLeft.map(place).join(', ')})`)
  return { where, values }
}
