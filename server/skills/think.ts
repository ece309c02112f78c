/** think: a text made from the history of the stage. */
import { defineSkill } from './defineSkill'
import { finishedWith } from './results'

export const think = defineSkill({
  name: 'think',
  sees: 'history',
  asks: { oneOf: ['result', 'think'], also: [] },
  does: ({ main }, run) => finishedWith(run, main.value),
})
