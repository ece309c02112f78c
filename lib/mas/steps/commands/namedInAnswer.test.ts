/** Whom a refusal names: those who could be meant, so many as help to choose from. */
import { expect, it } from 'vitest'
import { Story, TEAM, teamConfig } from '@/test/worldHistories'
import { DecisionContext } from '../../commands/decisionContext'
import { type AgentId, asId } from '../../ids'
import { sayAgents } from './namedInAnswer'

it.each([
  [30, false],
  [31, true],
])('of %i agents the first thirty are named, and that there are more: %s', (count, isMore) => {
  const story = new Story()
  const file = teamConfig()
  const more = Array.from({ length: count }, (_, n) => ({
    ...TEAM.reader,
    id: asId<AgentId>(`00000000-0000-4000-8000-${2_000_000 + n}`.padEnd(36, '0')),
    configId: `extra-${n}`,
    name: `Extra ${n}`,
  }))
  story.put('system:start', { ...file, agents: [...file.agents, ...more] })
  const envelope = { id: 'a-try', by: 'system:test', command: file }
  const said = sayAgents(
    new DecisionContext(story.world, envelope, story.world.at),
    more.map(({ id }) => id),
  )
  expect(said.match(/Extra \d+/g)).toHaveLength(30)
  expect(said.includes('…')).toBe(isMore)
})

it('who left the team is not named', () => {
  const story = new Story()
  const file = teamConfig()
  story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => id !== TEAM.analyst.id) })
  const envelope = { id: 'a-try', by: 'system:test', command: file }
  const said = sayAgents(new DecisionContext(story.world, envelope, story.world.at), null)
  expect([said.includes('Reader'), said.includes('Analyst')]).toEqual([true, false])
})
