/** Which of our agents are there, as peers are told on their web sockets. */
import { expect, it, vi } from 'vitest'
import { READER } from '@/test/stories'
import { TEAM, teamConfig } from '@/test/worldHistories'
import { connect, ENVELOPE_PEER, envelope, open, post, SIGNER } from '../../test/adapters/envelope'

it('[R192] 001-7 a connection receives the present agents, then each change once', async () => {
  const system = await open()
  const line = await connect(system)
  await vi.waitFor(() => expect(line.presence).toEqual(['reader 智能体在线', 'manager 智能体在线']), 5_000)
  await system.put(TEAM.ana.id, { type: 'pauseAgent', agent: READER, reason: 'rest' })
  await system.put(TEAM.ana.id, { type: 'pauseAgent', agent: TEAM.analyst.id, reason: 'rest' })
  await system.put(TEAM.ana.id, { type: 'resumeAgent', agent: READER, reason: '' })
  // Nothing of this concerns who is there.
  await post(system, envelope({ message_id: 'm-9' }))
  const { agents } = teamConfig()
  await system.put('system:start', {
    ...teamConfig(),
    agents: agents.filter(({ id }) => id !== READER),
    peers: [ENVELOPE_PEER, SIGNER],
  })
  await vi.waitFor(() => expect(line.presence).toHaveLength(5), 5_000)
  expect(line.presence.slice(2)).toEqual(['reader 智能体离线', 'reader 智能体在线', 'reader 智能体离线'])
  expect(line.came).toEqual([])
  expect(system.messages()).toEqual([])
})

it('[R192] a stop is announced to connected peers, before their connections end', async () => {
  const system = await open()
  const line = await connect(system)
  const closed = new Promise<number>((resolve) => line.socket.once('close', resolve))
  await vi.waitFor(() => expect(line.presence).toHaveLength(2), 5_000)
  await system.adapters.stop()
  expect(await closed).toBe(1001)
  expect(line.presence.slice(2)).toEqual(['reader 智能体离线', 'manager 智能体离线'])
})

it('[R192] a peer receives only agents that it may reach, and one that signs only after it has signed', async () => {
  const system = await open({ peers: [{ ...ENVELOPE_PEER, agents: [READER] }, SIGNER] })
  const [line, unsigned] = [await connect(system), await connect(system, 'key-of-the-one-who-signs')]
  await vi.waitFor(() => expect(line.presence).toEqual(['reader 智能体在线']), 5_000)
  unsigned.say(envelope())
  await vi.waitFor(() => expect(unsigned.came).toHaveLength(1), 5_000)
  expect(unsigned.presence).toEqual([])
})
