/** decision: plans a few steps that run before all others. */
import { defineSkill } from './defineSkill'
import { describePlan, doubtSteps, finishedWith, OF_PARTS, withoutForbidden } from './results'

export const decision = defineSkill({
  name: 'decision',
  sees: 'history',
  asks: { oneOf: ['decision_step'], also: [] },
  doubts: ({ main }, run) => doubtSteps(main.value, run),
  does({ main }, run) {
    const { kept, dropped } = withoutForbidden(main.value, OF_PARTS)
    return { ...finishedWith(run, describePlan(run, kept, dropped)), steps: { add: [], insert: kept } }
  },
})
