/**
 * The answer of the rehearsal to a prompt: a pure function of its text.
 *
 * Owns: which skill answers. Not here: reading the prompt (readPrompt.ts), the skills (one file each), streaming (index.ts).
 */

import { isSkill } from '@/lib/mas/outcome'
import type { SkillName } from '@/lib/mas/records'
import { ModelError, type Turn } from '../model'
import { type Prompt, readPrompt } from './readPrompt'
import { agentManager } from './skills/agentManager'
import { askInfo } from './skills/askInfo'
import { decision } from './skills/decision'
import { instructionGeneration } from './skills/instructionGeneration'
import { planning } from './skills/planning'
import { processMessage } from './skills/processMessage'
import { quickThink } from './skills/quickThink'
import { reflection } from './skills/reflection'
import { sendMessage } from './skills/sendMessage'
import { summary } from './skills/summary'
import { taskManager } from './skills/taskManager'
import { think } from './skills/think'
import { toolDecision } from './skills/toolDecision'

const SKILL_ANSWERS: Record<SkillName, (prompt: Prompt) => string> = {
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

/**
 * Answer a prompt.
 *
 * in      the turns of the call
 * out     text with the tags that the skill's answer needs; the same bytes for the same turns
 * faults  ModelError MODEL_PROMPT when a section or field is missing, or the skill is unknown
 */
export function answer(turns: readonly Turn[]): string {
  const prompt = readPrompt(turns)
  const { skill } = prompt.step
  if (!isSkill(skill)) throw new ModelError('MODEL_PROMPT', `the rehearsal knows no skill ${skill}`, false)
  return SKILL_ANSWERS[skill](prompt)
}
