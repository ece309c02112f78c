/** What a person may read. Membership is the rule; in the base task a participant sees their own threads only. */
import type { AgentId, TaskId, ThreadId } from '../ids'
import type { AgentRecord, FileVersion, MessageRecord, RequestRecord, StepRecord, TaskRecord, World } from '../records'
import { isForReader, isInAudience, isVisibleMessage, isVisibleRequest, threadOf, threadsOf } from './visibility'

/**
 * How far into a task a person sees.
 *
 * person   the person
 * upTo     the last entry of a former member; Infinity for everyone else
 * threads  null: all of the task; else only these threads of the base task
 */
export type TaskAccess = { person: AgentId; upTo: number; threads: ReadonlySet<ThreadId> | null }

export const canSeeAll = (person: AgentRecord): boolean => person.access === 'operator' || person.access === 'developer'

/** A task that was opened from a file is for operators: nobody else was made a reader of it. */
const isShut = (task: TaskRecord, person: AgentRecord): boolean =>
  task.opened !== undefined && person.access !== 'operator'

/** null: nothing of it. */
export function taskAccessOf(world: World, person: AgentRecord, task: TaskId): TaskAccess | null {
  const record = world.tasks[task]
  if (!record || person.access === 'none' || isShut(record, person)) return null
  if (!isForReader(record, person.id)) return null
  const whole = { person: person.id, upTo: Number.POSITIVE_INFINITY, threads: null }
  if (canSeeAll(person)) return whole
  if (record.base) return { ...whole, threads: threadsOf(world, task, person.id) }
  if (record.group.includes(person.id)) return whole
  const upTo = record.former[person.id]
  return upTo === undefined ? null : { ...whole, upTo }
}

const inThreads = (reach: TaskAccess, thread: ThreadId | null): boolean =>
  reach.threads === null || (thread !== null && reach.threads.has(thread))

/** People can read what they did themselves, in any thread. */
export const canReadStep = (
  reach: TaskAccess | null,
  step: Pick<StepRecord, 'createdSeq' | 'agent' | 'thread'>,
): boolean =>
  reach !== null && step.createdSeq <= reach.upTo && (step.agent === reach.person || inThreads(reach, step.thread))

export const canReadMessage = (
  reach: TaskAccess | null,
  message: Pick<MessageRecord, 'seq' | 'id' | 'thread' | 'audience'>,
): boolean =>
  reach !== null &&
  message.seq <= reach.upTo &&
  (reach.threads === null
    ? isInAudience(message, reach.person)
    : isVisibleMessage(message, reach.threads, reach.person))

export const canReadRequest = (
  reach: TaskAccess | null,
  request: Pick<RequestRecord, 'openedSeq' | 'thread' | 'asked' | 'audience'>,
): boolean =>
  reach !== null &&
  request.openedSeq <= reach.upTo &&
  isInAudience({ audience: request.audience ?? 'task' }, reach.person) &&
  (reach.threads === null || isVisibleRequest(request, reach.threads, reach.person))

/** Whether they may know of the task, independent of threads. */
export const canSeeTask = (world: World, person: AgentRecord, task: TaskId): boolean => {
  const record = world.tasks[task]
  if (!record || person.access === 'none' || isShut(record, person) || !isForReader(record, person.id)) return false
  return canSeeAll(person) || record.base || record.group.includes(person.id) || Object.hasOwn(record.former, person.id)
}

/** A request is visible to readers of its task or thread, and to the people asked. */
export const canSeeRequest = (world: World, person: AgentRecord, request: RequestRecord): boolean =>
  request.asked.includes(person.id) || canReadRequest(taskAccessOf(world, person, request.task), request)

/**
 * A file that people sent, or one of the workspace.
 *
 * path      under the workspace, with slashes; null: it is only in a message
 * carriers  the messages that carry it, as far as they are in the world
 * uploader  the person who uploaded it and has not sent it yet; null: none
 * versions  those written by steps; absent: none
 */
type FileFacts = {
  path: string | null
  carriers: readonly MessageRecord[]
  uploader: AgentId | null
  versions?: readonly FileVersion[]
}

