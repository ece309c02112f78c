/** What each tag of an answer holds: one schema per tag. */
import * as z from 'zod/mini'
import { oneLine } from '../../format/plainText'
import type { AnswerTag } from './escape'

const filled = () => z.string().check(z.trim(), z.minLength(1, 'must not be empty'))
/** Names, paths, ids and short lines. */
const line = filled()
/** Texts that people and agents read: the whole text of a step may stand in their place. */
const words = filled()
const maybeWords = z.string()
/** Whether a schema is that of a text for which `{"from_step": "#8"}` may be written. */
export const takesReference = (schema: unknown): boolean => schema === words || schema === maybeWords

/** Answers of later steps, written ahead: read as answers when their step runs. */
export const CALLS_AHEAD = z.array(z.record(z.string(), z.json())).check(z.minLength(1, 'must hold at least one call'))
export const MESSAGE_AHEAD = z.record(z.string(), z.json())

const PlannedStepShape = z.object({
  step_intention: line,
  type: z.enum(['skill', 'tool']),
  executor: line,
  text_content: maybeWords,
  /** Of a tool step: its first calls, as in <tool_instruction>. */
  calls: z.optional(CALLS_AHEAD),
  /** Of a send_message step: its message, as in <send_message>. */
  send_message: z.optional(MESSAGE_AHEAD),
})
export type PlannedStepFormat = z.infer<typeof PlannedStepShape>
const PlannedSteps = z.array(PlannedStepShape)

const Allocation = z
  .record(z.string(), words)
  .check(z.refine((map) => Object.keys(map).length > 0, 'must name at least one agent'))

/** needs: per part, the members whose parts must be finished before it starts. */
const StageShape = z.object({
  stage_name: z.optional(z.string()),
  stage_intention: words,
  agent_allocation: Allocation,
  needs: z.optional(z.record(z.string(), z.array(line))),
})
export type PlannedStage = z.infer<typeof StageShape>
const Stages = z.array(StageShape).check(z.minLength(1, 'must hold at least one stage'))

/** The parts of a result are short, so that a reader takes them in at once. */
const shortLine = (most: number) =>
  line.check(z.overwrite(oneLine), z.maxLength(most, `must have at most ${most} characters`))
const MOST_FACTS = 30

const FactShape = z.object({ label: shortLine(80), value: shortLine(400), source: z.optional(shortLine(400)) })

/** Left out: the task at hand, or its running stage. */
const AtHand = z.optional(line)

/** A key that would be left out in silence here: what it says belongs in the list. */
const InStages = z.optional(z.custom<never>(() => false, 'belongs in stages'))

const TaskInstructionShape = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('add_task'),
    task_name: line,
    task_intention: words,
    members: z.array(line),
    stages: z.optional(Stages),
    stage_name: InStages,
    stage_intention: InStages,
    agent_allocation: InStages,
    needs: InStages,
    /** The text for the requester. */
    reply: z.optional(words),
  }),
  z.object({
    action: z.literal('add_stage'),
    task_id: AtHand,
    stages: Stages,
  }),
  z.object({ action: z.literal('finish_stage'), task_id: AtHand, stage_id: AtHand }),
  z.object({
    action: z.literal('retry_stage'),
    task_id: AtHand,
    stage_id: line,
    stages: Stages,
    /** Why the stage is done again. */
    reason: z.optional(words),
  }),
  z.object({
    action: z.literal('finish_task'),
    task_id: AtHand,
    state: z.enum(['finished', 'failed']),
    task_summary: words,
    headline: z.optional(shortLine(200)),
    facts: z.optional(z.array(FactShape).check(z.maxLength(MOST_FACTS, `must hold at most ${MOST_FACTS} facts`))),
    left_out: z.optional(
      z.array(shortLine(400)).check(z.maxLength(MOST_FACTS, `must hold at most ${MOST_FACTS} lines`)),
    ),
  }),
])

