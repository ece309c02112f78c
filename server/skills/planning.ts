/** planning: turns the goal in the step's text into steps that end in a reflection. */
import { defineSkill } from './defineSkill'
import { checkStep, describePlan, doubtSteps, finishedWith, withoutForbidden } from './results'

export const planning = defineSkill({
  name: 'planning',
  sees: 'nothing',
  asks: { oneOf: ['planned_step'], also: [] },
  failsPart: true,
  doubts: ({ main }, run) => doubtSteps(main.value, run),
  does({ main }, run) {
    const { kept, dropped } = withoutForbidden(main.value, ['summary'])
    const steps = kept.at(-1)?.executor === 'reflection' ? kept : [...kept, checkStep(run)]
    return { ...finishedWith(run, describePlan(run, steps, dropped)), steps: { add: steps, insert: [] } }
  },
})
