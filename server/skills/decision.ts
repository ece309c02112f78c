import { PART_ENDING_SKILLS } from '@/lib/mas/records'
import { defineSkill } from './defineSkill'
import { describePlan, doubtSteps, finishedWith, withoutForbidden } from './results'

export const decision = defineSkill({
  name: 'decision',
  sees: 'history',
  asks: { oneOf: ['decision_step'], also: [] },
  doubts: ({ main }, run) => doubtSteps(main.value, run),
  does({ main }, run) {
    const { kept, dropped } = withoutForbidden(main.value, PART_ENDING_SKILLS)
    return { ...finishedWith(run, describePlan(run, kept, dropped)), steps: { add: [], insert: kept } }
  },
})
