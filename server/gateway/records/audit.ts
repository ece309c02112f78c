/** What people did, the newest first: rows for the page, and all of them as CSV or JSON. Read from the journal, piece by piece. */
import { own } from '@/lib/json'
import type { Language } from '@/lib/language'
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, SYSTEM_TASK, type TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { sayNames, saySaid } from '@/lib/mas/said'
import { selectName } from '@/lib/mas/team/agents'
import type { ActKind } from '@/lib/wire/acts'
import type { AuditPage, AuditRow } from '@/lib/wire/http'
import { takingTurns } from '../../shared/pieces'
import { recentMap } from '../../shared/recentMap'
import type { ActEntry, SessionOrigin, Store } from '../../store'
import { ACT_TYPES, type ActSayer, actIn, isTelling, sayAudit } from './actWords'
import { DECIDED, exportWords } from './resultMarkdown'
import { openTaskNames } from './taskNames'

type AuditAsked = {
  world: World
  store: { archive: Store['archive']; accounts: Pick<Store['accounts'], 'originsOf'> }
  language: Language
  /** Epoch ms, included; not included. null: all */
  from: number | null
  to: number | null
  who: AgentId | null
  kind: ActKind | null
  task: TaskId | null
}

/** Decisions that are read at a time, and for one page at most: then a page is short, and its cursor leads further. */
const LOOK = 100
const MOST_LOOKED = 5_000
const ORIGINS_KEPT = 1_000

/**
 * in   after: `next` of the page before, null: the newest; mostLooked: decisions
 * out  at least `limit` rows, unless there are fewer or they are far apart
 */
export async function auditPageOf(
  asked: AuditAsked,
  after: number | null,
  limit: number,
  mostLooked = MOST_LOOKED,
): Promise<AuditPage> {
  const rows: AuditRow[] = []
  let looked = 0
  for await (const found of decisionsOf(asked, after)) {
    rows.push(...found.rows)
    looked += found.looked
    if (found.next === null) break
    if (rows.length >= limit || looked >= mostLooked) return { rows, next: found.next }
  }
  return { rows, next: null }
}

/** All rows. */
export async function* auditRowsOf(asked: AuditAsked): AsyncGenerator<AuditRow> {
  for await (const { rows } of decisionsOf(asked, null)) yield* rows
}

/** Decision by decision. looked: how many decisions were read for it; next: where it goes on, null: nowhere. */
async function* decisionsOf(
  asked: AuditAsked,
  after: number | null,
): AsyncGenerator<{ rows: AuditRow[]; looked: number; next: number | null }> {
  const { world, store, from, to, who, task } = asked
  const making = makerOf(asked)
  const turn = takingTurns()
  const wish = { look: LOOK, from, to, by: who === null ? null : [who], types: ACT_TYPES, task }
  let before: number | null = after ?? world.seq + 1
  while (before !== null) {
    const found = await store.archive.acts({ before, ...wish })
    for (const [last, acts] of byDecision(found.acts)) {
      yield { rows: await making.rowsOf(acts), looked: 0, next: last }
      await turn()
    }
    yield { rows: [], looked: LOOK, next: found.next }
    before = found.next
  }
}

function byDecision(acts: readonly ActEntry[]): Map<number, ActEntry[]> {
  const found = new Map<number, ActEntry[]>()
  for (const act of acts) found.set(act.last, [...(found.get(act.last) ?? []), act])
  return found
}

function makerOf({ world, store, language, kind }: AuditAsked) {
  const nameOfTask = openTaskNames(world, store.archive)
  const origins = recentMap<string, Promise<SessionOrigin | undefined>>(ORIGINS_KEPT)
  const originOf = (id: string): Promise<SessionOrigin | undefined> =>
    origins.getOrMake(id, async () => (await store.accounts.originsOf([id]))[0])

  async function sessionOf(id: string | null): Promise<AuditRow['session']> {
    if (id === null) return null
    const { address = null, agent: browser = null, token = null } = (await originOf(id)) ?? {}
    return { id, address, browser, token }
  }

  function sayerOf({ by, seq }: Entry, decision: readonly Entry[]): ActSayer {
    return {
      by,
      say: (key, ...values) => sayAudit(language, key, ...values),
      name: (id) => selectName(world, id),
      names: (ids) =>
        sayNames(
          language,
          ids.map((id) => selectName(world, id)),
        ),
      decided: ({ answer }) => exportWords(language)[DECIDED[answer.decision]],
      isTold: decision.some(isTelling),
      sentence: () => sentenceAfter(decision, seq, language),
    }
  }

  return {
    /** in: the entries of one decision, the last first */
    async rowsOf(acts: readonly ActEntry[]): Promise<AuditRow[]> {
      const rows: AuditRow[] = []
      const entries = acts.map(({ last: _, session: __, ...entry }) => decodeEntry(entry))
      const session = await sessionOf(acts[0]?.session ?? null)
      for (const entry of entries) {
        const act = actIn(entry, sayerOf(entry, entries))
        if (act === null || (kind !== null && act.kind !== kind)) continue
        const task = 'task' in entry.event ? (entry.event.task as TaskId | null) : null
        rows.push({
          seq: entry.seq,
          at: entry.at,
          who: { id: entry.by, name: own<{ name: string }>(world.agents, entry.by)?.name ?? entry.by },
          ...act,
          task: task === null ? null : { id: task, name: await nameOfTask(task) },
          session,
        })
      }
      return rows
    },
  }
}

/** The line about an act in the chat: the next one of the task itself. */
function sentenceAfter(decision: readonly Entry[], seq: number, language: Language): string | null {
  const lines = decision.filter((one) => one.seq > seq && one.event.type === 'message.sent')
  const line = lines.at(-1)?.event
  if (line?.type !== 'message.sent' || line.sender !== SYSTEM_TASK) return null
  return line.said === undefined || line.text === '' ? null : saySaid(language, line.said)
}

/** Rows as CSV (RFC 4180) for spreadsheets, with a line of names. */
export async function* auditCsv(rows: AsyncIterable<AuditRow>, language: Language): AsyncGenerator<string> {
  const names = (
    ['time', 'who', 'person', 'what', 'kind', 'task', 'taskId', 'address', 'browser', 'token', 'session'] as const
  ).map((key) => sayAudit(language, key))
  // Without a mark some spreadsheets read it in another encoding.
  yield `\ufeff${csvLine(names)}`
  for await (const { at, who, what, kind, task, session } of rows)
    yield csvLine([
      new Date(at).toISOString(),
      ...[
        who.name,
        who.id,
        what,
        kind,
        task?.name,
        task?.id,
        session?.address,
        session?.browser,
        session?.token,
        session?.id,
      ],
    ])
}

const csvLine = (cells: readonly (string | null | undefined)[]): string =>
  `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`

/** A spreadsheet computes what begins like a formula: a quote before it makes it a text. */
const csvCell = (text: string): string => `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
