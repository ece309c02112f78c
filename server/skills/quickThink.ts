/** quick_think: a short text made from the step's own text alone. */
import { defineSkill } from './defineSkill'
import { finishedWith } from './results'

export const quickThink = defineSkill({
  name: 'quick_think',
  sees: 'nothing',
  asks: { oneOf: ['quick_think'], also: [] },
  does: ({ main }, run) => finishedWith(run, main.value),
})
