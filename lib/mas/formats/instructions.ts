/** Instructions for a receiver's runtime as text. Only the system sets them; no text is ever parsed for one. */
import type { TaskId } from '../ids'
import type { Instruction } from '../records'

/** `<instruction>{"start_stage": {"stage_id": "…", "task_id": "…"}}</instruction>`: one key, the instruction's name. */
export function writeInstruction(instruction: Instruction, task: TaskId): string {
  return `<instruction>${JSON.stringify({ [instruction.type]: about(instruction, task) })}</instruction>`
}

function about(instruction: Instruction, task: TaskId): Record<string, string | boolean | null> {
  switch (instruction.type) {
    case 'start_stage':
    case 'judge_stage':
      return { stage_id: instruction.stage, task_id: task }
    case 'finish_stage':
      return { stage_id: instruction.stage, task_id: task, failed: instruction.failed }
    case 'update_working_memory':
      return { task_id: task, stage_id: instruction.stage }
    case 'finish_task':
    case 'judge_task':
      return { task_id: task }
  }
}
