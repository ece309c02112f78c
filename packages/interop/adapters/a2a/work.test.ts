/** A requester that speaks A2A has work done by true agents, is asked which price holds, and gets the report, while the place restarts. */
import { expect, it } from 'vitest'
import { A2A_PEER, expectState } from '../../test/a2a/a2aPeer'
import { a2aRequester } from '../../test/a2a/requester'
import { type InProcess, openInProcess } from '../../test/outside/inProcess'
import { play, restartTwice } from '../../test/outside/play'

const KEY = 'key-of-the-company-north'
const SECRETS = [{ id: A2A_PEER.id, key: KEY, sendKey: null, signingKey: null }]

async function openPlace(): Promise<InProcess> {
  const place: InProcess = await openInProcess(
    { may: ['a2a'] },
    {
      secrets: SECRETS,
      ourselves: {
        get address() {
          return place.url()
        },
      },
    },
  )
  return place
}

it('[R861] each asks for work, is asked what only it knows, answers twice and is taken once, and gets the report as a file, over two restarts', async () => {
  const place = await openPlace()
  const requesters = [
    await a2aRequester(place, { key: KEY, folder: 'north', binding: 'JSONRPC', sendsLists: true }),
    await a2aRequester(place, { key: KEY, folder: 'south', binding: 'HTTP+JSON' }),
  ]
  await play(place, requesters, restartTwice(place))
  for (const one of requesters) {
    const task = await one.task()
    expectState(task, 'TASK_STATE_COMPLETED')
    expect(task.artifacts.map(({ name }) => name)).toContain('result')
  }
}, 60_000)
