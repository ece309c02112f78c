/** instruction_generation: writes the exact call of the tool step that it is bound to. */

import type { WrittenInstruction } from '@/lib/mas/formats'
import type { ToolInstruction } from '@/lib/mas/records'
import { defineSkill } from './defineSkill'
import type { SkillRun } from './port'
import { finishedWith, refuseLarger } from './results'

const INSTRUCTION_BYTES = 1024 * 1024

export const instructionGeneration = defineSkill({
  name: 'instruction_generation',
  sees: 'history',
  asks: { oneOf: ['tool_instruction'], also: [] },
  refuses: ({ main }) => refuseLarger(JSON.stringify(main.value), INSTRUCTION_BYTES, 'the instruction'),
  does({ main }, run) {
    const instruction = toRecord(main.value, run)
    const instruct = run.step.boundTo === null ? null : { step: run.step.boundTo, instruction }
    return { ...finishedWith(run, sayInstruction(instruction)), instruct }
  },
})

function toRecord(written: WrittenInstruction, run: SkillRun): ToolInstruction {
  switch (written.instruction_type) {
    case 'get_description':
      return { kind: 'get_description' }
    case 'none':
      return { kind: 'none', reason: written.reason }
    case 'function_call': {
      const { tool_name, resource_name, prompt_name } = written
      const target = tool_name !== undefined ? 'tool' : resource_name !== undefined ? 'resource' : 'prompt'
      const body = run.bodies.make(JSON.stringify(written.arguments ?? {}), 'application/json')
      return { kind: 'call', target, name: tool_name ?? resource_name ?? prompt_name ?? '', arguments: body }
    }
  }
}

/** Short: the call itself stands in the tool step, and a history shows it there. */
function sayInstruction(instruction: ToolInstruction): string {
  switch (instruction.kind) {
    case 'get_description':
      return 'get_description'
    case 'none':
      return `none: ${instruction.reason}`
    case 'call':
      return `${instruction.target} ${instruction.name}`
  }
}
