/** What became of a request for new work, for a program that asked for it and waits. */
import { own } from '@/lib/json'
import { canReadMessage, taskAccessOf } from '@/lib/mas/access/access'
import { outcomeFor } from '@/lib/mas/asks/outcomes'
import type { MessageId } from '@/lib/mas/ids'
import type { AgentRecord, MessageRecord, RequestRecord, TaskRecord, World } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import { bareId, selectName } from '@/lib/mas/team/agents'
import { selectTaskProgress } from '@/lib/mas/waits/progress'
import type { WorkStatus } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { requestsFor } from '@/server/monitor'
import { resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import type { Routes } from '../../route'

/** The newest messages that are shown. */
const MOST_SAID = 20

export function addWorkStatusRoute({ add, gateway }: Routes): void {
  const { engine, past } = gateway

  add('GET /api/work/{id}', {
    scope: 'read',
    summary:
      'What became of new work: by the id of the message that asked for it (in the reply of POST /api/work), or of its task. With what is open to the caller in it, and the newest messages to them.',
    answers: schemas.workStatus,
    async handle({ person, params }) {
      const request = messageOf(engine.world(), person, params.id)
      const made = request === null ? null : taskMadeOf(engine.world(), request)
      const id = made?.id ?? params.id
      const world = await worldWithRestored(engine.world(), past, id)
      const task = request !== null && made === null ? null : resolveTaskId(world, id, person)
      return statusOf(world, person, request, task)
    },
  })
}

/** A message of the base task that they may read; null: there is none of that id. */
function messageOf(world: World, person: AgentRecord, id: string): MessageRecord | null {
  const { baseTask: base } = world
  const message = base === null ? undefined : own<MessageRecord>(world.messages[base] ?? {}, bareId(id))
  if (base === null || message === undefined) return null
  return canReadMessage(taskAccessOf(world, person, base), message) ? message : null
}

const threadOf = ({ thread, id }: MessageRecord): MessageId => thread ?? id

const taskMadeOf = (world: World, message: MessageRecord): TaskRecord | null =>
  Object.values<TaskRecord>(world.tasks).findLast(
    ({ requestedIn }) => requestedIn?.task === message.task && requestedIn.thread === threadOf(message),
  ) ?? null

function statusOf(
  world: World,
  person: AgentRecord,
  request: MessageRecord | null,
  task: TaskRecord | null,
): WorkStatus {
  const asked = request === null ? (task?.requestedIn ?? null) : { task: request.task, thread: threadOf(request) }
  const isOfIt = (one: Pick<MessageRecord, 'task' | 'thread'>): boolean =>
    one.task === task?.id || (asked !== null && one.task === asked.task && one.thread === asked.thread)
  const { requests, rowOf } = requestsFor(
    world,
    person.id,
    (one: RequestRecord) => isOpen(one) && one.asked.includes(person.id) && isOfIt(one),
  )
  const said = [asked?.task, task?.id]
    .flatMap((id) => (id === undefined ? [] : Object.values<MessageRecord>(world.messages[id] ?? {})))
    .filter((one) => isOfIt(one) && one.receivers.includes(person.id) && one.sender !== person.id)
    .filter((one) => canReadMessage(taskAccessOf(world, person, one.task), one))
    .sort((a, b) => a.seq - b.seq)
  return {
    message: asked?.thread ?? null,
    task: task && { id: task.id, name: task.name },
    state: requests.length > 0 ? 'input_required' : task === null ? answeredOf(world, request) : stateOfTask(task),
    progress: task === null ? null : selectTaskProgress(world, task).state,
    summary: task?.summary ?? null,
    requests: requests.map(rowOf),
    messages: said.slice(-MOST_SAID).map(({ id, at, sender, text, attachments }) => ({
      ...{ id, at, text, from: selectName(world, sender) },
      files: attachments.flatMap(({ savedAs }) => savedAs ?? []),
    })),
  }
}

const stateOfTask = ({ state }: TaskRecord): WorkStatus['state'] =>
  state === 'finished' || state === 'failed' ? state : 'running'

/** Of a request without a task: was it answered in words? */
function answeredOf(world: World, request: MessageRecord | null): WorkStatus['state'] {
  const receiver = request?.receivers[0]
  if (request === null || receiver === undefined) return 'asked'
  const sources = { deliveries: world.deliveries[request.task] ?? {}, requests: world.requests[request.task] ?? {} }
  const state = outcomeFor(sources, request, receiver)?.state
  return state === 'answered' || state === 'done' ? 'answered' : state === 'failed' ? 'failed' : 'asked'
}
