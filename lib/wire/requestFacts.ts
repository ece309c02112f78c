/** A request as its reader sees it, by the records of its task: what an inbox row and a card show. Pure. */

import type { RequestAbout } from '../mas/asks/requestAbout'
import { changedSince, hasChanged, isAwaited } from '../mas/asks/requests'
import { withoutNotes } from '../mas/builtInNotes'
import type { AgentId, SenderId } from '../mas/ids'
import { runsSteps } from '../mas/members/traits'
import type { AgentRecord, HeldPlan, RequestRecord, World } from '../mas/records'
import { selectStagePlace } from '../mas/stages/plan'
import { stageName } from '../mas/tasks/taskTitle'
import type { RequestRow, Row, Who } from './rows'

/** A request without its place in a list: what a card shows. */
export type RequestShown<Of extends RequestRecord = RequestRecord> = Omit<
  RequestRow,
  keyof Row | 'kind' | 'group' | 'request'
> & { request: Of }

/** What a row and a task's log know from different records. held: who waits until it is answered, its asker first */
type Context = {
  whoOf: (world: World, id: SenderId) => Who
  held: readonly AgentId[]
  about: RequestAbout | null
  /** Whether the reader may learn of this person. */
  isKnown: (id: AgentId) => boolean
}

/** in: reader: whose part it shows; whoOf: someone by the records of this world */
export function requestFacts<Of extends RequestRecord>(
  world: World,
  request: Of,
  reader: AgentId,
  { whoOf, held, about, isKnown }: Context,
): RequestShown<Of> {
  const { task, message, asked, answer } = request
  const stage = request.stage === null ? undefined : world.stages[task]?.[request.stage]
  const who = (id: SenderId): Who => whoOf(world, id)
  const shares = stage && request.kind === 'part' ? (Object.keys(stage.allocation) as AgentId[]) : null
  const attachments = message === null ? [] : (world.messages[task]?.[message]?.attachments ?? [])
  // A log holds no locks and steps of the asker, and a row does not read them.
  const changes = changedSince({ ...world, work: {}, steps: {} }, request)
  return {
    request,
    asker: who(request.asker),
    asked: asked.map(who),
    taskName: world.tasks[task]?.name ?? '',
    stage: stage
      ? { id: stage.id, number: selectStagePlace(world, stage.task, stage.id).number, name: stageName(stage) }
      : null,
    holdsUp: { agents: held.map(who), stage: stage !== undefined && isAwaited(request) },
    part:
      stage && shares
        ? {
            goal: withoutNotes(stage.allocation[asked[0] ?? reader] ?? ''),
            stageGoal: stage.intention,
            others: shares.filter((id) => !asked.includes(id)).map(who),
          }
        : null,
    changed: hasChanged(world, request) || changes.length > 0,
    changes,
    answeredBy: answer ? who(answer.by) : null,
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(about === null ? {} : { about }),
    ...(request.plan === undefined ? {} : { team: teamOf(world, request.plan, isKnown).map(who) }),
  }
}

const TEAM_MOST = 60

/** Those of the plan, and for a change of it the agents of the team and the people whom the reader knows. */
function teamOf(world: World, { stages }: HeldPlan, isKnown: (id: AgentId) => boolean): AgentId[] {
  const planned = stages.flatMap(({ allocation }) => Object.keys(allocation) as AgentId[])
  const others = Object.values<AgentRecord>(world.agents).flatMap(({ id, removed }) =>
    !removed && (runsSteps(world, id) || isKnown(id)) ? [id] : [],
  )
  return [...new Set([...planned, ...others])].slice(0, TEAM_MOST)
}
