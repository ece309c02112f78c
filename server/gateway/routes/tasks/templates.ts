/** Templates of requests, and requests that are asked again at set times. */
import { own } from '@/lib/json'
import { asId, type ScheduleId, type TemplateId } from '@/lib/mas/ids'
import type { ScheduleRecord, TemplateRecord, TemplateVersion, World } from '@/lib/mas/records'
import { isOperator, selectName } from '@/lib/mas/team/agents'
import type { ScheduleShown, TemplateHistory } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { mustFind } from '../../records/resolve'
import type { Routes } from '../../route'
import { writtenWork } from './work'

export function addTemplateRoutes({ add, addCommand }: Routes): void {
  add('GET /api/templates', {
    scope: 'read',
    summary: 'The templates of requests by name; for operators the removed ones too.',
    answers: schemas.templateList,
    async handle({ person, world }) {
      const templates = Object.values<TemplateRecord>(world.templates)
        .filter(({ removed }) => !removed || person.access === 'operator')
        .sort((a, b) => a.name.localeCompare(b.name))
        .map((one) => ({ ...versionOf(world, one), id: one.id, removed: one.removed }))
      return { templates }
    },
  })

  add('GET /api/templates/{id}/history', {
    scope: 'read',
    access: 'operator',
    summary: 'Earlier versions of a template, the newest first.',
    answers: schemas.templateHistory,
    async handle({ world, params: { id } }) {
      const { former } = mustFind(own<TemplateRecord>(world.templates, id), 'template', id)
      return { versions: former.map((one) => versionOf(world, one)).reverse() }
    },
  })

  addCommand({
    path: '/api/templates',
    scope: 'ask',
    access: 'operator',
    summary: 'Save a template: a new one, or another version. Each name in braces in its text is a field.',
    body: schemas.postTemplate,
    command: ({ body }) => ({ type: 'saveTemplate', ...body }),
  })

  addCommand({
    path: '/api/templates/{id}/remove',
    scope: 'ask',
    access: 'operator',
    summary: 'Remove a template. Its history stays, and saving it again brings it back.',
    body: schemas.commandHead,
    command: ({ id }) => ({ type: 'removeTemplate', template: asId<TemplateId>(id) }),
  })
}

type ShownVersion = TemplateHistory['versions'][number]
const versionOf = (world: World, { name, text, fields, reviewPlans, by, at }: TemplateVersion): ShownVersion => ({
  name,
  text,
  fields,
  reviewPlans: reviewPlans === true,
  at,
  by: selectName(world, by),
})

export function addScheduleRoutes({ add, addCommand, gateway }: Routes): void {
  add('GET /api/schedules', {
    scope: 'read',
    summary: 'My scheduled requests, the next one first; for operators those of everybody.',
    answers: schemas.scheduleList,
    async handle({ person, world }) {
      const schedules = Object.values<ScheduleRecord>(world.schedules)
        .filter(({ of }) => of === person.id || isOperator(world, person.id))
        .sort((a, b) => (a.next ?? Number.MAX_VALUE) - (b.next ?? Number.MAX_VALUE) || a.name.localeCompare(b.name))
        .map((one) => shownSchedule(world, one))
      return { schedules }
    },
  })

  addCommand({
    path: '/api/schedules',
    scope: 'ask',
    summary: 'Ask a request at set times, once an hour at most, in the name of the caller.',
    body: schemas.postSchedule,
    bodyLimit: SCHEDULE_BYTES,
    async command({ person, head, body }) {
      const { text, attachments, bodies } = await writtenWork(gateway, person, { ...body, ...head })
      const { name, cron, timeZone } = body
      const template = body.template === null ? null : asId<TemplateId>(body.template.id)
      return {
        command: { type: 'saveSchedule', schedule: null, name, text, attachments, template, cron, timeZone },
        bodies,
      }
    },
  })

  addCommand({
    path: '/api/schedules/{id}',
    scope: 'ask',
    summary: 'Change the name, the text and the times of a schedule. A paused one runs again.',
    body: schemas.postScheduleChange,
    command({ world: { schedules }, id, body: { name, text, cron, timeZone } }) {
      const { attachments = [], template = null } = own<ScheduleRecord>(schedules, id) ?? {}
      const schedule = asId<ScheduleId>(id)
      return { type: 'saveSchedule', schedule, name, text, cron, timeZone, attachments, template }
    },
  })

  for (const [act, type, summary] of [
    ['pause', 'pauseSchedule', 'Pause a schedule.'],
    ['resume', 'resumeSchedule', 'Resume a schedule. What was due meanwhile is not asked.'],
    ['remove', 'removeSchedule', 'Remove a schedule.'],
  ] as const)
    addCommand({
      path: `/api/schedules/{id}/${act}`,
      scope: 'ask',
      summary,
      body: schemas.commandHead,
      command: ({ id }) => ({ type, schedule: asId<ScheduleId>(id) }),
    })
}

/** JSON escapes make a body larger than its texts. */
const SCHEDULE_BYTES = 20 * 1024 * 1024

function shownSchedule(world: World, schedule: ScheduleRecord): ScheduleShown {
  const { id, name, of, text, attachments, cron, timeZone, paused, next, last } = schedule
  const task = last?.task ? world.tasks[last.task] : undefined
  return {
    id,
    name,
    of: { id: of, name: selectName(world, of) },
    text,
    files: attachments.map((file) => ({ name: file.name, bytes: file.body.bytes })),
    cron,
    timeZone,
    paused: paused && { ...paused, by: paused.by === null ? null : selectName(world, paused.by) },
    next,
    // A task that has left the world is opened by its id.
    last: last && {
      ...last,
      task: last.task === null ? null : { id: last.task, name: task?.name ?? null, state: task?.state ?? null },
    },
  }
}