const isInbox = (path: string): boolean => /^inbox(\/|$)/i.test(path)

/**
 * May this person read the file, and see its name? Files under `inbox/` are visible to readers of a message that
 * carries them or of a step that wrote them, and before sending to their uploader. Other files of the workspace are visible to
 * holders of a file tool.
 *
 * in      fileServers: the tool servers that reach the workspace
 */
export function canSeeFile(
  world: World,
  person: AgentRecord,
  { path, carriers, uploader, versions = [] }: FileFacts,
  fileServers: readonly string[],
): boolean {
  if (person.access === 'none') return false
  if (uploader === person.id) return true
  if (carriers.some((message) => canReadMessage(taskAccessOf(world, person, message.task), message))) return true
  if (path !== null && isInbox(path) && versions.some((version) => canReadVersion(world, person, version))) return true
  return path !== null && !isInbox(path) && holdsFileTool(person, fileServers)
}

/** Whether this person may know the task and step of a version. */
export const canReadVersion = (world: World, person: AgentRecord, { task, seq, agent, thread }: FileVersion): boolean =>
  canReadStep(taskAccessOf(world, person, task), { createdSeq: seq, agent, thread })

/**
 * May this step send the file of the workspace along with a message? What it may use with a tool; outside `inbox/` the agent must
 * hold a file tool.
 *
 * in      fileServers: the tool servers that reach the workspace
 */
export function stepMaySendFile(
  world: World,
  step: Parameters<typeof stepSeesFile>[1],
  path: string,
  fileServers: readonly string[],
): boolean {
  const actor = world.agents[step.agent]
  if (actor === undefined || !stepSeesFile(world, step, path)) return false
  return isInbox(path) || holdsFileTool(actor, fileServers)
}

const holdsFileTool = (actor: AgentRecord, fileServers: readonly string[]): boolean =>
  canSeeAll(actor) || actor.tools.some((server) => fileServers.includes(server))

/**
 * May a tool call of this step use the file or folder of the workspace? Below `inbox/` an agent may use files that messages of the step's
 * task, or of the thread of its request, carry; a person who runs a tool by hand may use files that they can see. A folder may be
 * used by those who can use a file in it. A file that no message carries belongs to its folder: agents write results beside their sources.
 */
export function stepSeesFile(
  world: World,
  step: Pick<StepRecord, 'agent' | 'task' | 'thread' | 'byHand'>,
  name: string,
): boolean {
  // A file server finds a file by any composition of its letters.
  const path = name.normalize('NFC')
  if (!isInbox(path)) return true
  const actor = world.agents[step.agent]
  const isIt = (name: string | null): boolean => {
    const saved = name?.normalize('NFC')
    return saved !== undefined && (saved === path || (/^inbox\/[^/]/i.test(path) && saved.startsWith(`${path}/`)))
  }
  const carries = ({ attachments }: MessageRecord): boolean => attachments.some(({ savedAs }) => isIt(savedAs))
  const everyMessage = (): MessageRecord[] =>
    Object.values(world.messages).flatMap((own: Record<string, MessageRecord>) => Object.values(own))
  if (step.byHand) {
    return (
      actor !== undefined &&
      canSeeFile(world, actor, { path, carriers: everyMessage().filter(carries), uploader: null }, [])
    )
  }
  const task = world.tasks[step.task]
  const own = (Object.values(world.messages[step.task] ?? {}) as MessageRecord[]).filter(
    (message) => task?.base !== true || threadOf(message) === step.thread,
  )
  const asked = task?.requestedIn ?? null
  const before =
    asked === null
      ? []
      : (Object.values(world.messages[asked.task] ?? {}) as MessageRecord[]).filter(
          (message) => threadOf(message) === asked.thread,
        )
  const seen = [...own, ...before]
  if (seen.some(carries)) return true
  const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)
  const folder = folderOf(path)
  const isBeside = ({ attachments }: MessageRecord): boolean =>
    attachments.some(({ savedAs }) => savedAs !== null && folderOf(savedAs.normalize('NFC')) === folder)
  return /^inbox\/[^/]/i.test(folder) && seen.some(isBeside) && !everyMessage().some(carries)
}
