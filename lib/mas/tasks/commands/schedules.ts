/** Requests that are asked again at set times, in the name of the person who set them. */
import { Cron } from 'croner'
import { Fault } from '@/lib/faults'
import { isTimeZone } from '@/lib/format/timeZones'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { MESSAGE_MAX_BYTES, mustFitBytes, singleLine } from '../../commands/texts'
import type { AgentId, ScheduleId } from '../../ids'
import { PLAIN_QUESTION, personSends } from '../../messages/commands/personSends'
import type { Json, ScheduleRecord, ScheduleTimes, TaskRecord } from '../../records'
import { isMember, isOperator, managerIn, mayAct } from '../../team/agents'
import { templateOf } from './templates'

export const SCHEDULES_MOST = 200
export const SCHEDULES_OF_ONE_MOST = 20
export const SCHEDULE_NAME_CHARACTERS = 100
/** Later than this, a time counts as missed, and the request says so. */
export const LATE_MS = 5 * 60_000
/** Room in a message for the note about a missed time. */
const NOTE_BYTES = 1_024

const schedulesOf = (context: DecisionContext): ScheduleRecord[] => Object.values(context.world.schedules)

/** A new schedule of mine, or a change of it; a paused one runs again. Throws NOT_FOUND, BAD_INPUT, TOO_LARGE, EMPTY_TEXT. */
export function saveSchedule(context: DecisionContext, person: AgentId, input: CommandOf<'saveSchedule'>): Json {
  const { text, attachments, cron, timeZone, template } = input
  const old = input.schedule === null ? null : scheduleOf(context, person, input.schedule)
  const name = singleLine(context, input.name, SCHEDULE_NAME_CHARACTERS)
  if (text.trim() === '') throw new Fault('EMPTY_TEXT')
  mustFitBytes('The request', text, MESSAGE_MAX_BYTES - NOTE_BYTES)
  const why = unfitTimes({ cron, timeZone }, context.at)
  if (why !== null) throw new Fault('BAD_INPUT', { why: context.say('scheduleUnfit', { why, cron, timeZone }) })
  if (template !== null) templateOf(context, template)
  if (old === null) mustHaveRoom(context, person)
  const schedule = old?.id ?? context.id<ScheduleId>()
  const next = nextTime({ cron, timeZone }, context.at)
  // An operator who changes another person's schedule leaves it theirs.
  const agent = old?.of ?? person
  context.emit('schedule.saved', { schedule, agent, name, text, attachments, template, cron, timeZone, next })
  return { schedule, next }
}

function mustHaveRoom(context: DecisionContext, person: AgentId): void {
  const all = schedulesOf(context)
  const refuse = (n: number) => new Fault('BAD_INPUT', { why: context.say('tooMany', { n }) })
  if (all.filter(({ of }) => of === person).length >= SCHEDULES_OF_ONE_MOST) throw refuse(SCHEDULES_OF_ONE_MOST)
  if (all.length >= SCHEDULES_MOST) throw refuse(SCHEDULES_MOST)
}

/** Mine; for operators, anybody's. */
function scheduleOf(context: DecisionContext, person: AgentId, id: ScheduleId): ScheduleRecord {
  const found = Object.hasOwn(context.world.schedules, id) ? context.world.schedules[id] : undefined
  if (!found || (found.of !== person && !isOperator(context.world, person))) {
    throw new Fault('NOT_FOUND', { what: 'schedule', id })
  }
  return found
}

/** Mine; for operators, anybody's. Throws NOT_FOUND, ALREADY_SO. */
export function pauseSchedule(context: DecisionContext, person: AgentId, input: CommandOf<'pauseSchedule'>): Json {
  const { id, name, paused } = scheduleOf(context, person, input.schedule)
  if (paused) throw new Fault('ALREADY_SO', { what: `${name} is paused` })
  context.emit('schedule.paused', { schedule: id, by: person, reason: '' })
  return { schedule: id }
}

