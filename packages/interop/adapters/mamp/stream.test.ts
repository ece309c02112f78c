/** The answer as an event stream: what is written while the sender waits, and for how long. */
import { expect, it, vi } from 'vitest'
import { handClock } from '@/test/handClock'
import { KEY, mampMessage, openSystem, untilRetryPause } from '../../test/adapterSystem'

const BEAT_MS = 15_000
const LONGEST_MS = 600_000
const BEAT = ': beat\n\n'

const untilAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))

/** A message whose answer does not come, with all that its stream has said. */
async function waiting() {
  const clock = handClock()
  const system = await openSystem({ clock, skill: (_step, { signal }) => untilAborted(signal) })
  const leave = new AbortController()
  const answer = await fetch(`${system.url}/mamp/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, accept: 'text/event-stream' },
    body: JSON.stringify(mampMessage()),
    signal: leave.signal,
  })
  let heard = ''
  let isOver = false
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const piece of answer.body ?? []) heard += decoder.decode(piece)
  })()
  void reading
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  await vi.waitFor(() => expect(heard).toContain('event: received'))
  const beats = () => heard.split(BEAT).length - 1
  return { clock, beats, heard: () => heard, isOver: () => isOver, leave: () => leave.abort() }
}

it('M-29 a stream on which nothing else happens beats every 15 s', async () => {
  const { clock, beats, isOver } = await waiting()
  for (const count of [1, 2, 3]) {
    clock.pass(BEAT_MS)
    await vi.waitFor(() => expect(beats()).toBe(count))
  }
  expect(isOver()).toBe(false)
})

it('M-29 a stream ends after ten minutes, not before: the answer goes to the sender’s own address', async () => {
  const { clock, beats, heard, isOver } = await waiting()
  clock.pass(LONGEST_MS - 1)
  await vi.waitFor(() => expect(beats()).toBe(39))
  expect(heard()).not.toContain('event: end')
  clock.pass(1)
  await vi.waitFor(() => expect(isOver()).toBe(true))
  expect(heard()).toMatch(/event: end\ndata: .*"reason":"later"/)
  expect(beats()).toBe(39)
})

it('[R198] M-29 an answer that waits for a connection comes on the next stream of its conversation', async () => {
  const system = await openSystem()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` }
  const post = (message: object, more = {}) =>
    fetch(`${system.url}/mamp/v1/messages`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(mampMessage(message)),
    })
  const first: { conversation_id: string } = await (await post({})).json()
  await untilRetryPause(system)
  const next = { message_id: 'msg-2', conversation_id: first.conversation_id }
  const stream = await post(next, { accept: 'text/event-stream' })
  expect((await stream.text()).match(/event: message\n/g)).toHaveLength(2)
})

it('M-29 a stream that its reader has left sets no further timer', async () => {
  const { clock, leave } = await waiting()
  const open = clock.waiting()
  leave()
  await vi.waitFor(() => expect(clock.waiting()).toBe(open - 2))
})
