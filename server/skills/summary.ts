/** summary: submits the completion summary of the agent's part, which ends the part. It delivers nothing. */
import { defineSkill } from './defineSkill'
import { finishedWith, ofPart } from './results'

export const summary = defineSkill({
  name: 'summary',
  sees: 'history',
  asks: { oneOf: ['summary'], also: [] },
  failsPart: true,
  mayNotSkip: ofPart,
  does: ({ main }, run) => ({
    ...finishedWith(run, main.value),
    sync: { update_stage_agent_completion: { summary: main.value } },
  }),
})
