/**
 * Rows of the index of steps in SQL: the statements that both stores run, with $1, $2 … for their values.
 *
 * The statements that change rows name a step by the number of the entry that created it. In a lane (task, stage, agent) the
 * place of a step is its rank by `began`, the entry with which it first started, or ended if it never started.
 */
import { sha256 } from '@/server/shared/sha256'
import type { IndexedStep, StepChange, StepIndex, StepLane } from '../stepIndex'

/** A step in no stage. */
const NO_STAGE = ''
export const stageKey = (stage: string | null): string => stage ?? NO_STAGE

const PLAIN = /^[\x20-\x7e]{1,60}$/
/** What a model names may be long, or have characters that a database changes: then it is known by its hash. */
const nameKey = (name: string): string => (PLAIN.test(name) ? name : sha256(name))

/** The change with names as rows have them. */
export function withNameKeys(change: StepChange): StepChange {
  if (change.kind === 'added') return { ...change, executor: nameKey(change.executor) }
  return change.kind === 'instructed' ? { ...change, name: nameKey(change.name) } : change
}

const sameLane = (a: string, b: string): string =>
  `${a}.task = ${b}.task and ${a}.stage = ${b}.stage and ${a}.agent = ${b}.agent`

/** Nothing later in the lane tries the failed step f again; see lastFailures of server/monitor/rows/failures.ts. */
const NOT_TRIED = `not exists (select 1 from step_index t
    where t.retry_of = f.step and ${sameLane('t', 'f')} and (t.place is null or t.place > f.place))
  and not (f.type = 'tool' and exists (select 1 from step_index t
    where ${sameLane('t', 'f')} and t.place > f.place and t.type = 'tool' and t.started = 1 and f.call in (t.executor, t.call)))`

/** Published schemas of PostgreSQL contain these texts: a change is a new schema. The row counts are steps that failed or no longer do. */
export const STEP_SQL = {
  add: `insert into step_index (created, step, task, stage, agent, type, executor, call, retry_of)
    values ($1, $2, $3, $4, $5, $6, $7, $7, $8) on conflict do nothing`,
  instruct: `update step_index set call = executor || '/' || $2 where created = $1`,
  start: 'update step_index set started = 1 where created = $1',
  /** $2: 1: it failed. What could not be written is the failure of its tool step. */
  end: `update step_index set outcome = case when $2 = 1 and executor <> 'instruction_generation' then 1 else 0 end
    where created = $1`,
  /** The lane of the step gets one more place. */
  laneRan: `insert into step_lane (task, stage, agent, ran, failed)
    select task, stage, agent, 1, 0 from step_index where created = $1
    on conflict (task, stage, agent) do update set ran = step_lane.ran + 1`,
  /** The step gets the last place. $2: the entry */
  place: `update step_index as f set began = $2,
    place = (select l.ran - 1 from step_lane l where ${sameLane('l', 'f')}) where f.created = $1`,
  /** The step no longer has the place $3 in the lane of stage $2. */
  laneLeft: `update step_lane as l set ran = l.ran - 1 from step_index as x
    where x.created = $1 and l.task = x.task and l.stage = $2 and l.agent = x.agent`,
  laneEmpty: `delete from step_lane where ran = 0 and (task, stage, agent) in
    (select x.task, $2, x.agent from step_index x where x.created = $1)`,
  closeGap: `update step_index as f set place = f.place - 1 from step_index as x
    where x.created = $1 and f.task = x.task and f.stage = $2 and f.agent = x.agent and f.place > $3`,
  move: 'update step_index set stage = $2, place = null, failed = 0 where created = $1',
  /** Steps that began after the moved one come after it. */
  openGap: `update step_index as f set place = f.place + 1 from step_index as x
    where x.created = $1 and ${sameLane('f', 'x')} and f.place >= $2`,
  /** out: where its place is in its lane */
  rank: `select coalesce((select f.place + 1 from step_index f, step_index x
    where x.created = $1 and ${sameLane('f', 'x')} and f.place is not null and f.began < x.began
    order by f.place desc limit 1), 0) as place`,
  placeAt: 'update step_index set place = $2 where created = $1',
  /** It failed. */
  fail: `update step_index as f set failed = 1 where f.created = $1 and f.outcome = 1 and ${NOT_TRIED}`,
  /** It is a retry of a step of its lane. */
  retry: `update step_index as f set failed = 0 from step_index as x
    where x.created = $1 and f.step = x.retry_of and f.failed = 1 and ${sameLane('f', 'x')}
      and (x.place is null or x.place > f.place)`,
  /** It tries earlier calls of its lane again. `+`: SQLite finds them by their calls, not by their places. */
  call: `update step_index as f set failed = 0 from step_index as x
    where x.created = $1 and x.type = 'tool' and x.started = 1 and ${sameLane('f', 'x')}
      and f.failed = 1 and f.type = 'tool' and f.call in (x.executor, x.call) and +f.place < x.place`,
  /** It no longer tries steps in the lane of stage $2 again, or not with the call $3: those that nothing else tries fail again. */
  untry: `update step_index as f set failed = 1 from step_index as x
    where x.created = $1 and (x.started = 1 or x.retry_of is not null)
      and f.task = x.task and f.stage = $2 and f.agent = x.agent and f.place is not null
      and f.outcome = 1 and f.failed = 0 and (f.step = x.retry_of or f.type = 'tool' and f.call in (x.executor, $3)) and ${NOT_TRIED}`,
  /** $3 more steps of the lane of stage $2 have failed. */
  laneFailed: `update step_lane as l set failed = l.failed + $3 from step_index as x
    where x.created = $1 and l.task = x.task and l.stage = $2 and l.agent = x.agent and $3 <> 0`,
} as const

