/** ask_info: asks the system a question. The decision computes the answer, which becomes this step's result. */
import { defineSkill } from './defineSkill'
import { finishedWith } from './results'

export const askInfo = defineSkill({
  name: 'ask_info',
  sees: 'nothing',
  asks: { oneOf: ['ask_info'], also: [] },
  does: ({ main }, run) => ({ ...finishedWith(run, JSON.stringify(main.value)), sync: { ask_info: main.value } }),
})
