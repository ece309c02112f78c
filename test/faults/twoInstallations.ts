/** Two installations of the example configurations: an agent of one has work done by the other, while each is killed once. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { LISTS, wishFor } from '@/packages/interop/test/outside/place'
import { fulfilRequest, openPerson, type Person } from '../../e2e/fixtures/person'
import { type PersonName, startServer, type TestServer } from '../../e2e/fixtures/server'
import { baseTaskOf } from './kills'
import { demand, type Scenario, until } from './scenario'

const KEYS = {
  NORTH_FROM_SOUTH: 'north-from-south-0123456789',
  SOUTH_FROM_NORTH: 'south-from-north-0123456789',
  NORTH_SOUTH_SIGNING: 'signing-0123456789abcdef',
}
const FOLDER = 'stock'
const ANSWER = '3.50'
const WITHIN_MS = 120_000

export const twoInstallations: Scenario = {
  name: 'two-installations',
  holds:
    'An agent of one installation has two files compared by the other, is asked once, and brings text, file and the end, over a kill -9 of each.',
  async run() {
    const [northPort, southPort] = await freePorts()
    const start = (name: 'north' | 'south', port: number): Promise<TestServer> =>
      startServer({ config: teamOf(name, northPort, southPort), env: { ...KEYS, PORT: String(port) } })
    const north = await start('north', northPort)
    const south = await start('south', southPort)
    const people: Person[] = []
    try {
      const nora = await openPerson(north, 'nora')
      const sam = await openPerson(south, 'sam')
      people.push(nora, sam)
      mkdirSync(join(south.workspace, FOLDER), { recursive: true })
      for (const [name, text] of Object.entries(LISTS)) writeFileSync(join(south.workspace, FOLDER, name), text)
      const asked = await nora.post('/api/messages', {
        task: await baseTaskOf(nora),
        receivers: ['manager'],
        type: 'action',
        stage: null,
        answers: null,
        replyTo: null,
        mention: false,
        text: `Let agent://south.example/manager ${wishFor(FOLDER).replace('Compare', 'compare')}`,
      })
      demand(asked.status === 200, `the request: ${JSON.stringify(asked)}`)

      const questions = new Set<string>()
      const open = () => nora.requests().filter(({ request }) => request.kind === 'answer' && request.choices !== null)
      await until('North is asked which price is correct', () => open().length > 0, WITHIN_MS)
      await kill(north)
      const [question] = open()
      demand(question?.request.question.includes('apple: 3.20') === true, JSON.stringify(question))
      for (const { request } of open()) questions.add(request.id)
      const answered = await nora.post(`/api/requests/${question?.request.id}/answer`, {
        decision: 'answer',
        text: ANSWER,
        arguments: null,
        digest: null,
      })
      demand(answered.status === 200, `the answer: ${JSON.stringify(answered)}`)
      await kill(south)

      await until(
        'the work ends at North',
        async () => {
          for (const row of sam.requests()) if (row.request.kind === 'confirm') await fulfilRequest(sam, row)
          for (const { request } of open()) questions.add(request.id)
          return (await worksOf(nora)).some(({ execution_state }) => /^(finished|failed)$/.test(execution_state))
        },
        WITHIN_MS,
      )
      const [atNorth, atSouth] = [await worksOf(nora), await worksOf(sam)]
      demand(atNorth.length === 1 && atSouth.length === 1, `work: ${JSON.stringify([atNorth, atSouth])}`)
      demand(questions.size === 1, `questions: ${questions.size}`)
      for (const { task_name, execution_state, shared_conversation_pool } of [...atNorth, ...atSouth]) {
        demand(execution_state === 'finished', `${task_name} ${execution_state}`)
        const said = shared_conversation_pool
          .filter(({ sender_id }) => sender_id !== 'system:task')
          .map(({ sender_id, receiver, message }) => `${sender_id} ${receiver.join()} ${message}`)
        const twice = said.filter((line, at) => said.indexOf(line) !== at)
        demand(twice.length === 0, `said twice: ${twice[0]}`)
      }
      checkResult(north, south, atNorth[0]?.shared_conversation_pool ?? [])
      return {
        kills: 2,
        questions: questions.size,
        'messages at North': atNorth[0]?.shared_conversation_pool.length ?? 0,
      }
    } catch (error) {
      const lines = [north, south].map((one) => one.lines.slice(-20).join('\n')).join('\n---\n')
      throw new Error(`${error instanceof Error ? error.message : error}\n${lines}`, { cause: error })
    } finally {
      for (const person of people) person.close()
      await Promise.all([north.stop(), south.stop()])
    }
  },
}

async function kill(server: TestServer): Promise<void> {
  await server.kill()
  await server.start()
}

/** What the person was told, with the file as the other side wrote it. */
function checkResult(north: TestServer, south: TestServer, pool: TaskState['shared_conversation_pool']): void {
  const report = readFileSync(join(south.workspace, FOLDER, 'report.md'), 'utf8')
  demand(report.includes(ANSWER), `the report: ${report}`)
  const saved = pool.flatMap(({ message }) => /Saved here: (\S+report\.md)/.exec(message)?.[1] ?? [])[0]
  demand(saved !== undefined, `no file was told: ${JSON.stringify(pool)}`)
  const file = join(north.workspace, saved ?? '')
  demand(existsSync(file) && readFileSync(file, 'utf8') === report, `${saved} is not the report`)
}

type TaskState = {
  task_name: string
  execution_state: string
  requested_by: string | null
  shared_conversation_pool: { message: string; sender_id: string; receiver: string[] }[]
}

/** The tasks that somebody asked for. */
const worksOf = async (person: Person): Promise<TaskState[]> =>
  Object.values(await person.get<Record<string, TaskState>>('/api/states?type=task')).filter(
    ({ requested_by }) => requested_by !== null,
  )

const PEOPLE = { north: 'nora', south: 'sam' } satisfies Record<string, PersonName>

/** The example as it is, at these ports, with a password for its person. */
function teamOf(name: 'north' | 'south', northPort: number, southPort: number): string {
  const id = PEOPLE[name]
  return readFileSync(`config/examples/${name}.yaml`, 'utf8')
    .replace(`- id: ${id}\n`, `- id: ${id}\n    password_env: ${id.toUpperCase()}_PASSWORD\n`)
    .replace('127.0.0.1:3001', `127.0.0.1:${northPort}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${southPort}`)
}

/** Two ports that nobody has: each installation needs the other's address before it starts. */
async function freePorts(): Promise<[number, number]> {
  const open = async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const servers = [await open(), await open()] as const
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  return [ports[0] ?? 0, ports[1] ?? 0]
}
