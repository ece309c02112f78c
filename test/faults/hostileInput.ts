/** Input that no program of ours would send, over HTTP, the sockets and the protocol adapters, from strangers, a participant and a peer. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ACTION } from '@/packages/interop/test/adapterCalls'
import { startServer, type TestServer } from '../../e2e/fixtures/server'
import { LONGEST_BLOCK_MS } from '../loopBlocks'
import { adapterRequest, apiRequest, overHttp, PEER_KEY, pathsOf } from './hostileHttp'
import { overAdapterSockets, overPages } from './hostileSockets'
import { demand, randomOf, type Scenario, until } from './scenario'

/** Inputs of each way, with limits on and once more with limits off. */
const COUNTS = {
  short: { http: 3_000, adapters: 800, adapterSockets: 400, pages: 800 },
  all: { http: 300_000, adapters: 40_000, adapterSockets: 20_000, pages: 40_000 },
}
const PEERS = `  - uri: agent://south.example/*
    base_url: http://127.0.0.1:9
    key_env: SOUTH_KEY
    may: [mamp, envelope, harmony, map]
    actions: ['*']
    agents: [manager, coder]
    allow_private: true
actions:
  ${ACTION}:
    agent: coder
    asks: What does {item} cost?
    parameters: { properties: { item: { type: string } } }
`

export const hostileInput: Scenario = {
  name: 'hostile-input',
  holds:
    'No input from outside ends the server or gets a 500; none blocks the event loop for more than 200 ms of its own CPU time (judged in the long form).',
  async run(size, seed) {
    const figures: Record<string, number | string> = {}
    for (const limits of ['on', 'off'] as const) {
      const blocks = join(tmpdir(), `convene-blocks-${process.pid}-${limits}`)
      rmSync(blocks, { force: true })
      const server = await startServer({
        peers: PEERS,
        env: {
          SOUTH_KEY: PEER_KEY,
          NODE_OPTIONS: `--require ${resolve('test/faults/loopBlocks.cjs')}`,
          CONVENE_LOOP_BLOCKS: blocks,
          ...(limits === 'off' ? { CONVENE_BENCH: '1' } : {}),
        },
      })
      try {
        const random = randomOf(seed + (limits === 'off' ? 1 : 0))
        const cookie = await server.signIn('ben')
        const paths = await pathsOf(server, await server.signIn('ana'))
        const [domain, ids] = [await domainOf(server), await tasksOf(server, cookie)]
        await forgetBlocks(server, blocks)
        const { http, adapters, adapterSockets, pages } = COUNTS[size]
        const answers = new Map<number, number>()
        await overHttp(server, http, answers, () => apiRequest(random, paths, cookie))
        await overHttp(server, adapters, answers, (isLast) => adapterRequest(random, domain, isLast))
        await overAdapterSockets(server, adapterSockets, { random, domain })
        await overPages(server, pages, { random, cookie, ids })
        demand(server.exitCode() === null, `the server ended with ${server.exitCode()}, limits ${limits}, seed ${seed}`)
        const health = await fetch(`${server.url}/api/health`)
        demand(health.status === 200, `health answers ${health.status}`)
        const faults = [...answers].filter(([status]) => status >= 500 && status !== 503)
        demand(faults.length === 0, `answers of 5xx: ${JSON.stringify(faults)}, limits ${limits}, seed ${seed}`)
        const log = readFileSync(join(server.dataFolder, 'convene.log'), 'utf8')
        const broken = log.split('\n').filter((line) => /uncaught|unhandled/i.test(line))
        demand(broken.length === 0, `in the log: ${broken[0]}`)
        const blockMs = existsSync(blocks) ? Number(readFileSync(blocks, 'utf8')) : 0
        // The short form is a part of `npm test`, where nothing is judged by time.
        demand(
          size === 'short' || blockMs <= LONGEST_BLOCK_MS,
          `the loop was blocked for ${blockMs} ms of CPU time, limits ${limits}, seed ${seed}`,
        )
        figures[`inputs, limits ${limits}`] = http + adapters + adapterSockets + pages
        figures[`answers by status, limits ${limits}`] = [...answers]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', ')
        figures[`longest block, ms of CPU, limits ${limits}`] = blockMs
      } finally {
        await server.stop()
        rmSync(blocks, { force: true })
      }
    }
    return figures
  },
}

/** What starting took does not count. */
async function forgetBlocks(server: TestServer, file: string): Promise<void> {
  const pid = server.pid()
  if (pid === null) throw new Error('no process')
  process.kill(pid, 'SIGUSR2')
  await until(
    'the start is forgotten',
    () => existsSync(file) && Number(readFileSync(file, 'utf8')) < LONGEST_BLOCK_MS,
    5_000,
  )
}

async function domainOf(server: TestServer): Promise<string> {
  const card = await (await fetch(`${server.url}/mamp/v1/card`)).text()
  const [, domain] = /agent:\/\/([^/"]+)\//.exec(card) ?? []
  if (domain === undefined) throw new Error(`the card names no agent: ${card}`)
  return domain
}

/** The ids of tasks that the participant reads. */
async function tasksOf(server: TestServer, cookie: string): Promise<string[]> {
  const answer = await fetch(`${server.url}/api/states?type=task`, { headers: { cookie } })
  const tasks: Record<string, { task_id: string }> = await answer.json()
  return Object.values(tasks).map(({ task_id }) => task_id)
}
