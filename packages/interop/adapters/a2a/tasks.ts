/** Jobs of other systems as tasks of A2A: one task for each, found by the id of the message that began it. */
import { type Artifact, type Message, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk'
import { asId, type MessageId, type PeerId } from '@/lib/mas/ids'
import {
  isJobOver,
  type JobState,
  type OutsideJob,
  selectConversationWith,
  selectJobsIn,
  selectTheirConversations,
} from '@/lib/mas/outside/jobs'
import { outsideIdOf } from '@/lib/mas/outside/outside'
import type { ConversationRecord } from '@/lib/mas/outside/records'
import type { MessageRecord, World } from '@/lib/mas/records'
import { withRestoredTask } from '@/server/engine/snapshots/restoredTasks'
import type { AdapterContext } from '../adapter'
import { theirIdOf } from '../workReport'
import { filePart, partsOf } from './parts'

export const STATES: Readonly<Record<JobState, TaskState>> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  input_required: TaskState.TASK_STATE_INPUT_REQUIRED,
  finished: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
}

/** A job with the world that holds it, which is not the present one where its conversation is archived. */
export type HeldJob = { world: World; job: OutsideJob }

type Reading = Pick<AdapterContext, 'engine' | 'past'>

/** The job of that peer with this id; null: none, or older than the messages that are remembered of a peer. */
export async function findJob(context: Reading, peer: PeerId, id: string): Promise<HeldJob | null> {
  const message = asId<MessageId>(id)
  const conversation = selectConversationWith(context.engine.world(), peer, message)
  if (conversation === null || !isServed(conversation)) return null
  return (await jobsIn(context, conversation)).find(({ job }) => job.id === message) ?? null
}

/** All jobs of the peer that are remembered. */
export async function listJobs(context: Reading, peer: PeerId): Promise<HeldJob[]> {
  const all: HeldJob[] = []
  for (const conversation of selectTheirConversations(context.engine.world(), peer, 'a2a'))
    all.push(...(await jobsIn(context, conversation)))
  return all
}

/** Do they ask us there? Where we ask them, the tasks are theirs. */
export const isServed = ({ protocol, openedBy }: ConversationRecord): boolean =>
  protocol === 'a2a' && openedBy === 'them'

async function jobsIn({ engine, past }: Reading, conversation: ConversationRecord): Promise<HeldJob[]> {
  const live = engine.world()
  const restored = live.tasks[conversation.task] ? null : await past.task(conversation.task)
  const world = restored === null ? live : withRestoredTask(live, restored)
  return selectJobsIn(world, conversation).map((job) => ({ world, job }))
}

/** historyLength: undefined: all */
type Shown = { historyLength?: number | undefined; artifacts: boolean }

export async function taskOf(
  context: Pick<AdapterContext, 'bodies'>,
  held: HeldJob,
  { historyLength, artifacts }: Shown,
): Promise<Task> {
  const { job } = held
  const history = historyLength === undefined ? job.said : historyLength === 0 ? [] : job.said.slice(-historyLength)
  return {
    id: job.id,
    contextId: job.conversation.shared ?? '',
    status: statusOf(held),
    artifacts: artifacts ? await taskArtifacts(context, job, job.said) : [],
    history: await Promise.all(history.map((message) => historyMessage(context, held, message))),
    metadata: undefined,
  }
}

/** in: message: the one that brought the state; left out: the open question, or what we said last */
export function statusOf(held: HeldJob, message?: MessageRecord | null, state = held.job.state): TaskStatus {
  const { job } = held
  const shown = message === undefined ? (job.question ?? lastSaid(job)) : message
  return {
    state: STATES[state],
    message: shown === null ? undefined : messageOf(held, shown),
    timestamp: new Date(job.at).toISOString(),
  }
}

const isTheirs = ({ conversation }: OutsideJob, { sender }: MessageRecord): boolean => sender === conversation.agent
const lastSaid = (job: OutsideJob): MessageRecord | null =>
  job.said.findLast((message) => !isTheirs(job, message)) ?? null

/** Without files: those of ours are artifacts. */
function messageOf({ world, job }: HeldJob, message: MessageRecord): Message {
  const { peer, agent, shared } = job.conversation
  const isUser = isTheirs(job, message)
  return {
    messageId: (isUser ? theirIdOf(world, peer, message.id) : null) ?? outsideIdOf(world, message, agent),
    contextId: shared ?? '',
    taskId: job.id,
    role: isUser ? Role.ROLE_USER : Role.ROLE_AGENT,
    parts: partsOf(message.text),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

async function historyMessage(
  { bodies }: Pick<AdapterContext, 'bodies'>,
  held: HeldJob,
  message: MessageRecord,
): Promise<Message> {
  const shown = messageOf(held, message)
  if (!isTheirs(held.job, message)) return shown
  const files = await Promise.all(message.attachments.map((file) => filePart(bodies, file)))
  const parts = message.text === '' && files.length > 0 ? [] : shown.parts
  return { ...shown, parts: [...parts, ...files] }
}

/** The files of these messages of ours; of a finished job its last answer too, as its result. */
export async function taskArtifacts(
  { bodies }: Pick<AdapterContext, 'bodies'>,
  job: OutsideJob,
  messages: readonly MessageRecord[],
): Promise<Artifact[]> {
  const plain = { description: '', metadata: undefined, extensions: [] }
  const files = messages.filter((message) => !isTheirs(job, message))
  const found = files.flatMap(({ id, attachments }) => attachments.map((file, at) => ({ id: `${id}-${at}`, file })))
  const artifacts = await Promise.all(
    found.map(
      async ({ id, file }): Promise<Artifact> => ({
        ...plain,
        artifactId: id,
        name: file.name,
        parts: [await filePart(bodies, file)],
      }),
    ),
  )
  const last = lastSaid(job)
  if (job.state !== 'finished' || last === null) return artifacts
  return [...artifacts, { ...plain, artifactId: 'result', name: 'result', parts: partsOf(last.text) }]
}

/** Nothing changes before somebody outside says more. */
export const isAtRest = (job: OutsideJob): boolean => isJobOver(job) || job.state === 'input_required'
