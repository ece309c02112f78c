/** send_message: sends to members of the task's group, or first gets what the message needs and runs again. */
import type { TagValues, TakenTag } from '@/lib/mas/formats'
import type { OutgoingMessage, StepOutcome } from '@/lib/mas/steps/outcome'
import { selectName } from '@/lib/mas/team/agents'
import { agentNamed } from '@/lib/mas/team/handles'
import { writeHandoff } from '@/lib/protocols/harmony/handoff'
import { defineSkill } from './defineSkill'
import type { SkillRun } from './port'
import { doubtSteps, finishedWith, getMoreFirst, refuseLarger, refuseNoSteps } from './results'
import { instructed } from './taskManager'

const MESSAGE_BYTES = 64 * 1024

export const sendMessage = defineSkill({
  name: 'send_message',
  asks: { oneOf: ['send_message', 'get_more_info', 'decision_step'], also: [] },
  refuses: ({ main }, run) => refuse(main, run),
  plans: ({ main }) => planOf(main),
  doubts: ({ main }, run) => doubtSteps(planOf(main), run),
  mayNotSkip: mustAnswer,
  does: ({ main }, run) => outcomeOf(main, run),
})

/** A reply to a request for new work: a message, or add_task with the text of the reply. */
export const requestReply = defineSkill({
  name: 'send_message',
  asks: { oneOf: ['send_message', 'task_instruction', 'get_more_info', 'decision_step'], also: [] },
  refuses({ main }, run) {
    if (main.tag !== 'task_instruction') return refuse(main, run)
    if (main.value.action !== 'add_task') return 'a request is answered by add_task, or by a message'
    return main.value.reply === undefined ? 'reply is missing: what the asker is told' : null
  },
  plans: ({ main }) => (main.tag === 'task_instruction' ? [] : planOf(main)),
  doubts: ({ main }, run) => (main.tag === 'task_instruction' ? null : doubtSteps(planOf(main), run)),
  mayNotSkip: mustAnswer,
  does: ({ main }, run) => (main.tag === 'task_instruction' ? instructed(main.value, run) : outcomeOf(main, run)),
})

type Answer = TakenTag<'send_message' | 'get_more_info' | 'decision_step'>

const planOf = (main: Answer): TagValues['decision_step'] => (main.tag === 'decision_step' ? main.value : [])

function refuse(main: Answer, run: SkillRun): string | null {
  if (main.tag === 'decision_step') return refuseNoSteps(main.value)
  return main.tag === 'send_message' ? refuseLarger(textOf(main.value, run), MESSAGE_BYTES, 'the message') : null
}

function mustAnswer(run: SkillRun): string | null {
  return run.step.answers === null ? null : 'the asker is to get an answer: send one'
}

function outcomeOf(main: Answer, run: SkillRun): StepOutcome {
  if (main.tag !== 'send_message') return getMoreFirst(run, main.value)
  const message = { ...main.value, receiver: receiversOf(main.value, run), message: textOf(main.value, run) }
  return { ...finishedWith(run, sayMessage(message, run)), sync: { send_message: message } }
}

/** A reply always goes to its asker, not to receivers that the model wrote. */
const receiversOf = (message: OutgoingMessage, run: SkillRun): string[] =>
  run.step.answers === null ? message.receiver : [run.step.answers.to]

/** The text of a message, with a packet where work is handed over. The objective is the task's own. */
function textOf({ message, receiver, handoff }: OutgoingMessage, { world, step, now }: SkillRun): string {
  if (handoff === undefined) return message
  const task = world.tasks[step.task]
  const names = receiver.map((text) => agentNamed(world, text, step.task)?.name ?? text)
  const packet = writeHandoff({
    protocol: 'harmony_handoff_v1',
    meta: {
      source_agent: selectName(world, step.agent),
      target_agent: names.join(', '),
      timestamp: new Date(now).toISOString(),
    },
    context: {
      ...handoff,
      primary_objective: task?.intention || task?.name || step.intention,
      artifacts: Object.fromEntries(handoff.artifacts.map(({ name, value }) => [name, value])),
    },
  })
  return `${message}\n\n${packet}`
}

function sayMessage(message: OutgoingMessage, run: SkillRun): string {
  const names = message.receiver.map((text) => agentNamed(run.world, text, run.step.task)?.name ?? text).join(', ')
  const choices = message.choices?.length ? `\n[${message.choices.join(' | ')}]` : ''
  return `to ${names}: ${message.message}${choices}`
}
