/** One request as a row: of the inbox, or of a list. */
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { Attachment, RequestRecord, World } from '@/lib/mas/records'
import { isVisibleMessage, threadsOf } from '@/lib/mas/selectors/access/visibility'
import { aboutOfRequest, type RequestAbout } from '@/lib/mas/selectors/requests/requestAbout'
import { changedSince, hasChanged, isAwaited, selectAwaitingAsker } from '@/lib/mas/selectors/requests/requests'
import { selectStagePlace } from '@/lib/mas/selectors/tasks/plan'
import { selectHeldUp } from '@/lib/mas/selectors/waits/waits'
import { isOpen } from '@/lib/mas/statuses'
import { stageName } from '@/lib/mas/taskTitle'
import type { RequestRow } from '@/lib/wire/rows'
import { type AccessLevel, seesThreadsOnly } from '../scopes'
import { whoOf, whosOf } from './who'

const NO_FILES: readonly Attachment[] = []

/** tasks: those that they may read; people from other tasks are not named. */
export type Reader = { reach: AccessLevel; person: AgentId; tasks: readonly TaskId[] }

/** Who waits until this is answered: its asker first, then those who wait for them, and so on. */
export function heldBy(world: World, request: RequestRecord): readonly AgentId[] {
  const asker = selectAwaitingAsker(request)
  return asker === null ? [] : [asker, ...selectHeldUp(world, { agent: asker, lock: request }).agents]
}

/** Nothing of a thread that the reader was not in when they were asked. */
function aboutFor(world: World, reach: AccessLevel, person: AgentId, request: RequestRecord): RequestAbout | null {
  const about = aboutOfRequest(world, request)
  if (about?.kind !== 'message' || !seesThreadsOnly(world, reach, request.task)) return about
  const message = world.messages[request.task]?.[about.id]
  return message && isVisibleMessage(message, threadsOf(world, request.task, person)) ? about : null
}

export function requestRowOf(
  world: World,
  { reach, person, tasks }: Reader,
  request: RequestRecord,
  group: RequestRow['group'],
  sort: string,
): RequestRow {
  const task = world.tasks[request.task]
  const stage = request.stage === null ? undefined : world.stages[request.task]?.[request.stage]
  const receipt = request.message === null ? null : (world.receipts[request.task]?.[person]?.[request.message] ?? null)
  // The asker's locks and steps are not among what these rows read.
  const changes = changedSince({ ...world, work: {}, steps: {} }, request)
  const changed = hasChanged(world, request) || changes.length > 0
  const attachments =
    request.message === null ? NO_FILES : (world.messages[request.task]?.[request.message]?.attachments ?? NO_FILES)
  const about = aboutFor(world, reach, person, request)
  const isKnown = (id: AgentId): boolean => tasks.some((one) => world.tasks[one]?.group.includes(id))
  const held = isOpen(request) ? whosOf(world, heldBy(world, request).filter(isKnown)) : []
  return {
    id: request.id,
    sort,
    kind: 'request',
    group,
    request,
    asker: whoOf(world, request.asker),
    asked: whosOf(world, request.asked),
    taskName: task?.name ?? '',
    stage: stage
      ? { id: stage.id, number: selectStagePlace(world, stage.task, stage.id).number, name: stageName(stage) }
      : null,
    holdsUp: { agents: held, stage: stage !== undefined && isAwaited(request) },
    part:
      stage && request.kind === 'part'
        ? {
            goal: stage.allocation[request.asked[0] ?? person] ?? '',
            stageGoal: stage.intention,
            others: whosOf(
              world,
              (Object.keys(stage.allocation) as AgentId[]).filter((id) => !request.asked.includes(id)),
            ),
          }
        : null,
    receipt,
    changed,
    changes,
    answeredBy: request.answer ? whoOf(world, request.answer.by) : null,
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(about === null ? {} : { about }),
  }
}
