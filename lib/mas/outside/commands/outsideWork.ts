/** What an outside agent receives about the work that it asked for: its state, and the result with its files. */

import type { DecisionContext } from '../../commands/decisionContext'
import { selectFilesOfTask, type VersionOfPath } from '../../files/files'
import { MOST_SENT_BYTES, MOST_SENT_FILES, mimeOfFile } from '../../files/fileTypes'
import { deliver } from '../../messages/commands/deliver'
import type { Attachment, FileVersion, MessageRecord, TaskRecord } from '../../records'
import type { Said } from '../../said'
import { isTaskOver } from '../../statuses'
import { isPresent, managerIn } from '../../team/agents'
import { isOutsideRequester, selectConversationTo } from '../outsideWork'
import { PROTOCOL_TRAITS } from '../peerProtocols'

/** Notifies the requester in its conversation; does nothing unless an outside agent asked. */
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
  const sender = managerIn(home).find((one) => isPresent(world, one)) ?? manager
  if (sender === null) return
  deliver(context, {
    task: home.id,
    sender,
    receivers: [requestedBy],
    text,
    replyTo: requestedIn.thread,
    attachments,
  })
}

/** Where the protocol does not say it in the answer to the request. */
export function tellWorkBegun(context: DecisionContext, task: TaskRecord): void {
  const { requestedBy } = task
  const conversation = requestedBy === null ? null : selectConversationTo(context.world, task.id, requestedBy)
  if (conversation !== null && PROTOCOL_TRAITS[conversation.protocol].saysBegun)
    tellRequester(context, task, context.said('workBegun', { name: task.name }))
}

/** Files that the work made or changed and that the summary or a message to the requester names. left: named but not sent. */
export function releasedFiles(
  { world }: DecisionContext,
  task: TaskRecord,
  summary: string,
): { files: Attachment[]; left: string[] } {
  const told = Object.values<MessageRecord>(world.messages[task.id] ?? {})
    .filter(({ receivers }) => task.requestedBy !== null && receivers.includes(task.requestedBy))
    .map(({ text }) => text)
  const said = [summary, ...told].join('\n')
  const named = selectFilesOfTask(world, task.id).filter(({ path, now }) => now !== null && namesPath(said, path))
  const files: Attachment[] = []
  const left: string[] = []
  let room = MOST_SENT_BYTES
  for (const { path, now } of named.reverse()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (files.length >= MOST_SENT_FILES || !isKept(now) || now.bytes > room) {
      left.push(name)
      continue
    }
    room -= now.bytes
    const { sha, bytes } = now
    files.push({ name, body: { sha, bytes, preview: '', mime: mimeOfFile(name) }, savedAs: path })
  }
  return { files: files.reverse(), left: left.reverse() }
}

const PATH_CHARACTER = /[\p{Script=Latin}\p{N}_./\\-]/u

/** Does the text name this path, and not one of which it is the end or the beginning? Han characters end a path. */
function namesPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text.slice(0, at).endsWith('./') ? (text[at - 3] ?? '') : (text[at - 1] ?? '')
    const [next = '', beyond = ''] = [text[at + path.length], text[at + path.length + 1]]
    const goesOn = next === '.' ? PATH_CHARACTER.test(beyond) : PATH_CHARACTER.test(next)
    if (!PATH_CHARACTER.test(before) && !goesOn) return true
  }
  return false
}

const isKept = (now: FileVersion['now']): now is NonNullable<VersionOfPath['now']> & { sha: string } =>
  now?.kept === true && now.sha !== null
