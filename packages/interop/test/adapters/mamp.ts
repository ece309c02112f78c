/** Another MAMP system on a port, and what tests of the adapter wait for. */
import { expect, onTestFinished } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { MampMessage } from '../../protocols/mamp/message'
import type { System } from '../adapterSystem'
import { openListener, type Sent } from '../outside/listener'

export type Got = Sent & { message: MampMessage }
/** Another system that only takes what is sent to it. */
export async function listener(
  answer: (got: Got, count: number) => { status: number; body?: unknown } = () => ({ status: 200 }),
) {
  const other = await openListener((sent, count) => {
    const got = gotFrom(sent)
    const received = { conversation_id: 'conv-theirs', message_id: got.message.message_id, status: 'received' }
    return { body: received, ...answer(got, count) }
  })
  onTestFinished(other.close)
  return {
    ...other,
    get got(): Got[] {
      return other.got.map(gotFrom)
    },
    until: async (count: number): Promise<Got[]> => (await other.until(count)).map(gotFrom),
  }
}

const gotFrom = ({ body, headers }: Sent): Got => ({ message: JSON.parse(body), headers, body })

export const answered = (system: System) => system.until((world) => system.messages().length >= 2 && isIdle(world.work))
export const isIdle = (work: Record<AgentId, { todo: unknown[]; running: unknown }>): boolean =>
  Object.values<{ todo: unknown[]; running: unknown }>(work).every(
    (one) => one.todo.length === 0 && one.running === null,
  )
export const unchanged = async (
  system: System,
  act: () => Promise<{ status: number; json: Record<string, unknown> }>,
) => {
  const [messages, conversations] = [system.messages().length, system.conversations().length]
  const answer = await act()
  expect([system.messages().length, system.conversations().length]).toEqual([messages, conversations])
  expect(answer.json).toEqual({
    error: answer.json.error,
    message: expect.stringMatching(/\S/),
    status_code: answer.status,
  })
  return answer
}
