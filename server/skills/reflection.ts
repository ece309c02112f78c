/** reflection: compares the work with the goal; adds what is missing, or ends the part with its summary. */
import { defineSkill } from './defineSkill'
import { checkStep, describePlan, doubtSteps, finishedWith, ofPart, withoutForbidden } from './results'

export const reflection = defineSkill({
  name: 'reflection',
  sees: 'history',
  asks: { oneOf: ['reflection_step', 'summary'], also: [] },
  failsPart: true,
  mayNotSkip: ofPart,
  doubts({ main }, run) {
    if (main.tag === 'summary') return null
    if (withoutForbidden(main.value).kept.length > 0) return doubtSteps(main.value, run)
    return 'the list holds no step: write the summary if the part is to end, else what mends it'
  },
  does({ main }, run) {
    if (main.tag === 'summary')
      return {
        ...finishedWith(run, main.value),
        sync: { update_stage_agent_completion: { summary: main.value } },
      }
    const { kept, dropped } = withoutForbidden(main.value)
    // A summary ends the part, so only the last step may be one: steps after it would run in vain.
    const last = kept.at(-1)
    const before = kept.slice(0, -1).filter((step) => step.executor !== 'summary')
    const early = kept.slice(0, -1).filter((step) => step.executor === 'summary')
    const steps = last === undefined ? [] : [...before, last]
    const ends = last === undefined || last.executor === 'summary' || last.executor === 'reflection'
    const all = ends ? steps : [...steps, checkStep(run)]
    return { ...finishedWith(run, describePlan(run, all, [...dropped, ...early])), steps: { add: all, insert: [] } }
  },
})
