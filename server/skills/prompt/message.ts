import { escapeAttribute, escapeTags } from '@/lib/mas/formats'
import { type AgentId, type SenderId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { Instruction, MessageRecord, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { indented, tag } from './section'

export const senderKindOf = (world: World, id: SenderId): 'person' | 'agent' | 'system' =>
  id === SYSTEM_TASK ? 'system' : world.agents[id]?.kind === 'human' ? 'person' : 'agent'

export const senderNameOf = (world: World, id: SenderId): string =>
  id === SYSTEM_TASK ? SYSTEM_TASK : (world.agents[id]?.name ?? id)

const whoAttributes = (world: World, id: SenderId): string =>
  `from="${escapeAttribute(senderNameOf(world, id))}" kind="${senderKindOf(world, id)}" id="${id}"`

/** The message that a reply step answers, whole. */
export function writeAnswersTo(world: World, asker: AgentId, waits: boolean, text: string): string {
  return `<answers_to ${whoAttributes(world, asker)} waits="${waits ? 'yes' : 'no'}">${text}</answers_to>`
}

/** A message that is taken in; a notice to the judge is written out from the world. */
export function writeMessage(world: World, message: MessageRecord): string {
  const task = world.tasks[message.task]
  const content =
    message.instruction && task
      ? writeNotice(world, task, message.instruction, message.text)
      : messageWithAttachments(message)
  const returns = message.returnWaiting === null ? 'no' : 'yes'
  return `<message ${whoAttributes(world, message.sender)} returns_wait="${returns}">${content}</message>`
}

/** Its text, and what came along with it, one line each. */
export function messageWithAttachments(message: MessageRecord): string {
  const files = message.attachments.map(
    (file) =>
      `[attachment ${file.name}, ${file.body.mime}, ${file.body.bytes} bytes${file.savedAs === null ? '' : `, saved as ${file.savedAs}`}]`,
  )
  return escapeTags([message.text, ...files].join('\n'))
}

function writeNotice(world: World, task: TaskRecord, instruction: Instruction, text: string): string {
  if (instruction.type !== 'judge_stage' && instruction.type !== 'judge_task') return escapeTags(text)
  const judged = instruction.type === 'judge_stage' ? `stage ${instruction.stage}` : 'task'
  const asker = task.requestedBy
  const stages = task.stageOrder
    .map((id) => world.stages[task.id]?.[id])
    .filter((stage) => stage !== undefined)
    .map((stage, index) => writeStage(world, stage, index + 1))
  return [
    escapeTags(text),
    `judge: ${judged}`,
    `task: ${indented(escapeTags(task.name))}`,
    `task_id: ${task.id}`,
    `task_goal: ${indented(escapeTags(task.intention))}`,
    `asked_by: ${asker === null ? 'none' : `${escapeTags(senderNameOf(world, asker))} | ${asker}`}`,
    ...stages,
  ].join('\n')
}

function writeStage(world: World, stage: StageRecord, number: number): string {
  const parts = (Object.keys(stage.allocation) as AgentId[]).map((agent) => writePart(world, stage, agent))
  return [
    `<stage n="${number}" id="${stage.id}" state="${stage.state}">`,
    tag('stage_goal', escapeTags(stage.intention)),
    ...parts,
    '</stage>',
  ].join('\n')
}

function writePart(world: World, stage: StageRecord, agent: AgentId): string {
  const state = stage.parts[agent] ?? 'idle'
  const reason = stage.partReasons[agent]
  return [
    `<part agent="${escapeAttribute(senderNameOf(world, agent))}" agent_id="${agent}" state="${state}">`,
    tag('goal', escapeTags(stage.allocation[agent] ?? '')),
    ...(state === 'failed' && reason ? [tag('failure', escapeTags(reason))] : []),
    `${tag('part_summary', escapeTags(stage.summaries[agent] ?? ''))}</part>`,
  ].join('\n')
}
