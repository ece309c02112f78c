/** Agents and people: their records and memory. */

import { withLeft } from '../archive/leaving'
import type { AgentId } from '../ids'
import type { AgentRecord, World } from '../records'
import { RECORD_IDS } from '../records/recordIds'
import { changed, changedOr, changedRecord, withKey } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import { withToolRule } from '../steps/toolRules'
import { EMPTY_WORK } from '../steps/work'

const changeAgent = (world: World, agent: AgentId, change: (old: AgentRecord) => AgentRecord): World => ({
  ...world,
  agents: changedRecord(world.agents, agent, world.seq, change),
})

export const agentReducers = {
  'agent.created': (world, { agent, config, runtime }, { at }) => ({
    ...world,
    agents: withKey(world.agents, agent, {
      ...config,
      configId: runtime ? null : config.configId,
      paused: null,
      removed: false,
      createdAt: at,
      changedAt: world.seq,
    }),
    work: changedOr(world.work, agent, EMPTY_WORK, (old) => old),
  }),
  'agent.changed': (world, { agent, config }) =>
    // Limits that were removed from the configuration are not kept.
    changeAgent(world, agent, ({ limits: _, ...old }) => ({
      ...old,
      ...config,
      configId: old.configId,
      removed: false,
    })),
  'agent.paused': (world, { agent, by, reason }, { at }) =>
    changeAgent(world, agent, (old) => ({ ...old, paused: { by, reason, at } })),
  'agent.resumed': (world, { agent }) => changeAgent(world, agent, (old) => ({ ...old, paused: null })),
  'agent.toolRuled': (world, { agent, ...ruled }, { at }) =>
    changeAgent(world, agent, (old) => ({ ...old, toolRules: withToolRule(old.toolRules, ruled, at) })),
  // Who comes back begins without rules.
  'agent.removed': (world, { agent }) =>
    changeAgent(world, agent, ({ toolRules: _, ...old }) => ({ ...old, removed: true })),
  'human.accessChanged': (world, { agent, access }) => changeAgent(world, agent, (old) => ({ ...old, access })),

  'memory.added': (world, { agent, note }, { at }) => ({
    ...world,
    memory: changedOr(world.memory, agent, [], (notes) => [...notes, { ...note, at, seq: world.seq }]),
  }),
  'memory.removed': (world, { agent, key }) => ({
    ...world,
    left: withLeft(world.left, agent, [RECORD_IDS.note(agent, key)], world.seq),
    memory: changed(world.memory, agent, (notes) => notes.filter((note) => note.key !== key)),
  }),
  'operator.acted': (world) => world,
} satisfies Reducers
