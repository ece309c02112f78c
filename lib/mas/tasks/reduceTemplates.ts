/** Templates of requests, and scheduled requests. */
import type { ScheduleId, TaskId, ThreadId } from '../ids'
import type { ScheduleRecord, TemplateRecord, World } from '../records'
import { changed, withKey, withoutKeys } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'

export const TEMPLATE_VERSIONS_KEPT = 20

const changeSchedule = (world: World, id: ScheduleId, change: (old: ScheduleRecord) => ScheduleRecord): World => ({
  ...world,
  schedules: changed(world.schedules, id, change),
})

function formerOf(old: TemplateRecord | undefined): TemplateRecord['former'] {
  if (old === undefined) return []
  const { id: _, former, removed: __, ...version } = old
  return [...former, version].slice(-TEMPLATE_VERSIONS_KEPT)
}

export const templateReducers = {
  'template.saved': (world, { template: id, agent: by, name, text, fields, reviewPlans }, { at }) => {
    const old: TemplateRecord | undefined = world.templates[id]
    const version = { name, text, fields, ...(reviewPlans === undefined ? {} : { reviewPlans }), by, at }
    const record = { id, ...version, former: formerOf(old), removed: false }
    return { ...world, templates: withKey(world.templates, id, record) }
  },
  'template.removed': (world, { template }) => ({
    ...world,
    templates: changed(world.templates, template, (old) => ({ ...old, removed: true })),
  }),
  'schedule.saved': (world, { type: _, v: __, schedule: id, agent: of, ...fields }, { at }) => {
    const old: ScheduleRecord | undefined = world.schedules[id]
    const record = { last: null, createdAt: at, ...old, ...fields, id, of, paused: null }
    return { ...world, schedules: withKey(world.schedules, id, record) }
  },
  'schedule.paused': (world, { schedule, by, reason }, { at }) =>
    changeSchedule(world, schedule, (old) => ({ ...old, paused: { by, reason, at }, next: null })),
  'schedule.resumed': (world, { schedule, next }) =>
    changeSchedule(world, schedule, (old) => ({ ...old, paused: null, next })),
  'schedule.removed': (world, { schedule }) => ({ ...world, schedules: withoutKeys(world.schedules, [schedule]) }),
  'schedule.asked': (world, { schedule, due, message, next }, { at }) =>
    changeSchedule(world, schedule, (old) => ({ ...old, next, last: { due, at, message, task: null } })),
} satisfies Reducers

/** Stores this task in the schedule that requested it. A thread has the id of its first message. */
export function taskOfSchedule(world: World, thread: ThreadId | undefined, task: TaskId): World {
  if (thread === undefined) return world
  const asked = Object.values<ScheduleRecord>(world.schedules).find(
    ({ last }) => last !== null && last.task === null && last.message === thread,
  )
  if (!asked) return world
  return changeSchedule(world, asked.id, (old) => (old.last === null ? old : { ...old, last: { ...old.last, task } }))
}
