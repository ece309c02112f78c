import type { SkillName, StepRecord } from '@/lib/mas/records'
import { isSkill } from '@/lib/mas/records'
import { agentManager } from './agentManager'
import { askInfo } from './askInfo'
import { decision } from './decision'
import type { Skill } from './defineSkill'
import { instructionGeneration } from './instructionGeneration'
import { planning } from './planning'
import { processMessage } from './processMessage'
import { quickThink } from './quickThink'
import { reflection } from './reflection'
import { sendMessage } from './sendMessage'
import { summary } from './summary'
import { taskManager } from './taskManager'
import { think } from './think'
import { toolDecision } from './toolDecision'

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

/** The executor of a step. */
export function routeStep(step: Pick<StepRecord, 'type' | 'executor'>): StepRoute {
  if (step.type === 'tool') return { type: 'tool', server: step.executor }
  return isSkill(step.executor)
    ? { type: 'skill', skill: SKILL_REGISTRY[step.executor] }
    : { type: 'unknown', name: step.executor }
}
