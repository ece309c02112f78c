/** send_message: sends to members of the task's group, or gets what the message needs first and then runs again. */

import type { OutgoingMessage } from '@/lib/mas/outcome'
import { isMember, isPresent, resolveAgent } from '@/lib/mas/selectors/agents'
import { defineSkill } from './defineSkill'
import type { SkillRun } from './port'
import { senderNameOf } from './prompt/message'
import { finishedWith, getMoreFirst, refuseLarger } from './results'

const MESSAGE_BYTES = 64 * 1024

export const sendMessage = defineSkill({
  name: 'send_message',
  sees: 'history',
  asks: { oneOf: ['send_message', 'get_more_info'], also: [] },
  refuses: ({ main }) =>
    main.tag === 'send_message' ? refuseLarger(main.value.message, MESSAGE_BYTES, 'the message') : null,
  doubts: ({ main }, run) => (main.tag === 'send_message' ? doubtReceivers(main.value, run) : null),
  does({ main }, run) {
    if (main.tag === 'get_more_info') return getMoreFirst(run, main.value)
    const message = { ...main.value, receiver: receiversOf(main.value, run) }
    return { ...finishedWith(run, sayMessage(message, run)), sync: { send_message: message } }
  },
})

/** A reply always goes to its asker, whatever the model wrote: the one who waits must get the answer. */
const receiversOf = (message: OutgoingMessage, run: SkillRun): string[] =>
  run.step.answers === null ? message.receiver : [run.step.answers.to]

function doubtReceivers(message: OutgoingMessage, run: SkillRun): string | null {
  const { world, step } = run
  const wrong = receiversOf(message, run).filter((id) => {
    const agent = resolveAgent(world, id)
    return !agent || agent.id === step.agent || !isPresent(world, agent.id) || !isMember(world, step.task, agent.id)
  })
  if (wrong.length === 0) return null
  const group = (world.tasks[step.task]?.group ?? []).filter((id) => id !== step.agent && isPresent(world, id))
  const members = group.map((id) => `${senderNameOf(world, id)} ${id}`).join(', ')
  return `no receiver: ${wrong.join(', ')}. Receivers are ids of other members: ${members}`
}

function sayMessage(message: OutgoingMessage, run: SkillRun): string {
  const names = message.receiver.map((id) => resolveAgent(run.world, id)?.name ?? id).join(', ')
  const choices = message.choices?.length ? `\n[${message.choices.join(' | ')}]` : ''
  return `to ${names}: ${message.message}${choices}`
}
