/** What an agent of another system hears of the work that it asked for: its state, and the result with its files. */

import type { Attachment, FileVersion, MessageRecord, TaskRecord } from '../../records'
import type { Said } from '../../said'
import { isPresent } from '../../selectors/agents'
import { selectFilesOfTask, type VersionOfPath } from '../../selectors/files'
import { isOutsideRequester, selectConversationTo } from '../../selectors/outsideWork'
import { isTaskOver } from '../../statuses'
import type { DecisionContext } from '../decisionContext'
import { deliver } from './deliver'

/** Tell the requester in its conversation. Does nothing where a person asked, or nobody. */
export function tellRequester(
  context: DecisionContext,
  { requestedBy, requestedIn, group, manager }: TaskRecord,
  text: Said,
  attachments: Attachment[] = [],
): void {
  const { world } = context
  const home = requestedIn === null ? undefined : world.tasks[requestedIn.task]
  if (requestedBy === null || requestedIn === null || !home || isTaskOver(home)) return
  if (!isOutsideRequester(world, { requestedBy, group }, requestedBy) || !isPresent(world, requestedBy)) return
  deliver(context, {
    task: home.id,
    sender: isPresent(world, home.manager) ? home.manager : manager,
    receivers: [requestedBy],
    text,
    stage: null,
    thread: null,
    needReply: false,
    waiting: null,
    returnWaiting: null,
    instruction: null,
    replyTo: requestedIn.thread,
    attachments,
  })
}

/** The envelope has an event for the beginning of work. In other protocols the answer to the request says it. */
export function tellWorkBegun(context: DecisionContext, task: TaskRecord): void {
  const { requestedBy } = task
  const conversation = requestedBy === null ? null : selectConversationTo(context.world, task.id, requestedBy)
  if (conversation?.protocol === 'a2a') tellRequester(context, task, context.said('workBegun', { name: task.name }))
}

/** More or larger files stay here; the result names what was done with them. */
const MOST_FILES = 20
const MOST_BYTES = 6 * 1024 * 1024

/**
 * The files of the result, as the work left them: those that it made or changed, and that the summary or a message to the
 * requester names. Drafts that nobody names stay here.
 */
export function releasedFiles({ world }: DecisionContext, task: TaskRecord, summary: string): Attachment[] {
  const told = Object.values<MessageRecord>(world.messages[task.id] ?? {})
    .filter(({ receivers }) => task.requestedBy !== null && receivers.includes(task.requestedBy))
    .map(({ text }) => text)
  const named = [summary, ...told].join('\n')
  let left = MOST_BYTES
  return selectFilesOfTask(world, task.id)
    .flatMap(({ path, now }) => (isKept(now) && named.includes(path) ? [{ path, now }] : []))
    .slice(-MOST_FILES)
    .flatMap(({ path, now: { sha, bytes } }) => {
      left -= bytes
      if (left < 0) return []
      const name = path.slice(path.lastIndexOf('/') + 1)
      return [{ name, body: { sha, bytes, preview: '', mime: mimeOf(name) }, savedAs: path }]
    })
}

const isKept = (now: FileVersion['now']): now is NonNullable<VersionOfPath['now']> & { sha: string } =>
  now?.kept === true && now.sha !== null

const MIMES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

const mimeOf = (name: string): string =>
  MIMES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