/** It asks again from the next time on; what was due meanwhile is not asked. Throws NOT_FOUND, ALREADY_SO. */
export function resumeSchedule(context: DecisionContext, person: AgentId, input: CommandOf<'resumeSchedule'>): Json {
  const schedule = scheduleOf(context, person, input.schedule)
  if (!schedule.paused) throw new Fault('ALREADY_SO', { what: `${schedule.name} is not paused` })
  const next = nextTime(schedule, context.at)
  context.emit('schedule.resumed', { schedule: schedule.id, next })
  return { schedule: schedule.id, next }
}

/** Throws NOT_FOUND for one that is neither mine nor an operator's to remove. */
export function removeSchedule(context: DecisionContext, person: AgentId, input: CommandOf<'removeSchedule'>): Json {
  const { id } = scheduleOf(context, person, input.schedule)
  context.emit('schedule.removed', { schedule: id })
  return { schedule: id }
}

/**
 * Its time has come: the request is sent in its person's name. Times that were missed meanwhile are asked once, with a note.
 * A schedule whose person cannot ask is paused, and says why.
 *
 * out     asked: false where it was paused
 * faults  ALREADY_SO when it asked at that time, or asks at another
 */
export function askScheduled(context: DecisionContext, { schedule: id, due }: CommandOf<'askScheduled'>): Json {
  const schedule = context.world.schedules[id]
  if (!schedule || schedule.next !== due) throw new Fault('ALREADY_SO', { what: 'it asked' })
  const task = context.world.baseTask === null ? undefined : context.world.tasks[context.world.baseTask]
  if (!task || !mayAsk(context, schedule, task)) {
    const reason = context.say('scheduleStopped', { who: context.name(schedule.of) })
    context.emit('schedule.paused', { schedule: id, by: null, reason })
    return { schedule: id, asked: false }
  }
  const note = context.at - due < LATE_MS ? [] : [context.say('askedLate', { at: new Date(due).toISOString() })]
  const { messages } = personSends(context, schedule.of, {
    ...PLAIN_QUESTION,
    task: task.id,
    sender: schedule.of,
    receivers: managerIn(task),
    text: [schedule.text, ...note].join('\n\n'),
    attachments: schedule.attachments,
    ...(schedule.template === null ? {} : { fromTemplate: schedule.template }),
  })
  const [message] = messages
  if (message === undefined) return { schedule: id, asked: false }
  context.emit('schedule.asked', { schedule: id, due, message, next: nextTime(schedule, context.at) })
  return { schedule: id, asked: true }
}

const mayAsk = ({ world }: DecisionContext, { of }: ScheduleRecord, task: TaskRecord): boolean =>
  mayAct(world.agents[of]) && isMember(world, task.id, of)

/** They leave the team: what they had scheduled stops. */
export function stopSchedules(context: DecisionContext, person: AgentId): void {
  for (const { id, of, paused } of schedulesOf(context)) {
    if (of !== person || paused) continue
    const reason = context.say('scheduleStopped', { who: context.name(person) })
    context.emit('schedule.paused', { schedule: id, by: null, reason })
  }
}

/** The shortest time between two requests of a schedule. */
const SCHEDULE_GAP_MS = 3_600_000
/** How many of the next times are checked for the gap. */
const LOOKED_AT = 60

/** The next time after `from`; null: never, or the line cannot be read. Epoch ms. */
function nextTime({ cron, timeZone }: ScheduleTimes, from: number): number | null {
  return read({ cron, timeZone })?.nextRun(new Date(from))?.getTime() ?? null
}

/** Why a schedule cannot have these times; null: it can. */
function unfitTimes(times: ScheduleTimes, from: number): 'cron' | 'timeZone' | 'never' | 'often' | null {
  if (!isTimeZone(times.timeZone)) return 'timeZone'
  const runs = read(times)?.nextRuns(LOOKED_AT, new Date(from))
  if (runs === undefined) return 'cron'
  if (runs.length === 0) return 'never'
  const isOften = runs.some((run, at) => {
    const before = runs[at - 1]
    return before !== undefined && run.getTime() - before.getTime() < SCHEDULE_GAP_MS
  })
  return isOften ? 'often' : null
}

/** Five fields: minute, hour, day of the month, month, day of the week. */
function read({ cron, timeZone }: ScheduleTimes): Cron | null {
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true })
  } catch {
    return null
  }
}
