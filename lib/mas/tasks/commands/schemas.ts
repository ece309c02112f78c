/** The fields of commands of people about tasks, stages, agents, templates and schedules. */
import * as z from 'zod'
import type { AgentId, MessageId, ScheduleId, StageId, TaskId, TemplateId } from '../../ids'
import { idOf, longText } from '../../setup/schemas/fields'
import { TOOL_RULES } from '../../steps/toolRuleRecords'

export const why = { reason: z.string().max(1000).describe('recorded, and told in the chat') }
const agent = { agent: idOf<AgentId>() }
const stage = { stage: idOf<StageId>() }
const task = { task: idOf<TaskId>() }
const schedule = { schedule: idOf<ScheduleId>() }

/** A goal, an intention: at most this long. */
export const goal = z.string().max(64 * 1024)
const intention = z
  .string()
  .min(1)
  .max(64 * 1024)

/** A stage to add: its goal, and a goal for each agent in it. */
export const stageSpec = z.object({
  intention,
  allocation: z.record(idOf<AgentId>(), goal).describe('the goal of each agent, by its id'),
})
export const MOST_STAGES = 50

const templateField = z.object({
  name: z.string().max(40),
  kind: z.enum(['text', 'choice', 'file']),
  choices: z.array(z.string().max(1000)).max(100),
  required: z.boolean(),
})

/** Acts of operators and of the task's manager have a reason; it may be empty only where something resumes. */
export const taskCommands = {
  pauseAgent: z.object({ ...agent, ...why }),
  /** Pause an agent, and have it process this message first. */
  readNow: z.object({ ...agent, ...why, message: idOf<MessageId>() }),
  resumeAgent: z.object({ ...agent, ...why }),
  /** An agent that was created at run time leaves the team; others are removed from the configuration. */
  removeAgent: z.object({ ...agent, ...why }),
  /**
   * An operator sets how calls of a tool are asked about.
   *
   * about   the task in which, or the agent by which they are made
   * rule    null: as in the configuration
   * endsAt  epoch ms; null: until it is taken back
   * reason  may be empty where a rule is taken back
   */
  ruleTool: z.object({
    about: z.union([z.object(task), z.object(agent)]),
    ...why,
    server: z.string().min(1).max(200),
    tool: z.string().min(1).max(200),
    rule: z.enum(TOOL_RULES).nullable(),
    endsAt: z.number().int().min(0).nullable().default(null),
  }),
  pauseTask: z.object({ ...task, ...why }),
  resumeTask: z.object({ ...task, ...why }),
  /** The talk with this member: the one there is, or a new one. */
  openTalk: z.object({ with: idOf<AgentId>() }),
  makeTask: z.object({
    ...why,
    name: z.string().min(1).max(200),
    intention,
    manager: idOf<AgentId>(),
    members: z.array(idOf<AgentId>()).max(1000),
    stages: z.array(stageSpec).max(MOST_STAGES),
  }),
  addStages: z.object({ ...task, ...why, stages: z.array(stageSpec).max(MOST_STAGES).min(1) }),
  finishStage: z.object({ ...stage, ...why }),
  retryStage: z.object({ ...stage, ...why, better: stageSpec }),
  finishTask: z.object({ ...task, ...why, state: z.enum(['finished', 'failed']), summary: goal }),
  /** Of an ended task: by the person who asked for it, or an operator. sentence: '' without one */
  rateTask: z.object({ ...task, rating: z.enum(['up', 'down']), sentence: z.string().max(2_000).default('') }),
  /** Of a task at rest, archived or not. */
  eraseTask: z.object({ ...task, ...why }),
  renameTask: z.object({ ...task, name: z.string().max(2_000) }),
  /** intention: another goal; absent: unchanged. */
  renameStage: z.object({ ...stage, name: z.string().max(2_000), intention: goal.optional() }),
  /** handTo: the member or operator who gets the requests to people who leave; absent: these end, and their parts fail. */
  changeParticipants: z.object({
    ...task,
    ...why,
    add: z.array(idOf<AgentId>()).max(1000),
    remove: z.array(idOf<AgentId>()).max(1000),
    handTo: idOf<AgentId>().nullish(),
  }),
  changeManager: z.object({ ...task, ...why, ...agent }),

  /** Templates of requests. template null: a new one. Fields that are not in the text are dropped. */
  saveTemplate: z.object({
    template: idOf<TemplateId>().nullable(),
    name: z.string().max(1000),
    text: longText,
    fields: z.array(templateField).max(100),
    reviewPlans: z.boolean().optional().describe('people approve the plans of its tasks before they begin'),
  }),
  removeTemplate: z.object({ template: idOf<TemplateId>() }),
  /** Scheduled requests. schedule null: a new one of mine. */
  saveSchedule: z.object({
    schedule: idOf<ScheduleId>().nullable(),
    name: z.string().max(1000),
    cron: z.string().max(100).describe('five fields: minute, hour, day of the month, month, day of the week'),
    timeZone: z.string().max(100).describe('such as Europe/Berlin'),
    text: longText,
  }),
  pauseSchedule: z.object(schedule),
  resumeSchedule: z.object(schedule),
  removeSchedule: z.object(schedule),
}
