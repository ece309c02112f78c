import { isSkill, type SkillName } from '@/lib/mas/records'
import { ModelError, type Turn } from '../model'
import { findingsOf, finishedItems, jobOf, tagged, taggedJson } from './common'
import { findingsFrom } from './findings'
import { withoutBlock } from './job'
import { parseRequest } from './parseRequest'
import { stepJob, wordsFor } from './promptJob'
import { parsePrompt, type RehearsalPrompt } from './readPrompt'
import { gatheredText, reportText, shortResult } from './report'
import { playDecision } from './skills/decision'
import { playPlanning } from './skills/planning'
import { playProcessMessage } from './skills/processMessage'
import { playReflection } from './skills/reflection'
import { playSendMessage } from './skills/sendMessage'
import { playSummary } from './skills/summary'
import { playTaskManager } from './skills/taskManager'
import { playInstructionGeneration, playToolDecision } from './skills/toolCalls'

function playThink(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  if (job === null) return tagged('result', words.quickUnknown)
  const findings = findingsOf(prompt, job)
  return tagged('result', job.do === 'gather' ? gatheredText(findings, job, words) : reportText(findings, job, words))
}

function playQuickThink(prompt: RehearsalPrompt): string {
  const words = wordsFor(prompt, stepJob(prompt))
  const request = parseRequest(withoutBlock(prompt.step.text), null, words.pasted)
  if (request.op === null || request.pasted.length === 0) return tagged('quick_think', words.quickUnknown)
  const job = { ...request, op: request.op, where: [] }
  return tagged('quick_think', shortResult(findingsFrom([], job, []), job, words))
}

function playAgentManager(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const listed = finishedItems(prompt, 'ask_info').at(-1)?.result ?? ''
  const configs = [...listed.matchAll(/^\s*[-*]?\s*config_id[:\s]+([^\s:]+):?(.*)$/gm)].map(
    ([, id = '', about = '']) => ({ id, about }),
  )
  const wanted =
    job !== null && job.where.length > 0 ? /tools:\s*(?!none)\S|file|read|文件|读/i : /analy|report|分析|报告/i
  const best = configs.find((config) => wanted.test(config.about)) ?? configs[0]
  return best === undefined
    ? tagged('skip', 'no configuration of an agent is there to be started')
    : taggedJson('agent_instruction', { action: 'init_new_agent', config_id: best.id })
}

const PLAIN = ['startable_agents', 'agents_in_team', 'managed_tasks', 'my_tasks', 'skills_and_tools'] as const

function playAskInfo(prompt: RehearsalPrompt): string {
  const said = stepJob(prompt) === null ? prompt.step.text : withoutBlock(prompt.step.text)
  const named = PLAIN.find((type) => said.includes(type))
  if (named !== undefined) return taggedJson('ask_info', { type: named })
  if (said.includes('agents_in_task'))
    return taggedJson('ask_info', { type: 'agents_in_task', task_id: prompt.step.taskId })
  return taggedJson('ask_info', { type: 'agents_in_mas' })
}

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
 * out     text with the tags that the skill expects; equal turns give equal bytes
 * faults  ModelError MODEL_PROMPT when a section or field is missing, or the skill is unknown
 */
export function answer(turns: readonly Turn[]): string {
  const prompt = parsePrompt(turns)
  const { skill } = prompt.step
  if (!isSkill(skill)) throw new ModelError('MODEL_PROMPT', `the rehearsal knows no skill ${skill}`, false)
  return SKILL_ANSWERS[skill](prompt)
}
