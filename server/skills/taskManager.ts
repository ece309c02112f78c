/** task_manager: one instruction that makes, moves on, mends or ends a task; or gets what it needs first. */

import type { TaskInstruction } from '@/lib/mas/outcome'
import { resolveAgent } from '@/lib/mas/selectors/agents'
import { defineSkill } from './defineSkill'
import type { SkillRun } from './port'
import { finishedWith, getMoreFirst } from './results'

export const taskManager = defineSkill({
  name: 'task_manager',
  sees: 'history',
  asks: { oneOf: ['task_instruction', 'get_more_info'], also: [] },
  does({ main }, run) {
    if (main.tag === 'get_more_info') return getMoreFirst(run, main.value)
    return { ...finishedWith(run, sayInstruction(main.value, run)), sync: { task_instruction: main.value } }
  },
})

function sayInstruction(instruction: TaskInstruction, run: SkillRun): string {
  const name = (id: string): string => resolveAgent(run.world, id)?.name ?? id
  const stage = (goal: string, allocation: Record<string, string>): string =>
    [goal, ...Object.entries(allocation).map(([id, own]) => `- ${name(id)}: ${own}`)].join('\n')
  switch (instruction.action) {
    case 'add_task':
      return `add_task ${instruction.task_name} (${instruction.members.map(name).join(', ')}): ${instruction.task_intention}`
    case 'add_stage':
      return ['add_stage', ...instruction.stages.map((one) => stage(one.stage_intention, one.agent_allocation))].join(
        '\n',
      )
    case 'finish_stage':
      return 'finish_stage'
    case 'retry_stage':
      return `retry_stage\n${stage(instruction.stage_intention, instruction.agent_allocation)}`
    case 'finish_task':
      return `finish_task (${instruction.state}): ${instruction.task_summary}`
  }
}
