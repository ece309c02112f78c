import type { StepRecord, ToolInstruction } from '../records'

/** The call that a step made of a tool, or was to make; null: it made none, or one of a resource or a prompt. */
export function toolCallOf({ type, instruction }: StepRecord): (ToolInstruction & { kind: 'call' }) | null {
  return type === 'tool' && instruction?.kind === 'call' && instruction.target === 'tool' ? instruction : null
}
