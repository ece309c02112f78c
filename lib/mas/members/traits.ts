/** Who can be a member of a task, and in what kinds of members differ: the one table that a new kind needs a row in. */

import type { AgentId } from '../ids'
import type { BudgetKind } from '../limits/budgets'
import type { AgentRecord, World } from '../records'

export type MemberKind = AgentRecord['kind']

/**
 * runsSteps    runs its steps by itself, by a model: it has skills, notes and a share of the limits
 * isAsked      what it is asked is a request, and what it asks by a message too; notices tell it, and it reads on a screen
 * isElsewhere  belongs to another system: it sees only what is addressed to it, and joins no task that it asked for
 * ownCost      the limit of a day for what its own steps cost; askedCost: for the work that it asked for; null: none
 */
export type MemberTraits = {
  runsSteps: boolean
  isAsked: boolean
  isElsewhere: boolean
  ownCost: BudgetKind | null
  askedCost: BudgetKind | null
}

const TRAITS: Readonly<Record<MemberKind, MemberTraits>> = {
  llm: { runsSteps: true, isAsked: false, isElsewhere: false, ownCost: 'agentCost', askedCost: null },
  human: { runsSteps: false, isAsked: true, isElsewhere: false, ownCost: null, askedCost: 'personCost' },
  outside: { runsSteps: false, isAsked: false, isElsewhere: true, ownCost: null, askedCost: null },
}

export const memberTraits = ({ kind }: Pick<AgentRecord, 'kind'>): MemberTraits => TRAITS[kind]

type Agents = Pick<World, 'agents'>
/** `system:task` and unknown ids are no members. */
type MemberId = AgentId | 'system:task'

/** out: null: nobody of that id was ever there */
export function traitsIn({ agents }: Agents, id: MemberId): MemberTraits | null {
  const record = id === 'system:task' ? undefined : agents[id]
  return record === undefined ? null : memberTraits(record)
}

export const runsSteps = (world: Agents, id: MemberId): boolean => traitsIn(world, id)?.runsSteps === true
export const isAsked = (world: Agents, id: MemberId): boolean => traitsIn(world, id)?.isAsked === true
export const isElsewhere = (world: Agents, id: MemberId): boolean => traitsIn(world, id)?.isElsewhere === true
