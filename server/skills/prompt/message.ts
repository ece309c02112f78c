import { withSourceNames } from '@/lib/mas/cited'
import { escapeAttribute, escapeTags } from '@/lib/mas/formats'
import { type AgentId, type SenderId, SYSTEM_TASK } from '@/lib/mas/ids'
import { textWithFiles } from '@/lib/mas/messages/messageText'
import type { Instruction, MessageRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/team/agents'
import { agentHandle, stageHandle } from '@/lib/mas/team/handles'
import { kindOf } from './role'

export const handleOf = (world: World, id: SenderId): string => {
  const agent = id === SYSTEM_TASK ? undefined : world.agents[id]
  return agent ? agentHandle(world, agent) : id
}

const whoAttributes = (world: World, id: SenderId): string => {
  const kind = id === SYSTEM_TASK ? 'system' : kindOf(world.agents[id])
  return `from="${escapeAttribute(selectName(world, id))}" kind="${kind}" id="${escapeAttribute(handleOf(world, id))}"`
}

/** The message that a reply step answers, whole. */
export function writeAnswersTo(world: World, asker: AgentId, waits: boolean, text: string): string {
  return `<answers_to ${whoAttributes(world, asker)} waits="${waits ? 'yes' : 'no'}">${text}</answers_to>`
}

/** A received message; a notice to the judge is written out. */
export function writeMessage(world: World, message: MessageRecord): string {
  const task = world.tasks[message.task]
  const content =
    message.instruction && task
      ? writeNotice(world, task, message.instruction, message.text)
      : messageWithAttachments(message)
  const returns = message.returnWaiting === null ? 'no' : 'yes'
  return `<message ${whoAttributes(world, message.sender)} returns_wait="${returns}">${content}</message>`
}

/** Its text, and one line per attachment. */
export function messageWithAttachments(message: MessageRecord): string {
  const text = message.cited ? withSourceNames(message.text, message.cited) : message.text
  return escapeTags(textWithFiles(text, message.attachments))
}

function writeNotice(world: World, task: TaskRecord, instruction: Instruction, text: string): string {
  if (instruction.type !== 'judge_stage' && instruction.type !== 'judge_task') return escapeTags(text)
  const stage = instruction.type === 'judge_stage' ? world.stages[task.id]?.[instruction.stage] : undefined
  const judged = stage ? stageHandle(world, stage) : 'task'
  const asker = task.requestedBy
  const who = asker === null ? 'none' : `${selectName(world, asker)} | ${handleOf(world, asker)}`
  return [escapeTags(text), `judge: ${judged}`, `asked_by: ${escapeTags(who)}`].join('\n')
}
