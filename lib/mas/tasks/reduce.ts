/** Tasks and their members. */

import type { TaskId } from '../ids'
import { spentBefore } from '../limits/reduce'
import type { KeptRating, TaskRating, TaskRecord, World } from '../records'
import { changedOr, changedRecord, withKey, withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import { isTaskOver } from '../statuses'
import { withToolRule } from '../steps/toolRules'
import { taskOfSchedule } from './reduceTemplates'

const changeTask = (world: World, task: TaskId, change: (old: TaskRecord) => TaskRecord): World => ({
  ...world,
  tasks: changedRecord(world.tasks, task, world.seq, change),
})

export const RATINGS_KEPT = 3

/** Of one person, or of one template; null: of none. */
function withRating<Of extends string>(
  all: Record<Of, readonly KeptRating[]>,
  of: Of | null,
  rating: KeptRating,
): Record<Of, readonly KeptRating[]> {
  if (of === null) return all
  return changedOr(all, of, [], (kept: readonly KeptRating[]) => {
    const others = kept.filter(({ task, by }) => task !== rating.task || by !== rating.by)
    return [...others, rating].slice(-RATINGS_KEPT)
  })
}

export const taskReducers = {
  'task.added': (
    before,
    { task: id, base, requestedIn, madeFor, conversation, changeOf, start, fromTemplate, reviewPlans, talk, ...said },
    { at },
  ) => {
    const world = taskOfSchedule(spentBefore(before, { id, requestedIn }), requestedIn?.thread, id)
    return {
      ...world,
      baseTask: base ? id : world.baseTask,
      tasks: withKey(world.tasks, id, {
        id,
        name: said.name,
        intention: said.intention,
        manager: said.manager,
        group: said.group,
        base,
        requestedBy: said.requestedBy,
        requestedIn,
        ...(madeFor === undefined ? {} : { madeFor }),
        ...(conversation === undefined ? {} : { conversation }),
        ...(talk === undefined ? {} : { talk }),
        ...(changeOf === undefined ? {} : { changeOf }),
        ...(start === undefined ? {} : { start }),
        ...(fromTemplate === undefined ? {} : { fromTemplate }),
        ...(reviewPlans === undefined ? {} : { reviewPlans }),
        former: {},
        state: 'init',
        summary: null,
        stageOrder: [],
        paused: null,
        createdAt: at,
        endedAt: null,
        changedAt: world.seq,
      }),
    }
  },
  'task.started': (world, { task }) =>
    changeTask(world, task, (old) => (old.state === 'init' ? { ...old, state: 'running' } : old)),
  'task.participantsChanged': (world, { task, added, removed }, { seq }) =>
    changeTask(world, task, (old) => ({
      ...old,
      group: [
        ...old.group.filter((agent) => !removed.includes(agent)),
        ...added.filter((one) => !old.group.includes(one)),
      ],
      former: { ...withoutKeys(old.former, added), ...Object.fromEntries(removed.map((agent) => [agent, seq])) },
    })),
  'task.managerChanged': (world, { task, agent }) => changeTask(world, task, (old) => ({ ...old, manager: agent })),
  'task.toolRuled': (world, { task, ...ruled }, { at }) =>
    changeTask(world, task, (old) => ({ ...old, toolRules: withToolRule(old.toolRules, ruled, at) })),
  'task.renamed': (world, { task, name }) => changeTask(world, task, (old) => ({ ...old, name })),
  'task.paused': (world, { task, by, reason }, { at }) =>
    changeTask(world, task, (old) => ({ ...old, paused: { by, reason, at } })),
  'task.resumed': (world, { task }) => changeTask(world, task, (old) => ({ ...old, paused: null })),
  'task.finished': (world, { task, state, summary, result }, { at }) =>
    changeTask(world, task, (old) =>
      isTaskOver(old) ? old : { ...old, state, summary, ...(result === undefined ? {} : { result }), endedAt: at },
    ),
  'task.rated': (world, { task: id, agent: by, rating, sentence }, { at }) => {
    const task = world.tasks[id]
    if (task === undefined) return world
    const rated: TaskRating = { by, rating, sentence, at }
    const ratings = [...(task.ratings ?? []).filter((one) => one.by !== by), rated]
    const known = changeTask(world, id, (old) => ({ ...old, ratings }))
    const kept: KeptRating = { ...rated, task: id, taskName: task.name }
    return {
      ...known,
      ratings: withRating(known.ratings, task.requestedBy, kept),
      templateRatings: withRating(known.templateRatings, task.fromTemplate ?? null, kept),
    }
  },
  'task.changeBegun': (world, { task, by }) =>
    changeTask(world, task, (old) => ({ ...old, changedBy: [...(old.changedBy ?? []), by] })),
} satisfies Reducers
