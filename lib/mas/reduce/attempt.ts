/** Notification attempts, on the delivery, or on the request if there is none. */
import type { TaskId } from '../ids'
import type { AttemptAbout, AttemptRecord, World } from '../records'
import { changeDelivery } from './message'
import type { Reducers } from './reducer'
import { changeRequest } from './request'

type Attempts = readonly AttemptRecord[]

/** Maximum number of attempts on one delivery or request. */
export const ATTEMPTS_KEPT = 60

function changeAttempts(world: World, task: TaskId, about: AttemptAbout, change: (old: Attempts) => Attempts): World {
  const withAttempts = <Record extends { attempts?: Attempts }>(record: Record): Record => {
    const old = record.attempts ?? NONE
    const next = change(old)
    return next === old ? record : { ...record, attempts: next }
  }
  return 'request' in about
    ? changeRequest(world, task, about.request, withAttempts)
    : changeDelivery(world, { task, message: about.message, agent: about.receiver }, withAttempts)
}
const NONE: Attempts = []

export const attemptReducers = {
  'notice.attempted': (world, { task, about, attempt }, { at }) =>
    changeAttempts(world, task, about, (old) =>
      old.some(({ id }) => id === attempt.id)
        ? old
        : [...old.slice(1 - ATTEMPTS_KEPT), { ...attempt, at, endedAt: attempt.outcome === 'began' ? null : at }],
    ),
  'notice.attemptEnded': (world, { task, about, attempt, outcome, note }, { at }) =>
    changeAttempts(world, task, about, (old) =>
      old.some(({ id, outcome: before }) => id === attempt && before === 'began')
        ? old.map((one) => (one.id === attempt ? { ...one, outcome, note, endedAt: at } : one))
        : old,
    ),
} satisfies Reducers
