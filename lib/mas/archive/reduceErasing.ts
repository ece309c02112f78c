/** An erased task leaves the world, whether its entries were reduced before or found empty. */

import { type AgentId, type PeerId, shortHash, type TaskId } from '../ids'
import type { World } from '../records'
import { cutEach, only, orNothing, withKey, withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import { onEachBranch } from './branches'
import type { SharedList, WithoutErased } from './erasedRecords'
import { withBreak } from './leaving'

type OfSomeTask = { task: TaskId | null }

const orNone = <Item>(list: readonly Item[]): Item[] | null => (list.length === 0 ? null : [...list])

/** The lists without records of the task, each with as many of the others as `lengths` says. */
function withoutListed<Key extends string, Item extends OfSomeTask>(
  lists: Record<Key, readonly Item[]>,
  task: TaskId,
  lengthOf: (key: Key) => number | undefined,
): Record<Key, Item[]> {
  return cutEach(lists as Record<Key, Item[]>, (list, key) => {
    const left = list.filter((item) => item.task !== task)
    const most = lengthOf(key)
    return orNone(most === undefined ? left : left.slice(Math.max(0, left.length - most)))
  })
}

/** The branches that no task owns, without what the task left in them. */
function sharedWithout(world: World, task: TaskId, without: WithoutErased | null) {
  const lengthIn = (list: SharedList) => (key: string) => without?.lengths[list][key]
  return {
    notices: withoutListed(world.notices, task, lengthIn('notices')),
    taken: withoutListed(world.taken, task, lengthIn('taken')),
    checkpoints: withoutListed(world.checkpoints, task, lengthIn('checkpoints')),
    ratings: withoutListed(world.ratings, task, lengthIn('ratings')),
    templateRatings: withoutListed(world.templateRatings, task, lengthIn('templateRatings')),
    // A path that has no length is one that others had replaced.
    files: withoutListed(world.files, task, (path) =>
      without === null ? undefined : (without.lengths.files[shortHash(path)] ?? 0),
    ),
    memory: withoutListed(world.memory, task, () => undefined),
    conversations: cutEach(world.conversations, (all) => orNothing(only(all, (one) => one.task !== task))),
  }
}

/** What its entries added up to, or changed the order of. */
function summedWithout(world: World, without: WithoutErased | null): Partial<World> {
  if (without === null) return {}
  const { work, budgets, spent, peerSpent, schedules } = without
  return {
    work,
    budgets,
    spent,
    peers: cutEach(world.peers, ({ spent: _, ...peer }, key: PeerId) => {
      const own = peerSpent[key]
      return own === undefined ? peer : { ...peer, spent: own }
    }),
    schedules: cutEach(world.schedules, (one) =>
      schedules.includes(one.id) && one.last !== null ? { ...one, last: { ...one.last, task: null } } : one,
    ),
  }
}

export const erasingReducers = {
  'task.erased': (world, { task, by, from, to, without }, { at, seq }) => ({
    ...world,
    ...onEachBranch((branch) => withoutKeys<TaskId, unknown>(world[branch], [task])),
    ...sharedWithout(world, task, without),
    ...summedWithout(world, without),
    // What left with its entries, and when, is known no more after they are empty.
    left: withBreak(withoutKeys(world.left, [task]), Object.keys(world.agents) as AgentId[], seq),
    erased: withKey(world.erased, task, { by, at, seq, from, to }),
  }),
  'entry.erased': (world) => world,
} satisfies Reducers
