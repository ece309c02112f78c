/** Agents of other systems have work done by every protocol at once, while the server is killed. */
import { a2aRequester } from '@/packages/interop/test/a2a/requester'
import { type Built, openBuilt } from '@/packages/interop/test/outside/built'
import { envelopeRequester } from '@/packages/interop/test/outside/envelope'
import { harmonyRequester } from '@/packages/interop/test/outside/harmony'
import { type Listener, openListener } from '@/packages/interop/test/outside/listener'
import { mampRequester } from '@/packages/interop/test/outside/mamp'
import { type CheckpointSeen, type Observer, openObserver } from '@/packages/interop/test/outside/map'
import { type Moment, play, type Requester } from '@/packages/interop/test/outside/play'
import { demand, pause, randomOf, type Scenario } from './scenario'

const LONGEST_PAUSE_MS = 1_500
const ROUNDS = { short: 1, all: 4 }
const REQUESTERS = 6
const PLANNER = 'agent://other.example/planner'

export const outside: Scenario = {
  name: 'outside',
  holds:
    'Who asks for work from outside, by whatever protocol, is asked once, gets the report and one end, and every checkpoint is there once, over every kill -9.',
  async run(size, seed) {
    const random = randomOf(seed)
    let [kills, checkpoints] = [0, 0]
    for (let round = 0; round < ROUNDS[size]; round += 1) {
      const listeners = [await openListener(received), await openListener(() => ({ status: 200 }))] as const
      const place = await openBuilt(peersOf(listeners[0].url, listeners[1].url), KEYS)
      const requesters = await requestersOf(place, ...listeners)
      try {
        const observer = openObserver(place, KEYS.MAMP_KEY)
        let seen: CheckpointSeen[] = []
        const kill = async (): Promise<true> => {
          await place.restart()
          kills += 1
          seen = await compare(observer, seen)
          return true
        }
        await play(place, requesters, async (moment, count) => {
          if (size === 'all') await pause(random() * LONGEST_PAUSE_MS)
          return size === 'all' || isKilledAt(moment, count, requesters.length) ? kill() : false
        })
        checkpoints += await checkCheckpoints(place, observer, seen)
      } catch (error) {
        throw new Error(`round ${round + 1}, seed ${seed}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        })
      } finally {
        for (const one of requesters) one.close()
        await place.close()
        for (const one of listeners) one.close()
      }
    }
    const all = REQUESTERS * ROUNDS[size]
    return { requesters: all, kills, questions: all, ends: all, checkpoints }
  },
}

/** In the short form: when all six have asked, and when the first has answered; each of them waits through both. */
const isKilledAt = (moment: Moment, count: number, of: number): boolean =>
  (moment === 'asked for work' && count === of) || (moment === 'answered' && count === 1)

const KEYS = {
  MAMP_KEY: 'mamp-key-0123456789abcdef',
  HTTP_KEY: 'http-key-0123456789abcdef',
  SOCKET_KEY: 'socket-key-0123456789abcdef',
  HARMONY_KEY: 'harmony-key-0123456789abcdef',
  A2A_KEY: 'a2a-key-0123456789abcdef',
}

/** The one that speaks MAMP reads the checkpoints as well, of all who work. */
const peersOf = (mamp: string, http: string): string => `  - uri: agent://other.example/*
    base_url: ${mamp}
    key_env: MAMP_KEY
    may: [mamp, map]
    agents: [manager, coder, tester, sketcher]
    allow_private: true
  - uri: agent://http.example/*
    base_url: ${http}
    key_env: HTTP_KEY
    may: [envelope]
    actions: [start_task]
    agents: [manager]
    allow_private: true
  - uri: agent://socket.example/*
    base_url: http://127.0.0.1:9
    key_env: SOCKET_KEY
    may: [envelope]
    actions: [start_task, get_status]
    agents: [manager]
  - uri: agent://harmony.example/*
    base_url: http://127.0.0.1:9
    key_env: HARMONY_KEY
    may: [harmony]
    agents: [manager]
  - uri: agent://a2a.example/*
    base_url: http://127.0.0.1:9
    key_env: A2A_KEY
    may: [a2a]
    agents: [manager]
`

const requestersOf = async (place: Built, mamp: Listener, http: Listener): Promise<Requester[]> => [
  mampRequester(place, { key: KEYS.MAMP_KEY, uri: PLANNER, listener: mamp, folder: 'mamp' }),
  envelopeRequester(place, { key: KEYS.HTTP_KEY, listener: http, folder: 'http' }),
  envelopeRequester(place, { key: KEYS.SOCKET_KEY, listener: null, folder: 'socket' }),
  harmonyRequester(place, { key: KEYS.HARMONY_KEY, by: 'handoff', folder: 'handoff' }),
  harmonyRequester(place, { key: KEYS.HARMONY_KEY, by: 'import', folder: 'import' }),
  await a2aRequester(place, { key: KEYS.A2A_KEY, folder: 'a2a', binding: 'HTTP+JSON' }),
]

/** A delivery as MAMP has it. */
const received: Parameters<typeof openListener>[0] = ({ body }) => ({
  status: 200,
  body: { conversation_id: 'conv-theirs', message_id: JSON.parse(body).message_id, status: 'received' },
})

/** What was listed before is listed still, each once. out: the list as it is now */
async function compare(observer: Observer, before: readonly CheckpointSeen[]): Promise<CheckpointSeen[]> {
  const now = await observer.list()
  const ids = new Set(now.map(({ id }) => id))
  const lost = before.filter(({ id }) => !ids.has(id))
  demand(lost.length === 0, `checkpoints lost: ${JSON.stringify(lost)}`)
  const places = now.map(({ agent, task, stage }) => `${agent}, ${task}, ${stage}`)
  const twice = places.filter((one, at) => places.indexOf(one) !== at)
  demand(ids.size === now.length && twice.length === 0, `checkpoints twice: ${JSON.stringify(twice)}`)
  return now
}

/** One of each finished stage and one of the task, for each piece of work. out: how many there are */
async function checkCheckpoints(place: Built, observer: Observer, before: readonly CheckpointSeen[]): Promise<number> {
  const all = await compare(observer, before)
  for (const { id: work, name } of await place.works()) {
    const own = all.filter(({ task }) => task === work)
    const stages = own.map(({ stage }) => stage).sort()
    demand(stages.join() === '0,1,2', `checkpoints of ${name}: ${JSON.stringify(own)}`)
    demand(
      own.every(({ tokens }) => tokens > 0),
      `no tokens: ${JSON.stringify(own)}`,
    )
    const wrote = own.filter(({ filesTouched }) => filesTouched.some((path) => path.endsWith('report.md')))
    demand(
      wrote.some(({ stage }) => stage === 2),
      `no report touched: ${JSON.stringify(own)}`,
    )
    for (const { id, stage } of own) {
      const steps = stage === 0 ? ['none is kept'] : await observer.transcript(id)
      demand(steps.includes(stage === 0 ? 'none is kept' : 'planning'), `the transcript of ${id}: ${steps.join()}`)
    }
  }
  return all.length
}
