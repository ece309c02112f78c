/** Messages and receipts of the console. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { Command } from '@/lib/mas/commands/command'
import { type AgentId, asId, type MessageId, type RequestId } from '@/lib/mas/ids'
import type { TaskRecord } from '@/lib/mas/records'
import type { CommandAnswer } from '@/lib/wire'
import { assertText, commitAs, needsOf } from '../commands'
import { resolveReceivers, resolveStageId, resolveTaskId } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'
import { attachmentsOf } from './attachments'

export function addMessageRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, store } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/messages',
    access: 'person',
    says: 'Send a message; it names the request that it answers, or none.',
    body: shapes.postMessage,
    answers: shapes.commandAnswer,
    async handle({ caller, body }): Promise<CommandAnswer> {
      const world = engine.world()
      const me = caller.person.id
      const task = resolveTaskId(world, body.task, caller.person)
      // A file alone says enough.
      if (body.attachments.length === 0) assertText(body.text)
      const receivers = body.receivers === 'all' ? everyoneBut(task, me) : resolveReceivers(world, body.receivers)
      if (receivers.length === 0) throw new Fault('NO_RECEIVERS')
      return commitAs(engine, me, body, {
        type: 'sendMessage',
        task: task.id,
        sender: me,
        receivers,
        text: body.text,
        stage: resolveStageId(world, task.id, body.stage),
        ...needsOf(body.type),
        answers: body.answers === null ? null : asId<RequestId>(body.answers),
        replyTo: body.replyTo === null ? null : asId<MessageId>(body.replyTo),
        attachments: await attachmentsOf(store, me, body.attachments),
        mention: body.mention,
        due: body.due,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/receipts',
    access: 'person',
    says: 'These messages were on my screen.',
    body: shapes.postReceipts,
    answers: shapes.commandAnswer,
    async handle({ caller, body }): Promise<CommandAnswer> {
      const messages = body.shown.map((id) => asId<MessageId>(id))
      return commitAs(engine, caller.person.id, body, { type: 'markShown', messages })
    },
  })

  const about: [path: string, says: string, command: (message: MessageId) => Command][] = [
    ['acknowledge', 'I have seen this urgent message.', (message) => ({ type: 'acknowledge', message })],
    ['done', 'I have done what this message asks.', (message) => ({ type: 'markDone', message })],
    ['undo', 'Take back acknowledging or done, within five minutes.', (message) => ({ type: 'undoReceipt', message })],
  ]
  for (const [name, says, command] of about) {
    addRoute(app, gateway, {
      method: 'post',
      path: `/api/messages/{id}/${name}`,
      access: 'person',
      says,
      params: shapes.idParams,
      body: shapes.commandHead,
      answers: shapes.commandAnswer,
      async handle({ caller, params, body }): Promise<CommandAnswer> {
        return commitAs(engine, caller.person.id, body, command(asId<MessageId>(params.id)))
      },
    })
  }
}

const everyoneBut = (task: TaskRecord, me: AgentId): AgentId[] => task.group.filter((id) => id !== me)
