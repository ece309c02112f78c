/** Plain HTTP against a test server, for input that the pages never send. */
import { randomUUID } from 'node:crypto'
import type { PersonName, TestServer } from '../fixtures/server'

export type Refusal = {
  error: string
  message: string
  status_code: number
  success?: false
  details?: Record<string, unknown>
}
export type Reply<Body> = { status: number; body: Body }

export type Caller = {
  post<Body = Refusal>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<Body>>
  get<Body = Refusal>(path: string): Promise<Reply<Body>>
}

/** Calls with the session of this person; null: without one. A string body is sent unchanged. */
export async function callerOf(server: TestServer, name: PersonName | null): Promise<Caller> {
  const cookie: Record<string, string> = name === null ? {} : { cookie: await server.signIn(name) }
  async function send<Body>(path: string, init: RequestInit): Promise<Reply<Body>> {
    const answer = await fetch(`${server.url}${path}`, init)
    const body: Body = await answer.json()
    return { status: answer.status, body }
  }
  return {
    post: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...cookie, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path) => send(path, { headers: cookie }),
  }
}

/** The head of a command: a new id, and a minute. */
export const newCommandHead = (): { id: string; until: number } => ({ id: randomUUID(), until: Date.now() + 60_000 })

export type TaskState = {
  task_id: string
  task_name: string
  execution_state: string
  task_summary: string | null
  task_group: string[]
  stage_list: string[]
  shared_conversation_pool: { message_id: string; message: string; sender_id: string; receiver: string[] }[]
}

/** All tasks that the caller may read, oldest first. */
export async function tasksOf(caller: Caller): Promise<TaskState[]> {
  return Object.values((await caller.get<Record<string, TaskState>>('/api/states?type=task')).body)
}

export const isBase = (task: TaskState): boolean => task.task_name === 'MAS base task'
