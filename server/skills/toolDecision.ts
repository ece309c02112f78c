/** tool_decision: continues with the tool that just ran, or ends its run. */
import { plainOutcome } from '@/lib/mas/outcome'
import { selectToolHistory } from '@/lib/mas/selectors/history'
import { describeInstruction, toolCallsOf } from './calls'
import { defineSkill } from './defineSkill'
import { finishedWith } from './results'

export const toolDecision = defineSkill({
  name: 'tool_decision',
  sees: 'history',
  asks: { oneOf: ['tool_decision'], also: [] },
  does({ main }, run) {
    const decision = main.value
    if (!decision.continue) return finishedWith(run, decision.result, { continue: false })
    const tool = selectToolHistory(run.world, run.step).at(-1)?.executor
    if (tool === undefined) {
      const reason = 'no call of a tool stands before this step'
      return { ...plainOutcome(''), state: 'failed', reason }
    }
    const { calls = [], step_intention, text_content } = decision
    if (calls.length > 0) {
      const said = calls.map(describeInstruction).join('\n')
      return { ...finishedWith(run, said, { continue: true }), calls: toolCallsOf(calls, tool, run) }
    }
    // The engine adds the instruction_generation of every planned tool step.
    const step = {
      step_intention: step_intention ?? '',
      type: 'tool',
      executor: tool,
      text_content: text_content ?? '',
    } as const
    return {
      ...finishedWith(run, `${step.step_intention}\n${step.text_content}`, { continue: true }),
      steps: { add: [], insert: [step] },
    }
  },
})
