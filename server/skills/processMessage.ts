/** process_message: takes in a message that needs no reply; may insert a decision that acts on it. */

import { defineSkill } from './defineSkill'
import { decisionStep, finishedWith } from './results'

export const processMessage = defineSkill({
  name: 'process_message',
  sees: 'history',
  asks: { oneOf: ['process_message'], also: ['react_action'] },
  does({ main, also }, run) {
    const insert = also.react_action ? [decisionStep(also.react_action)] : []
    return { ...finishedWith(run, main.value), steps: { add: [], insert } }
  },
})
