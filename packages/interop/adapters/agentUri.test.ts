/** Agents by URI: which of ours a peer may address. */
import { expect, it } from 'vitest'
import type { World } from '@/lib/mas/records'
import { must } from '@/test/stories'
import { TEAM, teamConfig } from '@/test/worldHistories'
import { openSystem, PEER } from '../test/adapterSystem'
import { hostOf, ourAgent, reachableAgent, reachableAgents } from './agentUri'

const US = { domain: 'ours.example' }

it('an agent that left the team, and one of another system, is none of ours', async () => {
  const system = await openSystem()
  const find = (name: string) => ourAgent(system.world(), US, `agent://ours.example/${name}`)?.id ?? null
  expect([find('reader'), find(TEAM.reader.id)]).toEqual([TEAM.reader.id, TEAM.reader.id])
  expect(ourAgent(system.world(), US, 'agent://other.example/reader')).toBeNull()
  const agents = teamConfig().agents.filter(({ id }) => id !== TEAM.reader.id)
  await system.put('system:start', { ...teamConfig(), agents, peers: [PEER] })
  expect([find('reader'), find(TEAM.reader.id)]).toEqual([null, null])
  const peer = must(system.world().peers[PEER.id], 'peer')
  expect(reachableAgent(system.world(), US, peer, 'reader')).toBeNull()
  expect(reachableAgents(system.world(), peer).map(({ id }) => id)).toEqual([TEAM.manager.id])
})

it('a peer without a list reaches the manager of the base task, and nobody where there is none', async () => {
  const world = (await openSystem()).world()
  const peer = must(Object.values(world.peers)[0], 'peer')
  const reached = (of: World) => reachableAgents(of, { ...peer, agents: [] }).map(({ id }) => id)
  expect(reached(world)).toEqual([must(hostOf(world), 'host').id])
  expect(reached({ ...world, baseTask: null })).toEqual([])
  expect(reached({ ...world, agents: {} })).toEqual([])
})
