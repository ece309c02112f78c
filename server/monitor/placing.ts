/** Assigns each subscription of each page its class and stream, and sends resets, frames and closes. */

import { pieceOf } from '@/lib/mas/archive/branches'
import type { StepId, TaskId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { isStepOver } from '@/lib/mas/statuses'
import { selectTaskResult } from '@/lib/mas/tasks/taskResult'
import { memo } from '@/lib/memo'
import { type ParsedView, parseView } from '@/lib/wire/views'
import type { Moments } from '../engine/moments/moments'
import { type RestoredTask, type RestoredTasks, withRestoredTask } from '../engine/snapshots/restoredTasks'
import { openMomentPlacing } from './momentPlacing'
import { momentStream } from './moments'
import { type ScopeAnswer, scopeOfView } from './scopes'
import { recordGen, type SharedStream, type SharedStreams } from './sharedStreams'
import type { Stream } from './streams'
import { type MonitorConnection, type Page, parseCursor, type Sub, sendClosed, sendFrame, sendReset } from './subs'

type PlacingParts = {
  world: () => World
  /** The journal's id. */
  journal: string
  past: RestoredTasks | undefined
  moments: Pick<Moments, 'worldAt'> | undefined
  streams: SharedStreams
  /** Is the page still open? */
  isThere: (connection: MonitorConnection) => boolean
}

/** By person and view: a person may have many pages, and each is asked about twice in a tick. */
const answersIn = memo((_world: World) => new Map<string, ScopeAnswer>())

/** Places subscriptions in the stream of their scope, also those of tasks that have left the world. */
export function openPlacing({ world, journal, past, moments, streams, isThere }: PlacingParts) {
  const atMoment = openMomentPlacing({
    ...{ world, journal, past, moments },
    again: (sub, page) => {
      if (page.subs.get(sub.id) === sub && isThere(sub.connection)) place(sub, page, scopeNow(sub), null)
    },
  })
  const scopeNow = (sub: Sub): ScopeAnswer => {
    if (sub.parsed === null) return { scopeKey: null, closed: 'bad-view' }
    const { person } = sub.connection
    if (sub.at !== null) return atMoment.scopeNow(sub, sub.parsed, sub.at)
    if (typeof sub.past !== 'string') return scopeOfView(withRestoredTask(world(), sub.past), person, sub.parsed)
    const answers = answersIn(world())
    const key = `${person} ${sub.view}`
    const answer = answers.get(key) ?? scopeOfView(world(), person, sub.parsed)
    answers.set(key, answer)
    return answer
  }

  /** It is not in the world: it may have left it. Answers later; until then the subscription waits. */
  function lookBack(sub: Sub, page: Page, restored: RestoredTasks, parsed: ParsedView): void {
    sub.past = 'looking'
    const settle = (found: RestoredTask | null): void => {
      if (page.subs.get(sub.id) !== sub || !isThere(sub.connection)) return
      sub.past = found ?? 'none'
      place(sub, page, scopeNow(sub), null)
    }
    findRestored(restored, parsed, world).then(settle, () => settle(null))
  }

  /**
   * Send the changes of these streams to all of their subscriptions. All are computed before the first is sent, so that what
   * changed in the views of a page comes together and is drawn at once. Subscriptions whose class changed get nothing but a
   * reset or a close, at the tick.
   */
  function deliver(shared: readonly SharedStream[]): void {
    const changes = shared.map(({ stream, subs }) => ({ stream, subs, body: stream.flush(world()) }))
    for (const { stream, subs, body } of changes) {
      if (body === null) continue
      for (const sub of subs) if (scopeNow(sub).scopeKey === stream.scopeKey) sendFrame(sub, stream, body)
    }
  }

  /** Show the stream of that class; from the cursor on where there is one. */
  function place(sub: Sub, page: Page, answer: ScopeAnswer, cursor: string | null): void {
    streams.leave(sub)
    if (sub.at !== null) {
      atMoment.place(sub, page, sub.at, answer)
      return
    }
    if (sub.past === 'looking') return
    if (answer.closed === 'not-found' && sub.past === 'unknown' && past && sub.parsed) {
      lookBack(sub, page, past, sub.parsed)
      return
    }
    sub.closed = answer.closed
    if (answer.scopeKey === null || sub.parsed === null) {
      sendClosed(sub, page, answer.closed ?? 'bad-view')
      return
    }
    if (typeof sub.past !== 'string') {
      const gen = recordGen(journal, `past ${sub.past.seq} ${sub.view} ${answer.scopeKey}`)
      sub.stream = restoredStream(sub.parsed, answer.scopeKey, gen, world(), sub.past)
      sendReset(sub, page, sub.stream, world(), sub.past.seq)
      return
    }
    const shared = streams.of(sub.view, sub.parsed, answer.scopeKey, world())
    // Flush first: a snapshot between two frames would contain changes that the next frame repeats.
    deliver([shared])
    const { stream } = shared
    shared.subs.add(sub)
    sub.stream = stream
    const stood = cursor === null ? null : parseCursor(cursor)
    const missing = stood?.gen === stream.gen ? stream.missing(stood.seq, world()) : null
    if (missing) {
      sendFrame(sub, stream, missing)
      return
    }
    sendReset(sub, page, stream, world(), world().seq)
  }

  return { scopeNow, place, deliver }
}

/** What left the world and this view shows; null when there never was such a thing. */
async function findRestored(past: RestoredTasks, view: ParsedView, world: () => World): Promise<RestoredTask | null> {
  switch (view.kind) {
    case 'task':
    case 'tree':
    case 'timeline':
      return past.task(view.task)
    case 'step':
      return pastOfStep(past, view.step, world)
    default:
      return null
  }
}

async function pastOfStep(past: RestoredTasks, id: StepId, world: () => World): Promise<RestoredTask | null> {
  const step = await past.step(id)
  if (step === null) return null
  return (await past.task(step.task)) ?? besideWhatLives(world(), step)
}

/** A step that left an open task: the task as it is, and that one step. */
function besideWhatLives(world: World, step: StepRecord): RestoredTask | null {
  // A step that is not over does not leave: this node has not read its entries yet.
  if (world.tasks[step.task] === undefined || !isStepOver(step)) return null
  const piece = pieceOf(world, step.task)
  const own = { ...piece.steps?.[step.agent], [step.id]: step }
  return {
    task: step.task as TaskId,
    seq: world.seq,
    piece: { ...piece, steps: { ...piece.steps, [step.agent]: own } },
  }
}

/** Computes all views of a task, and its result, for those who see everything. Throws what they throw: its records have another form. */
export function tryViews(world: World, task: TaskId): void {
  const past = { task, seq: world.seq, piece: pieceOf(world, task) }
  for (const kind of ['task', 'tree', 'timeline'] as const) {
    const view = parseView(`${kind}:${task}`)
    if (view) JSON.stringify(restoredStream(view, 'all', '', world, past).snapshot(world))
  }
  selectTaskResult(world, task)
}

/** A view of what left the world, as it was. */
const restoredStream = (view: ParsedView, scopeKey: string, gen: string, now: World, past: RestoredTask): Stream =>
  momentStream(view, scopeKey, gen, { ...withRestoredTask(now, past), seq: past.seq }, past.seq)
