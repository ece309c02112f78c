/** Converts tool calls written by models to those of tool steps. */
import { fieldsIn } from '@/lib/json'
import type { WrittenInstruction } from '@/lib/mas/formats'
import type { ToolInstruction } from '@/lib/mas/records'
import { aboutOf, callInWords } from '@/lib/mas/steps/callWords'
import type { PlannedCall, StepOutcome } from '@/lib/mas/steps/outcome'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import type { SkillRun } from './port'

/** The instruction as stored with its tool step; long arguments become a body. */
export function toolInstructionOf(written: WrittenInstruction, run: SkillRun): ToolInstruction {
  switch (written.instruction_type) {
    case 'get_description':
      return { kind: 'get_description' }
    case 'none':
      return { kind: 'none', reason: written.reason }
    case 'function_call': {
      const { tool_name, resource_name } = written
      const target = tool_name !== undefined ? 'tool' : resource_name !== undefined ? 'resource' : 'prompt'
      const body = run.bodies.make(JSON.stringify(written.arguments ?? {}), 'application/json')
      const call = { kind: 'call', target, name: nameOf(written), arguments: body } as const
      return written.last === true ? { ...call, last: true } : call
    }
  }
}

/** Calls that become tool steps; empty calls are dropped. */
export const toolCallsOf = (written: readonly WrittenInstruction[], server: string, run: SkillRun): PlannedCall[] =>
  written.flatMap((one) => {
    if (one.instruction_type === 'none') return []
    const instruction = toolInstructionOf(one, run)
    return [
      { server, intention: callInWords(instruction, run.world.team.language) ?? describeInstruction(one), instruction },
    ]
  })

/** Why servers would reject calls of an answer, for the model; null: none would be rejected. */
export async function doubtCalls(
  run: SkillRun,
  { instruct, calls }: Pick<StepOutcome, 'instruct' | 'calls'>,
): Promise<string | null> {
  const first = instruct === null ? [] : [{ server: boundServer(run), instruction: instruct.instruction }]
  const doubts: string[] = []
  for (const { server, instruction } of [...first, ...calls]) {
    if (instruction.kind !== 'call') continue
    const args = { ...fieldsIn(JSON.parse(await run.bodies.text(instruction.arguments)) as unknown) }
    const doubt = await run.doubtCall(server, { kind: instruction.target, name: instruction.name, arguments: args })
    if (doubt !== null) doubts.push(doubt)
  }
  return doubts.length === 0 ? null : [...new Set(doubts)].join('; ')
}

/** The server of the tool step to which an instruction_generation belongs. */
export const boundServer = ({ world, step }: SkillRun): string =>
  (step.boundTo === null ? null : stepIn(world.steps[step.task]?.[step.agent], step.boundTo))?.executor ?? ''

/** The purpose on one line; the tool step holds the call itself. */
export function describeInstruction(written: WrittenInstruction): string {
  switch (written.instruction_type) {
    case 'get_description':
      return 'get_description'
    case 'none':
      return `none: ${written.reason}`
    case 'function_call':
      return [nameOf(written), aboutOf(written.arguments ?? {})].filter(Boolean).join(' ')
  }
}

type Call = Extract<WrittenInstruction, { instruction_type: 'function_call' }>

const nameOf = ({ tool_name, resource_name, prompt_name }: Call): string =>
  tool_name ?? resource_name ?? prompt_name ?? ''
