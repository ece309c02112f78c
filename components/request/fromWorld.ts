/** A request as a card shows it, made from a task's log. Pure; rows of the inbox hold the same. */
import { type AgentId, type SenderId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { RequestRecord, World } from '@/lib/mas/records'
import { aboutOfRequest } from '@/lib/mas/selectors/requests/requestAbout'
import { changedSince, hasChanged, isAwaited, selectAwaitingAsker } from '@/lib/mas/selectors/requests/requests'
import { selectStagePlace } from '@/lib/mas/selectors/tasks/plan'
import { stageName } from '@/lib/mas/taskTitle'
import type { Who } from '@/lib/wire/rows'
import type { RequestShown } from './shown'

const SYSTEM: Who = { id: SYSTEM_TASK, name: '', kind: 'system', role: '', manager: false, access: 'none' }

/** An agent or person for a chip or avatar. */
export function whoInWorld(world: Pick<World, 'agents'>, id: SenderId): Who {
  if (id === SYSTEM_TASK) return SYSTEM
  const agent = world.agents[id]
  if (!agent) return { id, name: id.slice(0, 8), kind: 'llm', role: '', manager: false, access: 'none' }
  const { name, kind, role, manager, access } = agent
  return { id, name, kind, role, manager, access }
}

export function shownFromWorld(world: World, request: RequestRecord, me: AgentId): RequestShown {
  const stage = request.stage === null ? undefined : world.stages[request.task]?.[request.stage]
  const task = world.tasks[request.task]
  const asker = whoInWorld(world, request.asker)
  const about = aboutOfRequest(world, request)
  const isHeld = selectAwaitingAsker(request) !== null
  return {
    request,
    asker,
    asked: request.asked.map((id) => whoInWorld(world, id)),
    taskName: task?.name ?? '',
    stage: stage
      ? { id: stage.id, number: selectStagePlace(world, stage.task, stage.id).number, name: stageName(stage) }
      : null,
    holdsUp: { agents: isHeld ? [asker] : [], stage: stage !== undefined && isAwaited(request) },
    part:
      stage && request.kind === 'part'
        ? {
            goal: stage.allocation[request.asked[0] ?? me] ?? '',
            stageGoal: stage.intention,
            others: Object.keys(stage.allocation)
              .filter((id) => !request.asked.includes(id as AgentId))
              .map((id) => whoInWorld(world, id as AgentId)),
          }
        : null,
    receipt: request.message === null ? null : (world.receipts[request.task]?.[me]?.[request.message] ?? null),
    attachments: (request.message && world.messages[request.task]?.[request.message]?.attachments) || [],
    changed: hasChanged(world, request),
    changes: changedSince(world, request),
    ...(about === null ? {} : { about }),
    answeredBy: request.answer ? whoInWorld(world, request.answer.by) : null,
  }
}