export type TaskInstruction = z.infer<typeof TaskInstructionShape>
/** Those that may add stages. */
export type StagedInstruction = Extract<TaskInstruction, { action: 'add_task' | 'add_stage' | 'retry_stage' }>

const AgentInstructionShape = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('init_new_agent'),
    config_id: line,
    /** These replace the values of the configuration. */
    name: z.optional(line.check(z.maxLength(80, 'must have at most 80 characters'))),
    role: z.optional(line.check(z.maxLength(200, 'must have at most 200 characters'))),
    profile: z.optional(words.check(z.maxLength(4_000, 'must have at most 4000 characters'))),
    skills: z.optional(z.array(line).check(z.minLength(1, 'must name at least one skill'))),
    tools: z.optional(z.array(line)),
  }),
  z.object({
    action: z.literal('add_task_participant'),
    task_id: AtHand,
    agents: z.array(line).check(z.minLength(1, 'must name at least one agent')),
  }),
])

export type AgentInstruction = z.infer<typeof AgentInstructionShape>

const AskInfoShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('managed_tasks') }),
  z.object({ type: z.literal('my_tasks') }),
  z.object({ type: z.literal('task'), task_id: AtHand }),
  z.object({ type: z.literal('stage'), stage_id: AtHand, task_id: AtHand }),
  z.object({ type: z.literal('startable_agents') }),
  z.object({ type: z.literal('agents_in_mas') }),
  z.object({ type: z.literal('agents_in_team') }),
  z.object({ type: z.literal('agents_in_task'), task_id: AtHand }),
  z.object({ type: z.literal('agents_in_stage'), stage_id: AtHand, task_id: AtHand }),
  z.object({
    type: z.literal('agent_states'),
    agents: z.array(line).check(z.minLength(1, 'must name at least one agent')),
  }),
  z.object({ type: z.literal('skills_and_tools') }),
  /** Default: the current task. */
  z.object({
    type: z.enum(['messages', 'shared_info']),
    task_id: z.optional(line),
    stage_id: z.optional(line),
    agents: z.optional(z.array(line)),
  }),
])

export type AskInfo = z.infer<typeof AskInfoShape>

/** What a message belongs to when it does not say: the stage of its step. */
const CURRENT_STAGE = 'current'

/** The sender's part of a handoff packet; the rest is known. */
const HandoffShape = z.object({
  status: z._default(z.enum(['in_progress', 'blocked', 'completed']), 'in_progress'),
  completed_steps: z._default(z.array(line), []),
  next_immediate_step: words,
  constraints: z._default(z.array(line), []),
  artifacts: z._default(z.array(z.object({ name: line, value: words })), []),
})

const OutgoingMessageShape = z.object({
  receiver: z.array(line).check(z.minLength(1, 'must name at least one receiver')),
  message: words,
  stage_relative: z._default(line, CURRENT_STAGE),
  need_reply: z._default(z.boolean(), false),
  waiting: z._default(z.boolean(), false),
  /** Answers offered to a person, most likely first. */
  choices: z.optional(z.array(line)),
  /** The time after which the question expires. */
  due_minutes: z.optional(z.number().check(z.positive(), z.maximum(60 * 24 * 365))),
  handoff: z.optional(HandoffShape),
  /** Paths of workspace files to send. */
  files: z.optional(z.array(line)),
})
export type WrittenMessage = z.infer<typeof OutgoingMessageShape>

const NAMES = ['tool_name', 'resource_name', 'prompt_name'] as const

const OneInstruction = z.discriminatedUnion('instruction_type', [
  z.object({ instruction_type: z.literal('get_description') }),
  z.object({ instruction_type: z.literal('none'), reason: words }),
  z
    .object({
      instruction_type: z.literal('function_call'),
      tool_name: z.optional(line),
      resource_name: z.optional(line),
      prompt_name: z.optional(line),
      arguments: z.optional(z.nullable(z.record(z.string(), z.json()))),
      /** Nothing more is to be done with the tool once this call has succeeded. */
      last: z.optional(z.boolean()),
    })
    .check(
      z.refine(
        (call) =>
          [call.tool_name, call.resource_name, call.prompt_name].filter((name) => name !== undefined).length === 1,
        {
          error: ({ input }) =>
            NAMES.some((key) => Object.hasOwn(Object(input), key))
              ? 'needs exactly one of tool_name, resource_name, prompt_name'
              : 'needs tool_name (or resource_name, or prompt_name): it is missing',
        },
      ),
    ),
])

