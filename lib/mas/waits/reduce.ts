/** Locks: what an agent waits for. */
import { changed, changedOr } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import { waited, waiting } from '../steps/reduce'
import { EMPTY_WORK } from '../steps/work'

export const lockReducers = {
  'lock.added': (world, { agent, task, lock }, { at }) => ({
    ...waiting(world, { agent, task, step: lock.step }, lock, at),
    work: changedOr(world.work, agent, EMPTY_WORK, (work) => ({
      ...work,
      locks: [...work.locks.filter((old) => old.id !== lock.id), { ...lock, task, at }],
    })),
  }),
  'lock.released': (world, event, { at }) => ({
    ...waited(world, event, event.waiting, at),
    work: changed(world.work, event.agent, (work) => {
      const locks = work.locks.filter((lock) => lock.id !== event.waiting)
      return locks.length === work.locks.length ? work : { ...work, locks }
    }),
  }),
} satisfies Reducers
