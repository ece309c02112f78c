import { isSkill, type SkillName } from '@/lib/mas/records'
import { ModelError, type Turn } from '../model'
import { parsePrompt, type RehearsalPrompt } from './readPrompt'
import { playAgentManager } from './skills/agentManager'
import { playAskInfo } from './skills/askInfo'
import { playDecision } from './skills/decision'
import { playInstructionGeneration } from './skills/instructionGeneration'
import { playPlanning } from './skills/planning'
import { playProcessMessage } from './skills/processMessage'
import { playReflection } from './skills/reflection'
import { playSendMessage } from './skills/sendMessage'
import { playSummary } from './skills/summary'
import { playTaskManager } from './skills/taskManager'
import { playQuickThink, playThink } from './skills/think'
import { playToolDecision } from './skills/toolDecision'

const SKILL_ANSWERS: Record<SkillName, (prompt: RehearsalPrompt) => string> = {
  planning: playPlanning,
  reflection: playReflection,
  summary: playSummary,
  instruction_generation: playInstructionGeneration,
  think: playThink,
  quick_think: playQuickThink,
  send_message: playSendMessage,
  process_message: playProcessMessage,
  task_manager: playTaskManager,
  agent_manager: playAgentManager,
  ask_info: playAskInfo,
  tool_decision: playToolDecision,
  decision: playDecision,
}

/**
 * Answer a prompt.
 *
 * in      the turns of the call
 * out     text with the tags that the skill expects; equal turns give equal bytes
 * faults  ModelError MODEL_PROMPT when a section or field is missing, or the skill is unknown
 */
export function answer(turns: readonly Turn[]): string {
  const prompt = parsePrompt(turns)
  const { skill } = prompt.step
  if (!isSkill(skill)) throw new ModelError('MODEL_PROMPT', `the rehearsal knows no skill ${skill}`, false)
  return SKILL_ANSWERS[skill](prompt)
}
