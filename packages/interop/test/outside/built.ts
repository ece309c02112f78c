/** A place that is a process of its own: the built program with its store on the disk, killed and started again. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fulfilRequest, openPerson, type Person } from '@/e2e/fixtures/person'
import { startServer, type TestServer } from '@/e2e/fixtures/server'
import { callAt, type Place, type Work } from './place'

type TaskState = {
  task_id: string
  task_name: string
  execution_state: string
  requested_by: string | null
  task_group: string[]
  shared_conversation_pool: { message: string; sender_id: string; receiver: string[] }[]
}

export type Built = Place & {
  server: TestServer
  close(): Promise<void>
}

/** in: the peers as YAML; their keys, by the names of their variables */
export async function openBuilt(peers: string, keys: Record<string, string>): Promise<Built> {
  const team = readFileSync('config/examples/journeys.yaml', 'utf8').replace(
    'team:\n',
    'team:\n  domain: ours.example\n',
  )
  const server = await startServer({ config: `${team}\npeers:\n${peers}`, env: keys })
  const ana: Person = await openPerson(server, 'ana')
  const url = (): string => server.url
  const at = (path: string): string => join(server.workspace, path)
  return {
    server,
    url,
    call: (path, init) => callAt(url, path, init),
    async restart() {
      await server.kill()
      await server.start()
    },
    async allowCalls() {
      for (const row of ana.requests()) if (row.request.kind === 'confirm') await fulfilRequest(ana, row)
    },
    read: (path) => (path !== '' && existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null),
    write(path, text) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text)
    },
    works: () => worksOf(ana),
    story: () => server.lines.join('\n'),
    async close() {
      ana.close()
      await server.stop()
    },
  }
}

/** A task that nobody of the team asked for, and that is no conversation: those are between two, and asked for by nobody. */
async function worksOf(person: Person): Promise<Work[]> {
  const tasks = await person.get<Record<string, TaskState>>('/api/states?type=task')
  return Object.values(tasks).flatMap(({ task_id, requested_by, task_name, task_group, ...task }) =>
    requested_by === null
      ? []
      : [
          {
            id: task_id,
            name: task_name,
            state: task.execution_state,
            requestedBy: requested_by,
            group: task_group,
            said: task.shared_conversation_pool
              .filter(({ sender_id }) => sender_id !== 'system:task')
              .map(({ sender_id, receiver, message }) => `${sender_id} ${receiver.join()} ${message}`),
          },
        ],
  )
}