/**
 * The questions to the index.
 *
 * in      texts: how a store selects columns of texts; among: whether `created` is in a list of numbers, joined by commas, at $2
 */
export function stepReads(texts: (...columns: string[]) => string, among: string) {
  const rows = `select ${texts('step', 'stage', 'agent', 'type')}, created, place, failed from step_index`
  const lane = 'task = $1 and stage = $2 and agent = $3'
  const newest = (more: string) => `${rows} where task = $1 and created < $2 ${more} order by created desc limit $3`
  return {
    lanes: `select ${texts('stage', 'agent')}, ran, failed from step_lane where task = $1 order by step_lane.stage, step_lane.agent`,
    at: `${rows} where ${lane} and place >= $4 and place < $5 order by place`,
    failedAfter: `${rows} where ${lane} and failed = 1 and place > $4 order by place limit $5`,
    failedBefore: `${rows} where ${lane} and failed = 1 and place < $4 order by place desc limit $5`,
    /** One row per lane: reading and decoding a row for each step takes ten times as long. */
    failedOfTask: `select ${texts('stage', 'agent')},
      string_agg(case type when 'tool' then 't' else 's' end || cast(place as text), ',') as places
      from (select stage, agent, type, place from step_index where task = $1 and failed = 1
        order by stage, agent, place limit $2) as f
      group by f.stage, f.agent order by f.stage, f.agent`,
    newest: newest(''),
    newestOfAgent: newest('and agent = $4'),
    newestFailed: newest('and failed = 1'),
    newestFailedOfAgent: newest('and failed = 1 and agent = $4'),
    created: `${rows} where task = $1 and ${among} order by created desc`,
    step: `${rows} where step = $1`,
  }
}
export type StepReads = ReturnType<typeof stepReads>

/** A row that SQL answered. Texts are decoded. */
export type StepSqlRow = Record<string, unknown>

export function stepIndexOf(
  ask: (question: keyof StepReads, values: readonly (string | number)[]) => Promise<readonly StepSqlRow[]>,
): StepIndex {
  const stepsOf = async (question: keyof StepReads, ...values: (string | number)[]): Promise<IndexedStep[]> =>
    (await ask(question, values)).map((row) => ({
      ...laneOf(row),
      step: String(row.step),
      created: Number(row.created),
      type: typeOf(row.type),
      place: row.place === null ? null : Number(row.place),
      isFailed: row.failed === 1,
    }))
  return {
    async lanesOf(task) {
      const sums = await ask('lanes', [task])
      return sums.map((row) => ({ ...laneOf(row), ran: Number(row.ran), failed: Number(row.failed) }))
    },
    stepsAt: (task, { stage, agent }, from, to) => stepsOf('at', task, stageKey(stage), agent, from, to),
    failedIn: (task, { stage, agent }, side, limit) =>
      'after' in side
        ? stepsOf('failedAfter', task, stageKey(stage), agent, side.after, limit)
        : stepsOf('failedBefore', task, stageKey(stage), agent, side.before, limit),
    async failedOf(task, limit) {
      const lanes = await ask('failedOfTask', [task, limit])
      return lanes.flatMap((row) => {
        const { stage, agent } = laneOf(row)
        const places = String(row.places).split(',')
        const failed = places.map((place) => ({ stage, agent, type: typeOf(place[0]), place: Number(place.slice(1)) }))
        return failed.sort((a, b) => a.place - b.place)
      })
    },
    newestSteps(task, { agent, isFailed }, before, limit) {
      if (agent === undefined) return stepsOf(isFailed ? 'newestFailed' : 'newest', task, before, limit)
      return stepsOf(isFailed ? 'newestFailedOfAgent' : 'newestOfAgent', task, before, limit, agent)
    },
    stepsCreated: (task, seqs) => stepsOf('created', task, seqs.join()),
    async placeOf(step) {
      return (await stepsOf('step', step))[0] ?? null
    },
  }
}

const laneOf = ({ stage, agent }: StepSqlRow): StepLane => ({
  stage: stage === NO_STAGE ? null : String(stage),
  agent: String(agent),
})
/** in: the type, or its first letter */
const typeOf = (type: unknown): IndexedStep['type'] => (type === 'tool' || type === 't' ? 'tool' : 'skill')
