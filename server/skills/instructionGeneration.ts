/** instruction_generation: writes the exact call of its tool step, and of further ones after it. */
import { boundServer, describeInstruction, toolCallsOf, toolInstructionOf } from './calls'
import { defineSkill } from './defineSkill'
import { finishedWith, refuseLarger } from './results'

const INSTRUCTION_BYTES = 1024 * 1024

export const instructionGeneration = defineSkill({
  name: 'instruction_generation',
  sees: 'history',
  asks: { oneOf: ['tool_instruction'], also: [] },
  refuses: ({ main }) => refuseLarger(JSON.stringify(main.value), INSTRUCTION_BYTES, 'the instruction'),
  mayNotSkip: () => 'where nothing is to be called, answer with instruction_type none and the reason',
  does({ main }, run) {
    const [first, ...further] = main.value
    if (first === undefined) throw new Error('the schema takes no empty list of calls')
    const instruction = toolInstructionOf(first, run)
    const instruct = run.step.boundTo === null ? null : { step: run.step.boundTo, instruction }
    const said = main.value.map((one) => describeInstruction(one)).join('\n')
    return { ...finishedWith(run, said), instruct, calls: toolCallsOf(further, boundServer(run), run) }
  },
})
