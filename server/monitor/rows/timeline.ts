/** The rows of a task's timeline: a lane for each member, its newest bars, and pages of those before. */

import { isVisibleRequest, threadsOf } from '@/lib/mas/access/visibility'
import { isNumbered } from '@/lib/mas/asks/requests'
import type { AgentId, StepId, TaskId } from '@/lib/mas/ids'
import type { RequestRecord, StepRecord, StepWait, TaskRecord, World } from '@/lib/mas/records'
import type { OpenWait } from '@/lib/mas/waits/openWaits'
import { isStop, selectStepsProgress } from '@/lib/mas/waits/progress'
import { keeping, memo, memoWith } from '@/lib/memo'
import type { TimelineBar, TimelineLane, TimelineTotals } from '@/lib/wire/rows'
import type { ParsedRowView } from '@/lib/wire/views'
import { whoOf, whosOf } from '@/lib/wire/who'
import { criticalPath, type Span, type SpansOfLane } from './criticalPath'
import { agentsIn, inOrder, NOTHING_TODO, ranAt } from './lanes'
import { padded, type RowPart, type RowSource, TOTALS } from './source'
import { attemptOf, type BarPlace, barOfRequest, barOfStep, chipOf } from './timelineBar'
import { openWaitsIn, progressMark } from './waits'

/** Bars shown per lane, and per page. */
export const LANE_BARS = 40
const PAGE_BARS = 100
/** Columns of the sums of a lane: at most so many, of a time that is this or so many times doubled, ms. */
const COLUMNS_MOST = 512
const COLUMN_LEAST_MS = 250

type TimelineView = Extract<ParsedRowView, { kind: 'timeline' }>
type Made = StepRecord | RequestRecord

/** `person`: a participant in the base task, who sees the steps of their threads and their own; null: all steps. */
export function timelineRows(view: TimelineView, person: AgentId | null): RowSource {
  const { task, older } = view
  return {
    inputs: (world) => [
      world.tasks[task],
      world.stages[task],
      world.steps[task],
      world.requests[task],
      world.agents,
      person === null ? null : world.messages[task],
      ...agentsIn(world, task).map((agent) => world.work[agent]),
    ],
    mark: (world) => (world.tasks[task] ? progressMark(world, world.tasks[task]) : ''),
    rows: (world) => {
      const record = world.tasks[task]
      if (record === undefined) return []
      const lanes = lanesIn(world, record, person)
      const path = pathOf(world, task, lanes)
      if (older === null) return wholeTimeline(world, record, lanes, path, person)
      const lane = lanes.find(({ agent }) => agent === older.agent)
      return lane ? barsOf(world, task, lane, path, older.before - PAGE_BARS, older.before) : []
    },
  }
}

/** One member: what they did and were asked in the order of `keyOf`; the waits that lock them. */
type Lane = {
  agent: AgentId
  place: number
  /** Of all steps, also those that took no time. */
  count: number
  steps: readonly StepRecord[]
  made: readonly Made[]
  keyOf: (made: Made) => string
  waits: readonly OpenWait[]
}

function lanesIn(world: World, task: TaskRecord, person: AgentId | null): Lane[] {
  const threads = person === null ? null : threadsOf(world, task.id, person)
  const waits = openWaitsIn(world, task.id, null)
  const requests = Object.values<RequestRecord>(world.requests[task.id] ?? {}).filter(
    (request) =>
      isNumbered(request) && (threads === null || person === null || isVisibleRequest(request, threads, person)),
  )
  const isPerson = (agent: AgentId): boolean => world.agents[agent]?.kind === 'human'
  // Operators answer for tasks that they are not in.
  const answering = requests.flatMap(({ answer, endedAt, asked }) => (endedAt === null ? asked : (answer?.by ?? [])))
  const agents = [...new Set([...agentsIn(world, task.id), ...answering])]
  // Agents first: what people did is looked for at one place.
  const ordered = [...agents.filter((agent) => !isPerson(agent)), ...agents.filter(isPerson)]
  return ordered.map((agent, at) => {
    const own = world.steps[task.id]?.[agent]
    const seen = agent === person ? null : threads
    const { steps: all, keys } = own ? inOrder(own, world.work[agent]?.todo ?? NOTHING_TODO, seen) : NO_STEPS
    const steps = timed(all)
    const asked = isPerson(agent) ? requests.filter((request) => isAskedOf(request, agent)) : []
    const keyOf = (made: Made): string => (isStep(made) ? (keys.get(made.id) ?? '') : ranAt(made.openedSeq))
    return {
      agent,
      place: at + 1,
      count: all.length,
      steps,
      made: asked.length === 0 ? steps : [...steps, ...asked].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      keyOf,
      waits: waits.filter(({ who, lock }) => who === agent && lock !== null),
    }
  })
}
/** What ended without a beginning took no time: a call that another step wrote, a step that was cancelled before its turn. */
const timed = memo((steps: readonly StepRecord[]) =>
  steps.filter(({ startedAt, endedAt }) => startedAt !== null || endedAt === null),
)
const NO_STEPS = { steps: [], keys: new Map<StepId, string>() } as const

