import { Fault } from '@/lib/faults'
import { type AgentId, asId, type MessageId } from '@/lib/mas/ids'
import type { TaskRecord } from '@/lib/mas/records'
import * as schemas from '@/lib/wire/http'
import { assertText } from '../../commands'
import { resolveReceivers, resolveStageId, resolveTaskId } from '../../records/resolve'
import type { Routes } from '../../route'
import { attachmentsOf } from './attachments'

export function addMessageRoutes({ addCommand, gateway }: Routes): void {
  const { store } = gateway

  addCommand({
    path: '/api/messages',
    scope: 'ask',
    summary: 'Send a message, with the request that it answers, if any.',
    body: schemas.postMessage,
    async command({ world, person, body }) {
      const me = person.id
      const task = resolveTaskId(world, body.task, person)
      // A message with files needs no text.
      if (body.attachments.length === 0) assertText(body.text)
      const receivers = body.receivers === 'all' ? everyoneBut(task, me) : resolveReceivers(world, body.receivers)
      if (receivers.length === 0) throw new Fault('NO_RECEIVERS')
      const stage = resolveStageId(world, task.id, body.stage)
      const attachments = await attachmentsOf(store, me, body.attachments)
      return { ...body, kind: body.type, type: 'sendMessage', task: task.id, sender: me, receivers, stage, attachments }
    },
  })

  addCommand({
    path: '/api/receipts',
    scope: 'answer',
    summary: 'Mark messages as shown to the caller.',
    body: schemas.postReceipts,
    command: ({ body }) => ({ type: 'markShown', messages: body.shown }),
  })

  const about: [path: string, summary: string, type: 'acknowledge' | 'markDone' | 'undoOutcome'][] = [
    ['acknowledge', 'Acknowledge an Urgent.', 'acknowledge'],
    ['done', 'Mark what a message asks as done.', 'markDone'],
    ['undo', 'Undo `acknowledge` or `done`, within five minutes.', 'undoOutcome'],
  ]
  for (const [name, summary, type] of about) {
    addCommand({
      path: `/api/messages/{id}/${name}`,
      scope: 'answer',
      summary,
      body: schemas.commandHead,
      command: ({ id }) => ({ type, message: asId<MessageId>(id) }),
    })
  }
}

const everyoneBut = (task: TaskRecord, me: AgentId): AgentId[] => task.group.filter((id) => id !== me)
