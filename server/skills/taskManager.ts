/** task_manager: one instruction that makes, advances, corrects or ends a task, or first gets what it needs. */

import { isJudging } from '@/lib/mas/stages/judge'
import type { PlannedStage, StepOutcome, TaskInstruction } from '@/lib/mas/steps/outcome'
import { agentNamed } from '@/lib/mas/team/handles'
import { defineSkill } from './defineSkill'
import type { SkillRun } from './port'
import { doubtSteps, finishedWith, getMoreFirst, refuseNoSteps } from './results'

export const taskManager = defineSkill({
  name: 'task_manager',
  asks: { oneOf: ['task_instruction', 'get_more_info', 'decision_step'], also: [] },
  refuses: ({ main }) => (main.tag === 'decision_step' ? refuseNoSteps(main.value) : null),
  plans: ({ main }) => (main.tag === 'decision_step' ? main.value : []),
  doubts: ({ main }, run) => (main.tag === 'decision_step' ? doubtSteps(main.value, run) : null),
  mayNotSkip: ({ world, step }) => (isJudging(world, step) ? 'nobody else judges it: write an instruction' : null),
  does({ main }, run) {
    return main.tag === 'task_instruction' ? instructed(main.value, run) : getMoreFirst(run, main.value)
  },
})

/** The outcome that carries the instruction out. */
export const instructed = (instruction: TaskInstruction, run: SkillRun): StepOutcome => ({
  ...finishedWith(run, describeInstruction(instruction, run)),
  sync: { task_instruction: instruction },
})

function describeInstruction(instruction: TaskInstruction, run: SkillRun): string {
  const name = (text: string): string => agentNamed(run.world, text, run.step.task)?.name ?? text
  const stages = (list: readonly PlannedStage[] = []): string[] =>
    list.flatMap(({ stage_intention, agent_allocation }) => [
      stage_intention,
      ...Object.entries(agent_allocation).map(([text, own]) => `- ${name(text)}: ${own}`),
    ])
  switch (instruction.action) {
    case 'add_task': {
      const { task_name, task_intention, members } = instruction
      const head = `add_task ${task_name} (${members.map(name).join(', ')}): ${task_intention}`
      return [head, ...stages(instruction.stages)].join('\n')
    }
    case 'add_stage':
    case 'retry_stage':
      return [instruction.action, ...stages(instruction.stages)].join('\n')
    case 'finish_stage':
      return 'finish_stage'
    case 'finish_task':
      return describeEnd(instruction)
  }
}

function describeEnd(end: Extract<TaskInstruction, { action: 'finish_task' }>): string {
  const { state, task_summary, headline, facts = [], left_out = [] } = end
  const said = facts.map(
    ({ label, value, source }) => `- ${label}: ${value}${source === undefined ? '' : ` (${source})`}`,
  )
  return [
    `finish_task (${state}): ${headline === undefined ? task_summary : `${headline}\n${task_summary}`}`,
    ...said,
    ...left_out.map((line) => `- left_out: ${line}`),
  ].join('\n')
}
