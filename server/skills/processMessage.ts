/** process_message: takes in a message that needs no reply; may insert a decision about it. */
import { defineSkill } from './defineSkill'
import { decisionStep, finishedWith } from './results'

export const processMessage = defineSkill({
  name: 'process_message',
  sees: 'history',
  asks: { oneOf: ['process_message', 'react_action'], also: ['react_action'] },
  does({ main, also }, run) {
    const need = main.tag === 'react_action' ? main.value : also.react_action
    const says = main.tag === 'react_action' ? main.value.text_content : main.value
    return { ...finishedWith(run, says), steps: { add: [], insert: need ? [decisionStep(need)] : [] } }
  },
})