/** An open one is asked of all; one that is over is of who answered it. */
const isAskedOf = ({ answer, endedAt, asked }: RequestRecord, agent: AgentId): boolean =>
  endedAt === null ? asked.includes(agent) : answer?.by === agent

const isStep = (made: Made): made is StepRecord => 'executor' in made
const fromOf = (made: Made): number | null => (isStep(made) ? made.startedAt : made.openedAt)
/** Steps, and waits for people. A wait for an agent is explained by what that agent did meanwhile. */
const spansOf = memoWith(
  (steps: readonly StepRecord[], agents: World['agents'], requests: Requests | undefined): SpansOfLane => {
    const spans = steps.flatMap((step): Span[] => {
      const { id, agent, startedAt, endedAt } = step
      const own = startedAt === null ? [] : [{ id, agent, from: startedAt, to: endedAt }]
      if (step.waits === undefined) return own
      const ofPeople = step.waits.filter(({ on }) => on === null || agents[on]?.kind === 'human')
      const waits = ofPeople.map((wait) => ({
        id: wait.id,
        agent,
        from: wait.at,
        to: wait.until,
        on: waitedFor(requests, wait),
      }))
      return [...own, ...waits]
    })
    const ended = spans.filter(({ to }) => to !== null).sort((a, b) => (a.to ?? 0) - (b.to ?? 0))
    return { ended, open: spans.filter(({ to }) => to === null) }
  },
)
type Requests = World['requests'][TaskId]

type Path = { spans: readonly Span[]; ids: ReadonlySet<string> }

function pathOf(world: World, task: TaskId, lanes: readonly Lane[]): Path {
  const spans = criticalPath(lanes.map(({ steps }) => spansOf(steps, world.agents, world.requests[task])))
  return { spans, ids: new Set(spans.map(({ id }) => id)) }
}

function wholeTimeline(
  world: World,
  task: TaskRecord,
  lanes: readonly Lane[],
  path: Path,
  person: AgentId | null,
): RowPart[] {
  const axis = axisOf(task, lanes)
  const steps = lanes.reduce((sum, { count }) => sum + count, 0)
  // A viewer who sees only some steps does not get their total number.
  const made = person === null ? (world.stepCounts[task.id] ?? 0) : 0
  const totals: TimelineTotals = {
    ...TOTALS,
    ...axis,
    steps,
    archived: Math.max(0, made - steps),
    ...pathSums(world, path),
  }
  return [
    totals,
    ...lanes.flatMap((lane): RowPart[] => [
      laneRow(world, task, lane, axis),
      barsOf(world, task.id, lane, path, lane.made.length - LANE_BARS, lane.made.length),
    ]),
  ]
}

type Axis = Pick<TimelineTotals, 'from' | 'to' | 'columnMs'>

/** From the first thing that was done; the column is as wide as the time since then needs. */
function axisOf(task: TaskRecord, lanes: readonly Lane[]): Axis {
  const froms = lanes.flatMap(({ made }) => (made[0] ? (fromOf(made[0]) ?? []) : []))
  const from = Math.min(task.createdAt, ...froms)
  const last = Math.max(from, ...lanes.map(({ steps }) => newestOf(steps).last))
  let columnMs = COLUMN_LEAST_MS
  while ((last - from) / columnMs > COLUMNS_MOST) columnMs *= 2
  return { from, to: task.endedAt, columnMs }
}

/** last: the newest time of a step, epoch ms */
const newestOf = memo((steps: readonly StepRecord[]) => {
  const running = steps.find(({ state }) => state === 'running') ?? null
  let last = 0
  for (const { startedAt, endedAt } of steps) last = Math.max(last, startedAt ?? 0, endedAt ?? 0)
  return { last, running }
})

