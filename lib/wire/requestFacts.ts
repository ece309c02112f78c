/** What a request is to its reader as far as the records of its task say: the part that inbox rows and cards share. Pure. */
import type { AgentId, SenderId } from '../mas/ids'
import type { RequestRecord, World } from '../mas/records'
import { selectStagePlace } from '../mas/selectors/tasks/plan'
import { stageName } from '../mas/taskTitle'
import type { RequestRow, Row, Who } from './rows'

/** A request without its place in a list: what a card shows. */
export type RequestShown = Omit<RequestRow, keyof Row | 'kind' | 'group'>

/**
 * in      reader: whose receipt and part it shows; whoOf: someone by the records of this world
 * out     without what a row and a log know from different records
 */
export function requestFacts(
  world: World,
  request: RequestRecord,
  reader: AgentId,
  whoOf: (world: World, id: SenderId) => Who,
): Omit<RequestShown, 'holdsUp' | 'changed' | 'changes' | 'about'> {
  const { task, message, asked, answer } = request
  const stage = request.stage === null ? undefined : world.stages[task]?.[request.stage]
  const who = (id: SenderId): Who => whoOf(world, id)
  const shares = stage && request.kind === 'part' ? (Object.keys(stage.allocation) as AgentId[]) : null
  const attachments = message === null ? [] : (world.messages[task]?.[message]?.attachments ?? [])
  return {
    request,
    asker: who(request.asker),
    asked: asked.map(who),
    taskName: world.tasks[task]?.name ?? '',
    stage: stage
      ? { id: stage.id, number: selectStagePlace(world, stage.task, stage.id).number, name: stageName(stage) }
      : null,
    part:
      stage && shares
        ? {
            goal: stage.allocation[asked[0] ?? reader] ?? '',
            stageGoal: stage.intention,
            others: shares.filter((id) => !asked.includes(id)).map(who),
          }
        : null,
    receipt: message === null ? null : (world.receipts[task]?.[reader]?.[message] ?? null),
    answeredBy: answer ? who(answer.by) : null,
    ...(attachments.length > 0 ? { attachments } : {}),
  }
}
