import { escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import type { MessageRecord, StageRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectCauseMessage } from '@/lib/mas/selectors/history'
import type { SkillPrompt } from '../prompts'
import { messageWithAttachments, writeAnswersTo, writeMessage } from './message'
import { CLOSE_SECTION, indented, openSection, tag } from './section'

const line = (text: string): string => escapeTags(text.replace(/\s+/g, ' ').trim())
const cell = (text: string): string => line(text.replaceAll('|', '/'))

/** Where the agent stands: the same for many steps. With the section's opening. */
export const writeStepHead = (world: World, step: StepRecord): string =>
  [openSection('current_step'), `skill: ${step.executor}`, whereOf(world, step)].join('\n')

/** As last written for a task: it stays until the task, the stage or an agent changes. */
const written = new WeakMap<TaskRecord, { stage: StageRecord | undefined; agents: World['agents']; text: string }>()

function whereOf(world: World, step: StepRecord): string {
  const task = world.tasks[step.task]
  const stage = step.stage === null ? undefined : world.stages[step.task]?.[step.stage]
  const last = task && written.get(task)
  if (last && last.stage === stage && last.agents === world.agents) return last.text
  const text = writeWhere(world, step).join('\n')
  if (task) written.set(task, { stage, agents: world.agents, text })
  return text
}

/** The part that differs from step to step. */
export function writeStepNow(world: World, step: StepRecord, now: number): string {
  const message = selectCauseMessage(world, step)
  const stands = step.answers === null && message !== null && standsForMessage(step, message)
  const text = stands && step.text.trim() === message.text.trim() ? '' : step.text
  return [
    `time: ${new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')}`,
    ...writeAnswered(world, step),
    ...(stands ? [writeMessage(world, message)] : []),
    tag('step_intention', escapeTags(step.intention)),
    tag('step_text', escapeTags(text)),
  ].join('\n')
}

/** The part that is the same for every step of a skill, with the section's end. */
export const writeStepRules = (prompt: SkillPrompt): string =>
  [tag('rules', `\n${prompt.rules}\n`), tag('answer_format', `\n${prompt.format}\n`), CLOSE_SECTION].join('\n')

function writeWhere(world: World, step: StepRecord): string[] {
  const task = world.tasks[step.task]
  const stage = step.stage === null ? undefined : world.stages[step.task]?.[step.stage]
  const number = stage && task ? task.stageOrder.indexOf(stage.id) + 1 : 0
  return [
    `task: ${line(task?.name ?? '')}`,
    `task_id: ${step.task}`,
    `task_goal: ${indented(escapeTags(task?.intention ?? ''))}`,
    `base_task: ${task?.base ? 'yes' : 'no'}`,
    `stage: ${stage && task ? `${number} of ${task.stageOrder.length}` : 'none'}`,
    `stage_id: ${stage?.id ?? 'no_relative'}`,
    `stage_goal: ${stage ? indented(escapeTags(stage.intention)) : 'none'}`,
    'members:',
    ...(task?.group ?? []).flatMap((id) => writeMember(world, id, task?.manager === id)),
  ]
}

function writeMember(world: World, id: AgentId, manages: boolean): string[] {
  const agent = world.agents[id]
  if (!agent || agent.removed) return []
  const kind = agent.kind === 'human' ? 'person' : 'agent'
  return [`- ${cell(agent.name)} | ${kind} | ${cell(agent.role)} | ${id} | ${manages ? 'manager' : '-'}`]
}

function writeAnswered(world: World, step: StepRecord): string[] {
  if (step.answers === null) return []
  const message = world.messages[step.task]?.[step.answers.message]
  const text = message ? messageWithAttachments(message) : escapeTags(step.text)
  return [writeAnswersTo(world, step.answers.to, step.answers.waiting !== null, text)]
}

function standsForMessage(step: StepRecord, message: MessageRecord): boolean {
  const judges = message.instruction?.type === 'judge_stage' || message.instruction?.type === 'judge_task'
  if (step.executor === 'task_manager' && judges) return true
  return step.executor === 'process_message' || step.text.trim() === message.text.trim()
}
