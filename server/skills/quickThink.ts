/** quick_think: a short text made of the step's own text. */
import { defineSkill } from './defineSkill'
import { finishedWith } from './results'

export const quickThink = defineSkill({
  name: 'quick_think',
  sees: 'nothing',
  asks: { oneOf: ['quick_think'], also: [] },
  does: ({ main }, run) => finishedWith(run, main.value),
})
