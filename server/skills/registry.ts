/** The skills, and the route of a step. The long ones have files of their own. */

import { answersRequest } from '@/lib/mas/outside/outsideWork'
import { isSkill, PART_ENDING_SKILLS, type SkillName, type StepRecord, type World } from '@/lib/mas/records'
import { selectToolHistory } from '@/lib/mas/steps/history'
import { plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import { agentNamed } from '@/lib/mas/team/handles'
import { boundServer, describeInstruction, toolCallsOf, toolInstructionOf } from './calls'
import { defineSkill, type Skill } from './defineSkill'
import type { SkillRun } from './port'
import {
  checkStep,
  decisionStep,
  describePlan,
  doubtSteps,
  finishedWith,
  ofPart,
  refuseLarger,
  withoutForbidden,
} from './results'
import { requestReply, sendMessage } from './sendMessage'
import { taskManager } from './taskManager'

const endPart = (run: SkillRun, summary: string): StepOutcome => ({
  ...finishedWith(run, summary),
  sync: { update_stage_agent_completion: { summary } },
})

/** Continues with the tool that just ran, or ends its run. */
const toolDecision = defineSkill({
  name: 'tool_decision',
  asks: { oneOf: ['tool_decision'], also: [] },
  does({ main }, run) {
    const decision = main.value
    if (!decision.continue) return finishedWith(run, decision.result, { continue: false })
    const tool = selectToolHistory(run.world, run.step).at(-1)?.executor
    if (tool === undefined) {
      const reason = 'no call of a tool stands before this step'
      return { ...plainOutcome(''), state: 'failed', reason }
    }
    const { calls = [], step_intention, text_content } = decision
    if (calls.length > 0) {
      const said = calls.map(describeInstruction).join('\n')
      return { ...finishedWith(run, said, { continue: true }), calls: toolCallsOf(calls, tool, run) }
    }
    // The engine adds the instruction_generation of every planned tool step.
    const step = {
      step_intention: step_intention ?? '',
      type: 'tool',
      executor: tool,
      text_content: text_content ?? '',
    } as const
    return {
      ...finishedWith(run, `${step.step_intention}\n${step.text_content}`, { continue: true }),
      steps: { add: [], insert: [step] },
    }
  },
})

/** Compares the work with the goal; adds what is missing, or ends the part with its summary. */
const reflection = defineSkill({
  name: 'reflection',
  asks: { oneOf: ['reflection_step', 'summary'], also: [] },
  failsPart: true,
  mayNotSkip: ofPart,
  plans: ({ main }) => (main.tag === 'reflection_step' ? main.value : []),
  doubts({ main }, run) {
    if (main.tag === 'summary') return null
    if (withoutForbidden(main.value).kept.length > 0) return doubtSteps(main.value, run)
    return 'the list holds no step: write the summary if the part is to end, else what mends it'
  },
  does({ main }, run) {
    if (main.tag === 'summary') return endPart(run, main.value)
    const { kept, dropped } = withoutForbidden(main.value)
    // A summary ends the part, so only the last step may be one: steps after it would run in vain.
    const last = kept.at(-1)
    const before = kept.slice(0, -1).filter((step) => step.executor !== 'summary')
    const early = kept.slice(0, -1).filter((step) => step.executor === 'summary')
    const steps = last === undefined ? [] : [...before, last]
    const ends = last === undefined || last.executor === 'summary' || last.executor === 'reflection'
    const all = ends ? steps : [...steps, checkStep(run)]
    return { ...finishedWith(run, describePlan(run, all, [...dropped, ...early])), steps: { add: all, insert: [] } }
  },
})

const INSTRUCTION_BYTES = 1024 * 1024

/** Writes the exact call of its tool step, and of further ones after it. */
const instructionGeneration = defineSkill({
  name: 'instruction_generation',
  asks: { oneOf: ['tool_instruction'], also: [] },
  refuses: ({ main }) => refuseLarger(JSON.stringify(main.value), INSTRUCTION_BYTES, 'the instruction'),
  mayNotSkip: () => 'where nothing is to be called, answer with instruction_type none and the reason',
  does({ main }, run) {
    const [first, ...further] = main.value
    if (first === undefined) throw new Error('the schema takes no empty list of calls')
    const instruction = toolInstructionOf(first, run)
    const instruct = run.step.boundTo === null ? null : { step: run.step.boundTo, instruction }
    const said = main.value.map((one) => describeInstruction(one)).join('\n')
    return { ...finishedWith(run, said), instruct, calls: toolCallsOf(further, boundServer(run), run) }
  },
})

/** Makes an agent from a configuration, or adds agents to a task that runs. */
const agentManager = defineSkill({
  name: 'agent_manager',
  asks: { oneOf: ['agent_instruction'], also: [] },
  does({ main }, run) {
    const { value } = main
    const names =
      value.action === 'init_new_agent'
        ? value.config_id
        : value.agents.map((id) => agentNamed(run.world, id, run.step.task)?.name ?? id).join(', ')
    return { ...finishedWith(run, `${value.action}: ${names}`), sync: { agent_instruction: value } }
  },
})

/** Turns the goal in the step's text into steps that end in a reflection. */
const planning = defineSkill({
  name: 'planning',
  asks: { oneOf: ['planned_step'], also: [] },
  failsPart: true,
  plans: ({ main }) => main.value,
  doubts: ({ main }, run) => doubtSteps(main.value, run),
  does({ main }, run) {
    const { kept, dropped } = withoutForbidden(main.value, ['summary'])
    const steps = kept.at(-1)?.executor === 'reflection' ? kept : [...kept, checkStep(run)]
    return { ...finishedWith(run, describePlan(run, steps, dropped)), steps: { add: steps, insert: [] } }
  },
})

/** Submits the completion summary of the agent's part, which ends the part. It delivers nothing. */
const summary = defineSkill({
  name: 'summary',
  asks: { oneOf: ['summary'], also: [] },
  failsPart: true,
  mayNotSkip: ofPart,
  does: ({ main }, run) => endPart(run, main.value),
})

/** Takes in a message that needs no reply; may insert a decision about it. */
const processMessage = defineSkill({
  name: 'process_message',
  asks: { oneOf: ['process_message', 'react_action'], also: ['react_action'] },
  does({ main, also }, run) {
    const need = main.tag === 'react_action' ? main.value : also.react_action
    const says = main.tag === 'react_action' ? main.value.text_content : main.value
    return { ...finishedWith(run, says), steps: { add: [], insert: need ? [decisionStep(need)] : [] } }
  },
})

const decision = defineSkill({
  name: 'decision',
  asks: { oneOf: ['decision_step'], also: [] },
  plans: ({ main }) => main.value,
  doubts: ({ main }, run) => doubtSteps(main.value, run),
  does({ main }, run) {
    const { kept, dropped } = withoutForbidden(main.value, PART_ENDING_SKILLS)
    return { ...finishedWith(run, describePlan(run, kept, dropped)), steps: { add: [], insert: kept } }
  },
})

/** A text made from the history of the stage. */
const think = defineSkill({
  name: 'think',
  asks: { oneOf: ['result', 'think'], also: [] },
  does: ({ main }, run) => finishedWith(run, main.value),
})

/** A short text made of the step's own text. */
const quickThink = defineSkill({
  name: 'quick_think',
  asks: { oneOf: ['quick_think'], also: [] },
  does: ({ main }, run) => finishedWith(run, main.value),
})

/** Asks the system a question. The decision computes the answer, which becomes this step's result. */
const askInfo = defineSkill({
  name: 'ask_info',
  asks: { oneOf: ['ask_info'], also: [] },
  does: ({ main }, run) => ({ ...finishedWith(run, JSON.stringify(main.value)), sync: { ask_info: main.value } }),
})

export const SKILL_REGISTRY: Record<SkillName, Skill> = {
  planning,
  reflection,
  summary,
  instruction_generation: instructionGeneration,
  think,
  quick_think: quickThink,
  send_message: sendMessage,
  process_message: processMessage,
  task_manager: taskManager,
  agent_manager: agentManager,
  ask_info: askInfo,
  tool_decision: toolDecision,
  decision,
}

export type StepRoute =
  | { type: 'skill'; skill: Skill }
  | { type: 'tool'; server: string }
  | { type: 'unknown'; name: string }

/** The executor of a step. The reply to a request may be answered in one more way than other messages. */
export function routeStep(world: World, step: StepRecord): StepRoute {
  const { type, executor } = step
  if (type === 'tool') return { type: 'tool', server: executor }
  if (!isSkill(executor)) return { type: 'unknown', name: executor }
  return { type: 'skill', skill: answersRequest(world, step) ? requestReply : SKILL_REGISTRY[executor] }
}
