/** reflection: compares what was done with the goal; appends what is missing, or the summary that ends the part. */

import { defineSkill } from './defineSkill'
import { checkStep, doubtSteps, finishedWith, sayPlan, withoutForbidden } from './results'

export const reflection = defineSkill({
  name: 'reflection',
  sees: 'history',
  asks: { oneOf: ['reflection_step'], also: [] },
  failsPart: true,
  doubts({ main }, run) {
    if (withoutForbidden(main.value).kept.length > 0) return doubtSteps(main.value, run)
    return 'the list holds no step: append a summary step if the part is to end, else what mends it'
  },
  does({ main }, run) {
    const { kept, dropped } = withoutForbidden(main.value)
    // A summary ends the part, so only the last step may be one: steps behind it would run for nothing.
    const last = kept.at(-1)
    const before = kept.slice(0, -1).filter((step) => step.executor !== 'summary')
    const early = kept.slice(0, -1).filter((step) => step.executor === 'summary')
    const steps = last === undefined ? [] : [...before, last]
    const ends = last === undefined || last.executor === 'summary' || last.executor === 'reflection'
    const all = ends ? steps : [...steps, checkStep(run)]
    return { ...finishedWith(run, sayPlan(run, all, [...dropped, ...early])), steps: { add: all, insert: [] } }
  },
})
