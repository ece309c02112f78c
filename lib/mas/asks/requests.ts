/** Questions about requests: what one is about, and whether and how that changed since it was asked. */
import { gather } from '@/lib/gather'
import { memo } from '@/lib/memo'
import { type AgentId, type RequestId, SYSTEM_TASK, type TaskId } from '../ids'
import type { NumberedRequest, RequestRecord, World } from '../records'
import { isOpen, isPartOver, isStageOver, isStepOver, isTaskOver } from '../statuses'
import { stepIn } from '../steps/ownSteps'

type Requests = Record<RequestId, RequestRecord>

export const openRequestsIn = memo((requests: Requests): RequestRecord[] => Object.values(requests).filter(isOpen))

export const selectOpenRequests = (world: Pick<World, 'requests'>, task: TaskId): RequestRecord[] => {
  const requests = world.requests[task]
  return requests ? openRequestsIn(requests) : []
}

/** It has a number and a card: an agent or the task asks. What a person asks of another is shown by its message. */
export const isNumbered = <Request extends Pick<RequestRecord, 'number'>>(
  request: Request,
): request is Request & Pick<NumberedRequest, 'number'> => request.number !== null

const openNumbered = memo((requests: Requests): NumberedRequest[] => openRequestsIn(requests).filter(isNumbered))

/** Those by which work of the task may be held up. */
export const selectNumberedRequests = (world: Pick<World, 'requests'>, task: TaskId): NumberedRequest[] => {
  const requests = world.requests[task]
  return requests ? openNumbered(requests) : []
}

export const requestsByMessage = memo((requests: Requests) =>
  gather(Object.values<RequestRecord>(requests), ({ message }) => (message === null ? [] : [message])),
)

/** A mark of a question; not the one in an address. */
const QUESTION_MARK = /[?？](?![\w=&%-])/u

/** Does an agent's message ask for an answer (it waits, offers choices, or asks a question), not only for an act? */
export const isQuestion = ({
  kind,
  lock,
  choices,
  question,
  number,
}: Pick<RequestRecord, 'kind' | 'lock' | 'choices' | 'question' | 'number'>): boolean =>
  kind === 'answer' && number !== null && (lock !== null || choices.length > 0 || QUESTION_MARK.test(question))

/** Whether the answer is waited for: all but a plain “do this”, which its asker continues without. */
export const isAwaited = (request: RequestRecord): boolean => request.kind !== 'answer' || isQuestion(request)

/** Who waits for the answer: its asker; null where it is the task itself, as for a part. */
export const selectAwaitingAsker = (request: RequestRecord): AgentId | null =>
  request.kind === 'part' || request.asker === SYSTEM_TASK || !isAwaited(request) ? null : request.asker

type About = Pick<RequestRecord, 'task' | 'stage' | 'call'>

/** What a request is about, as it is now: the digest of the call, or the state of its stage. */
export const fingerprintOf = (world: Pick<World, 'stages'>, { task, stage, call }: About): string =>
  call?.digest ?? (stage === null ? '' : (world.stages[task]?.[stage]?.state ?? ''))

/** It is open, and what it is about is not what it was when it was asked. */
export const hasChanged = (world: Pick<World, 'stages'>, request: RequestRecord): boolean =>
  isOpen(request) && fingerprintOf(world, request) !== request.fingerprint

/**
 * What changed since a request was asked.
 *
 * stageOver      its stage is finished or failed
 * stageReplaced  its stage was retried: a better one took its place
 * taskOver       its task is over
 * askerMovedOn   nobody waits for the answer any more, or the part of the stage that it was asked for is over
 * askerGone      who asked was removed
 * stepOver       the step that it holds up is over
 */
export type Change = 'stageOver' | 'stageReplaced' | 'taskOver' | 'askerMovedOn' | 'askerGone' | 'stepOver'

/** All that changed, what weighs most first; empty: nothing, or the request is over. in: a world, or a view of it. */
export function changedSince(
  world: Pick<World, 'stages' | 'tasks' | 'work' | 'agents' | 'steps'>,
  request: RequestRecord,
): Change[] {
  if (!isOpen(request)) return []
  const changes: Change[] = []
  const task = world.tasks[request.task]
  const stage = request.stage === null ? undefined : world.stages[request.task]?.[request.stage]
  if (task && isTaskOver(task)) changes.push('taskOver')
  if (stage && (stage.replacedBy ?? null) !== null) changes.push('stageReplaced')
  else if (stage && hasChanged(world, request) && isStageOver(stage)) changes.push('stageOver')
  if (request.asker === 'system:task') return changes
  if (world.agents[request.asker]?.removed) changes.push('askerGone')
  else if (hasMovedOn(world, request, request.asker)) changes.push('askerMovedOn')
  const holds = request.kind === 'confirm' || request.kind === 'tool' || request.kind === 'plan'
  const step = holds && request.step !== null ? stepIn(world.steps[request.task]?.[request.asker], request.step) : null
  if (step && isStepOver(step)) changes.push('stepOver')
  return changes
}

function hasMovedOn(
  world: Pick<World, 'stages' | 'work'>,
  { task, stage, lock }: RequestRecord,
  asker: AgentId,
): boolean {
  if (lock !== null) return world.work[asker]?.locks.every((held) => held.id !== lock) ?? false
  const part = stage === null ? undefined : world.stages[task]?.[stage]?.parts[asker]
  return isPartOver(part)
}
