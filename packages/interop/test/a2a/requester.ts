/** A requester that speaks A2A, by the SDK's client: it asks, gets its task, and answers what it is asked. */
import { Role, type Task, TaskState } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { Place } from '../outside/place'
import { LISTS, wishFor } from '../outside/place'
import type { Heard, Requester } from '../outside/play'
import { type BindingName, clientOf, send, textOf, userMessage } from './a2aPeer'

const STATUS: Partial<Record<TaskState, string>> = {
  [TaskState.TASK_STATE_SUBMITTED]: 'working',
  [TaskState.TASK_STATE_WORKING]: 'working',
  [TaskState.TASK_STATE_INPUT_REQUIRED]: 'input_required',
  [TaskState.TASK_STATE_COMPLETED]: 'finished',
  [TaskState.TASK_STATE_FAILED]: 'failed',
}

type Options = { key: string; folder: string; binding: BindingName; sendsLists?: boolean }

export type A2aRequester = Requester & { task(): Promise<Task> }

export async function a2aRequester(
  place: Pick<Place, 'url'>,
  { key, folder, binding, sendsLists = false }: Options,
): Promise<A2aRequester> {
  const connect = (): Promise<Client> =>
    clientOf(`${place.url()}/`, { binding, headers: { authorization: `Bearer ${key}` } })
  let client = await connect()
  let id = ''
  const files = Object.entries(LISTS).map(([filename, text]) => ({
    ...{ content: { $case: 'raw' as const, value: Buffer.from(text) }, filename, mediaType: 'text/csv' },
    metadata: undefined,
  }))
  const heard: Heard[] = []
  /** All that its task has said so far: each message once, in order. */
  async function look(): Promise<Task> {
    const task = await client.getTask({ tenant: '', id })
    const status = STATUS[task.status?.state ?? 0] ?? null
    const said = task.history.filter(({ role }) => role === Role.ROLE_AGENT)
    const isOver = status === 'finished' || status === 'failed'
    for (const [index, message] of said.entries()) {
      if (heard.some((one) => one.id === message.messageId)) continue
      const isLast = index === said.length - 1
      const own = isLast && isOver ? task.artifacts.filter(({ artifactId }) => artifactId !== 'result') : []
      heard.push({
        id: message.messageId,
        status: message.messageId === task.status?.message?.messageId ? status : 'working',
        text: textOf(message),
        from: '',
        about: folder,
        files: own.map(({ name, parts: [part] }) => ({
          name,
          text: part?.content?.$case === 'raw' ? part.content.value.toString() : '',
        })),
      })
    }
    return task
  }
  return {
    name: 'A2A',
    folder,
    request: folder,
    async ask() {
      const message = userMessage(sendsLists ? 'Compare these lists and write a report' : wishFor(folder))
      const parts = sendsLists ? [...message.parts, ...files] : message.parts
      id = (await send(client, { ...message, parts }, { returnImmediately: true })).id
    },
    async heard() {
      await look()
      return heard
    },
    async answer(_, text) {
      const message = userMessage(text, { taskId: id, messageId: `${folder}-answer` })
      await send(client, message, { returnImmediately: true })
      // Asked twice, answered once.
      await send(client, message, { returnImmediately: true })
    },
    async reach() {
      client = await connect()
    },
    close: () => {},
    task: look,
  }
}