/** <tool_instruction> as it is written; the skill turns it into the record with its arguments kept as a body. */
export type WrittenInstruction = z.infer<typeof OneInstruction>

const CallsShape = z.array(OneInstruction).check(z.minLength(1, 'must hold at least one call'))

/** The next calls themselves, or what the next one is to do. */
const ToolDecisionShape = z.discriminatedUnion('continue', [
  z
    .object({
      continue: z.literal(true),
      calls: z.optional(CallsShape),
      step_intention: z.optional(line),
      text_content: z.optional(words),
    })
    .check(
      z.refine(
        ({ calls, step_intention, text_content }) =>
          calls !== undefined || (step_intention !== undefined && text_content !== undefined),
        'needs calls, or step_intention and text_content',
      ),
    ),
  z.object({ continue: z.literal(false), result: maybeWords }),
])

/** <get_more_info> and <react_action>: a decision step to be inserted. */
const NeedShape = z.object({ step_intention: line, text_content: words })
export type NeededStep = z.infer<typeof NeedShape>

const MemoryShape = z.array(z.union([z.strictObject({ add: words }), z.strictObject({ delete: line })]))
export type MemoryChange = z.infer<typeof MemoryShape>[number]

type TagFormat<Value> = { holds: 'json' | 'text'; schema: z.ZodMiniType<Value> }

const json = <Value>(schema: z.ZodMiniType<Value>): TagFormat<Value> => ({ holds: 'json', schema })
const text: TagFormat<string> = { holds: 'text', schema: words }

/** A record over every tag: a new tag stops the build until someone has decided what it holds. */
const FORMATS = {
  planned_step: json(PlannedSteps),
  reflection_step: json(PlannedSteps),
  decision_step: json(PlannedSteps),
  summary: text,
  tool_instruction: json(CallsShape),
  think: text,
  result: text,
  quick_think: text,
  get_more_info: json(NeedShape),
  send_message: json(OutgoingMessageShape),
  process_message: text,
  react_action: json(NeedShape),
  task_instruction: json(TaskInstructionShape),
  agent_instruction: json(AgentInstructionShape),
  ask_info: json(AskInfoShape),
  tool_decision: json(ToolDecisionShape),
  skip: text,
  persistent_memory: json(MemoryShape),
} satisfies Record<AnswerTag, TagFormat<unknown>>

/** What each tag holds once it is parsed. */
export type TagValues = { [Tag in AnswerTag]: z.infer<(typeof FORMATS)[Tag]['schema']> }
export const TAG_FORMATS: { [Tag in AnswerTag]: TagFormat<TagValues[Tag]> } = FORMATS

/** The errors, with hints for a correction: at most five. */
export function sayIssues(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 5)
    .map((issue) => `${issue.path.length > 0 ? issue.path.join('.') : 'the value'} ${sayIssue(issue)}`)
    .join('; ')
}

/** The path of the issue ends in the key that decides between the forms. */
function sayUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  const options = 'options' in issue ? issue.options : undefined
  const { discriminator: key } = issue
  if (key === undefined || options === undefined) return 'fits none of the allowed forms'
  const given = Object(issue.input)[key] as unknown
  const known = options.map(String).join(', ')
  return given === undefined ? `is missing: one of ${known}` : `must be one of ${known}`
}

function sayIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `is missing (${issue.expected})` : `must be of type ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return sayUnion(issue)
    case 'unrecognized_keys':
      return `has unknown keys: ${issue.keys.join(', ')}`
    default:
      return issue.message
  }
}
