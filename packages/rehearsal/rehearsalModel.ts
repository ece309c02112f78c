/** The rehearsal: a rule-based model for newcomers, tests and load. */

import { withoutNotes } from '@/lib/mas/builtInNotes'
import { isSkill, type SkillName } from '@/lib/mas/records'
import {
  type Model,
  ModelError,
  type ModelPiece,
  type ModelUsage,
  type Sleep,
  stopped,
  type Turn,
} from '@/server/models/model'
import { findingsOf, finishedItems, jobOf, stepJob, tagged, taggedJson, wordsFor } from './common'
import { findingsFrom } from './findings'
import { lastJob, withShortJobs } from './job'
import { parseRequest } from './parseRequest'
import { parsePrompt, type RehearsalPrompt } from './readPrompt'
import { reportText, shortResult } from './report'
import { playDecision } from './skills/decision'
import { playPlanning } from './skills/planning'
import { playProcessMessage } from './skills/processMessage'
import { playReflection } from './skills/reflection'
import { playSendMessage } from './skills/sendMessage'
import { playSummary } from './skills/summary'
import { playTaskManager } from './skills/taskManager'
import { playInstructionGeneration, playToolDecision } from './skills/toolCalls'

export const REHEARSAL_VERSION = 'rehearsal-1'
const PIECE_CHARACTERS = 24
const CHARACTERS_PER_TOKEN = 4

/**
 * out     pieces of 24 characters that may split any tag; usage estimated at 4 characters a token; cost 0
 * faults  MODEL_PROMPT for a prompt that it cannot read, MODEL_ABORTED when stopped
 */
export function rehearsalModel(options: { name: string; contextTokens: number; delayMs: number; sleep: Sleep }): Model {
  return {
    name: options.name,
    provider: 'rehearsal',
    contextTokens: options.contextTokens,
    async *call(turns, { signal, onStart }): AsyncGenerator<ModelPiece> {
      onStart?.()
      const text = answer(turns)
      for (const piece of piecesOf(text)) {
        if (options.delayMs > 0) await options.sleep(options.delayMs, signal)
        if (signal.aborted) throw stopped()
        yield { type: 'text', text: piece }
      }
      yield { type: 'end', usage: usageOf(turns, text), modelVersion: REHEARSAL_VERSION, finish: 'stop' }
    },
  }
}

/** Splits by code point, so that no surrogate pair is cut. */
function piecesOf(text: string): string[] {
  const points = Array.from(text)
  return Array.from({ length: Math.ceil(points.length / PIECE_CHARACTERS) }, (_, at) =>
    points.slice(at * PIECE_CHARACTERS, (at + 1) * PIECE_CHARACTERS).join(''),
  )
}

function usageOf(turns: readonly Turn[], text: string): ModelUsage {
  const prompt = turns.reduce((sum, turn) => sum + turn.content.length, 0)
  return {
    promptTokens: Math.ceil(prompt / CHARACTERS_PER_TOKEN),
    completionTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
    estimated: true,
    costUsd: 0,
  }
}

function playThink(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  if (job === null) return tagged('result', words.quickUnknown)
  const findings = findingsOf(prompt, job)
  return tagged('result', reportText(findings, job, words))
}

function playQuickThink(prompt: RehearsalPrompt): string {
  const words = wordsFor(prompt, stepJob(prompt))
  const request = parseRequest(withoutNotes(prompt.step.text), null, words.pasted)
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
  const said = stepJob(prompt) === null ? prompt.step.text : withoutNotes(prompt.step.text)
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
  return withShortJobs(SKILL_ANSWERS[skill](prompt), lastJob(prompt.step.yourGoal))
}
