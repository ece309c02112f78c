/** The index of steps in SQLite. The search writes it in its own transaction. */
import {
  STEP_SQL,
  type StepReads,
  type StepSqlRow,
  stageKey,
  stepIndexOf,
  stepReads,
  withNameKeys,
} from '../shared/stepRows'
import type { StepChange, StepIndex } from '../stepIndex'
import { asBytes, textOrNull } from './database/columns'
import type { SqliteConnection } from './database/connection'
import type { Queries, Query } from './database/query'

const sqliteSql = (sql: string): string => sql.replaceAll(/\$(\d)/g, '?$1')

/** A step as it is when an entry changes it. Texts may be damaged. */
type KnownRow = {
  created: number
  place: number | null
  started: number
  outcome: number | null
  failed: number
  stage: ArrayBuffer
  call: ArrayBuffer
}

/** Inside a transaction of the caller. */
export function stepWriter(query: Queries) {
  const known = query<KnownRow>(
    `select created, place, started, outcome, failed, ${asBytes('stage', 'stage')}, ${asBytes('call', 'call')}
     from step_index where step = ?`,
  )
  const statement = (name: keyof typeof STEP_SQL): Query<never> => query(sqliteSql(STEP_SQL[name]))
  const [add, instruct, start, end] = [statement('add'), statement('instruct'), statement('start'), statement('end')]
  const [laneRan, place, placeAt, move] = [
    statement('laneRan'),
    statement('place'),
    statement('placeAt'),
    statement('move'),
  ]
  const [laneLeft, laneEmpty, laneFailed] = [statement('laneLeft'), statement('laneEmpty'), statement('laneFailed')]
  const [closeGap, openGap] = [statement('closeGap'), statement('openGap')]
  const [fail, retry, call, untry] = [statement('fail'), statement('retry'), statement('call'), statement('untry')]
  const rank = query<{ place: number }>(sqliteSql(STEP_SQL.rank))
  const noSteps = query('delete from step_index')
  const noLanes = query('delete from step_lane')

  const alsoFailed = (created: number, stage: string, more: number): void => {
    if (more !== 0) laneFailed.run(created, stage, more)
  }
  const placed = ({ created, place: has }: KnownRow, seq: number): void => {
    if (has !== null) return
    laneRan.run(created)
    place.run(created, seq)
  }

  function moved({ created, ...row }: KnownRow, from: string, to: string, by: string): void {
    if (from === to) return
    if (row.place !== null) {
      alsoFailed(created, from, -row.failed)
      laneLeft.run(created, from)
      closeGap.run(created, from, row.place)
      laneEmpty.run(created, from)
    }
    move.run(created, to)
    if (row.place !== null) {
      laneRan.run(created)
      const at = rank.get(created)?.place ?? 0
      openGap.run(created, at)
      placeAt.run(created, at)
    }
    alsoFailed(created, from, untry.run(created, from, by))
    alsoFailed(created, to, fail.run(created) - call.run(created) - retry.run(created))
  }

  function apply(given: StepChange): void {
    const change = withNameKeys(given)
    if (change.kind === 'added') {
      const { seq, step, task, agent, type, executor, retryOf } = change
      const stage = stageKey(change.stage)
      if (add.run(seq, step, task, stage, agent, type, executor, retryOf) > 0 && retryOf !== null)
        alsoFailed(seq, stage, -retry.run(seq))
      return
    }
    const row = known.get(change.step)
    const [stage, name] = [row && textOrNull(row.stage), row && textOrNull(row.call)]
    if (row === undefined || typeof stage !== 'string' || typeof name !== 'string') return
    if (change.kind === 'moved') {
      moved(row, stage, stageKey(change.stage), name)
      return
    }
    // An ended step does not change.
    if (row.outcome !== null) return
    const { created } = row
    switch (change.kind) {
      case 'instructed':
        instruct.run(created, change.name)
        if (row.started === 1) alsoFailed(created, stage, untry.run(created, stage, name) - call.run(created))
        return
      case 'began':
        if (row.started === 1) return
        placed(row, change.seq)
        start.run(created)
        alsoFailed(created, stage, -call.run(created))
        return
      case 'ended':
        placed(row, change.seq)
        end.run(created, change.isFailure ? 1 : 0)
        if (change.isFailure) alsoFailed(created, stage, fail.run(created))
    }
  }

  return {
    apply,
    clear(): void {
      noSteps.run()
      noLanes.run()
    },
  }
}

/** Exported for the test of their plans. */
export const SQLITE_STEP_READS: StepReads = stepReads(
  (...columns) => columns.map((column) => asBytes(column, column)).join(', '),
  "created in (select value from json_each('[' || $2 || ']'))",
)

type KeptRow = Record<string, number | ArrayBuffer | null>

export function sqliteSteps({ read, query }: Pick<SqliteConnection, 'read' | 'query'>): StepIndex {
  /** Each is prepared once. */
  const statements = new Map<keyof StepReads, Query<KeptRow>>()
  const statement = (question: keyof StepReads): Query<KeptRow> => {
    const known = statements.get(question) ?? query<KeptRow>(sqliteSql(SQLITE_STEP_READS[question]))
    statements.set(question, known)
    return known
  }
  return stepIndexOf(async (question, values) => {
    const rows = read('search', (): KeptRow[] => statement(question).all(...values))
    return rows.map(withTexts).filter((row) => row !== null)
  })
}

/** null: a text is damaged; the index can be rebuilt. */
function withTexts(row: KeptRow): StepSqlRow | null {
  const decoded: StepSqlRow = {}
  for (const [column, value] of Object.entries(row)) {
    decoded[column] = value instanceof ArrayBuffer ? textOrNull(value) : value
    if (value !== null && decoded[column] === null) return null
  }
  return decoded
}
