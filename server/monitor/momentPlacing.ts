/** Shows views of a task at a moment: the moment is looked for once, its rights are those of now. */
import type { World } from '@/lib/mas/records'
import type { ParsedView, TaskMoment } from '@/lib/wire/views'
import type { Moments } from '../engine/moments/moments'
import { type RestoredTasks, withRestoredTask } from '../engine/snapshots/restoredTasks'
import { momentStream, scopeOfMoment, worldOfMoment } from './moments'
import { accessLevelOf, type ScopeAnswer, seesThreadsOnly } from './scopes'
import { recordGen } from './sharedStreams'
import { type MomentFound, type Page, type Sub, sendClosed, sendReset } from './subs'

type MomentPlacingParts = {
  world: () => World
  /** The journal's id. */
  journal: string
  past: RestoredTasks | undefined
  moments: Pick<Moments, 'worldAt'> | undefined
  /** Places a subscription whose moment was found, unless it has ended. */
  again: (sub: Sub, page: Page) => void
}

/** out: scopeNow: the class of a subscription with a moment; place: shows it, now or once its moment was found */
export function openMomentPlacing({ world, journal, past, moments, again }: MomentPlacingParts) {
  /** The world of now with the task of that moment in it. */
  const nowWith = ({ was, at }: Sub): World =>
    typeof was === 'string' || was.restored === null || (at !== null && world().tasks[at.task] !== undefined)
      ? world()
      : withRestoredTask(world(), was.restored)

  const scopeNow = (sub: Sub, view: ParsedView, at: TaskMoment): ScopeAnswer => {
    const { was } = sub
    const now = nowWith(sub)
    const answer = scopeOfMoment(now, typeof was === 'string' ? null : was.world, sub.connection.person, view, at)
    return was === 'none' && answer.scopeKey !== null ? { scopeKey: null, closed: 'not-found' } : answer
  }

  async function findMoment(sub: Sub, view: ParsedView, at: TaskMoment): Promise<MomentFound | null> {
    const restored = world().tasks[at.task] === undefined ? ((await past?.task(at.task)) ?? null) : null
    const now = restored === null ? world() : withRestoredTask(world(), restored)
    if (now.tasks[at.task] === undefined) return null
    if (scopeOfMoment(now, null, sub.connection.person, view, at).scopeKey === null) return { world: null, restored }
    const then = await moments?.worldAt(at.task, Math.min(at.seq, world().seq))
    return then ? { world: then, restored } : null
  }

  /** Is the moment to be looked for? Also again: the task has left the world since, or the person may see it now. */
  function mayBeThere({ was }: Sub, { task }: TaskMoment, { scopeKey, closed }: ScopeAnswer): boolean {
    if (typeof was === 'string') return was === 'unknown' && (scopeKey !== null || closed === 'not-found')
    if (was.restored === null && closed === 'not-found') return world().tasks[task] === undefined
    return was.world === null && scopeKey !== null
  }

  /** Show the view as it was. The moment is looked for first; until then the subscription waits. */
  function place(sub: Sub, page: Page, at: TaskMoment, answer: ScopeAnswer): void {
    if (sub.was === 'looking') return
    if (sub.parsed !== null && mayBeThere(sub, at, answer)) {
      sub.was = 'looking'
      const settle = (found: MomentFound | null): void => {
        sub.was = found ?? 'none'
        again(sub, page)
      }
      findMoment(sub, sub.parsed, at).then(settle, () => settle(null))
      return
    }
    sub.closed = answer.closed
    const then = typeof sub.was === 'string' ? null : sub.was.world
    if (answer.scopeKey === null || sub.parsed === null || then === null) {
      sendClosed(sub, page, answer.closed ?? 'not-found')
      return
    }
    const now = nowWith(sub)
    const { person } = sub.connection
    const isOfThreads = seesThreadsOnly(now, accessLevelOf(now, person) ?? 'own', at.task)
    const shown = worldOfMoment(now, then, at.task, isOfThreads ? person : null)
    const gen = recordGen(journal, `at ${at.task} ${at.seq} ${sub.view} ${answer.scopeKey}`)
    sub.stream = momentStream(sub.parsed, answer.scopeKey, gen, shown, at.seq)
    sendReset(sub, page, sub.stream, shown, at.seq)
  }

  return { scopeNow, place }
}
