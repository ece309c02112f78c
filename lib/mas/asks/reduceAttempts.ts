/** Notification attempts, on the request that they are about. */
import type { RequestId, TaskId } from '../ids'
import type { AttemptRecord, World } from '../records'
import type { Reducers } from '../reduce/reducer'
import { changeRequest } from './reduce'

type Attempts = readonly AttemptRecord[]

/** Maximum number of attempts on one request. */
export const ATTEMPTS_KEPT = 60

const changeAttempts = (world: World, task: TaskId, request: RequestId, change: (old: Attempts) => Attempts): World =>
  changeRequest(world, task, request, (record) => {
    const old = record.attempts ?? NONE
    const next = change(old)
    return next === old ? record : { ...record, attempts: next }
  })
const NONE: Attempts = []

export const attemptReducers = {
  'notice.attempted': (world, { task, request, attempt }, { at }) =>
    changeAttempts(world, task, request, (old) =>
      old.some(({ id }) => id === attempt.id)
        ? old
        : [...old.slice(1 - ATTEMPTS_KEPT), { ...attempt, at, endedAt: attempt.outcome === 'began' ? null : at }],
    ),
  'notice.attemptEnded': (world, { task, request, attempt, outcome, note }, { at }) =>
    changeAttempts(world, task, request, (old) =>
      old.some(({ id, outcome: before }) => id === attempt && before === 'began')
        ? old.map((one) => (one.id === attempt ? { ...one, outcome, note, endedAt: at } : one))
        : old,
    ),
} satisfies Reducers