/** How much of each column was worked, as digits. An agent runs one step at a time; a person's may overlap. */
const busyOf = memoWith((steps: readonly StepRecord[], from: number, columnMs: number): string => {
  const columns: number[] = []
  for (const { startedAt, endedAt } of steps) {
    if (startedAt === null || endedAt === null) continue
    const [first, last] = [Math.floor((startedAt - from) / columnMs), Math.floor((endedAt - from) / columnMs)]
    for (let at = first; at <= last; at++) {
      const [begin, end] = [from + at * columnMs, from + (at + 1) * columnMs]
      columns[at] = (columns[at] ?? 0) + Math.min(endedAt, end) - Math.max(startedAt, begin)
    }
  }
  // A column in which anything was done is not empty.
  return Array.from(columns, (ms = 0) =>
    ms <= 0 ? 0 : Math.max(1, Math.min(9, Math.round((ms * 9) / columnMs))),
  ).join('')
})

function laneRow(world: World, task: TaskRecord, lane: Lane, { from, columnMs }: Axis): TimelineLane {
  const { agent, steps, made, waits } = lane
  const progress = selectStepsProgress(world, task, steps)
  const stop = isStop(progress) ? progress : null
  const { last, running } = newestOf(steps)
  const wait = waits.reduce<OpenWait | null>(
    (oldest, one) => (oldest && oldest.since <= one.since ? oldest : one),
    null,
  )
  return {
    id: agent,
    sort: padded(lane.place),
    kind: 'lane',
    agent,
    who: whoOf(world, agent),
    chip: running ? 'running' : wait ? (wait.isBlocked ? 'blocked' : 'waiting') : progress.state,
    from: made[0] ? fromOf(made[0]) : null,
    to: running || waits.length > 0 || last === 0 ? null : last,
    bars: made.length,
    before: Math.max(0, made.length - LANE_BARS),
    busy: busyOf(steps, from, columnMs),
    running: running?.id ?? null,
    waitsFor: running ? [] : whosOf(world, wait?.on ?? stop?.on ?? []),
    waitingSince: running ? null : (wait?.since ?? stop?.since ?? null),
    cause: running ? null : (stop?.cause ?? null),
  }
}

/** What has ended of the critical path: its time, and of it the waits for people, the longest first. */
function pathSums(world: World, { spans }: Path): Pick<TimelineTotals, 'pathMs' | 'pathWaits'> {
  const msOf = ({ from, to }: Span): number => (to === null ? 0 : to - from)
  const waits = new Map<AgentId, number>()
  for (const span of spans)
    for (const on of span.to === null ? [] : (span.on ?? [])) waits.set(on, (waits.get(on) ?? 0) + msOf(span))
  return {
    pathMs: spans.reduce((sum, span) => sum + msOf(span), 0),
    pathWaits: [...waits].sort(([, a], [, b]) => b - a).map(([id, ms]) => ({ who: whoOf(world, id), ms })),
  }
}

const keptBars = keeping<Made, TimelineBar>()

/** The bars of a lane from one place to another. */
function barsOf(
  world: World,
  task: TaskId,
  lane: Lane,
  { ids }: Path,
  from: number,
  to: number,
): readonly TimelineBar[] {
  const requests = world.requests[task]
  return lane.made.slice(Math.max(0, from), Math.max(0, to)).map((made) => {
    const place: BarPlace = { lane: lane.agent, sort: `${padded(lane.place)}/${lane.keyOf(made)}` }
    if (!isStep(made)) return keptBars(made, [place.sort, place.lane], () => barOfRequest(world, made, place))
    const wait = lane.waits.find(({ step }) => step === made.id)
    const chip = wait ? (wait.isBlocked ? 'blocked' : 'waiting') : chipOf(world, made)
    const waits = (made.waits ?? []).map((one) => ({
      ...one,
      on: waitedFor(requests, one),
      onPath: ids.has(one.id),
    }))
    const facts = { chip, attempt: attemptOf(world, made), onPath: ids.has(made.id), waits }
    const inputs = [place.sort, chip, facts.attempt, facts.onPath, world.agents, world.team.language]
    const ofWaits = waits.flatMap(({ on, onPath }) => [onPath, ...on])
    return keptBars(made, [...inputs, ...ofWaits], () => barOfStep(world, made, place, facts))
  })
}

/** Who was waited for; of a confirmation all who may give it, and who gave it once it is given. */
function waitedFor(requests: Requests | undefined, { on, request }: StepWait): readonly AgentId[] {
  if (on !== null) return [on]
  const asked = request === null ? undefined : requests?.[request]
  return asked?.answer ? [asked.answer.by] : (asked?.asked ?? [])
}
