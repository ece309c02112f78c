/** The members of a world by kind, and what follows from that. */
import type { AgentId } from '../ids'
import type { AgentRecord, StepRecord, World } from '../records'
import { agentMember } from './agent'
import type { Member } from './member'
import { outsideMember } from './outside'
import { personMember } from './person'
import type { MemberKind } from './traits'

const MEMBERS: Readonly<Record<MemberKind, Member>> = { llm: agentMember, human: personMember, outside: outsideMember }

export const memberOf = ({ kind }: Pick<AgentRecord, 'kind'>): Member => MEMBERS[kind]

/** The step that the agent would run now; null when it has none, runs one, is paused or gone. */
export function selectNextStep(world: World, agent: AgentId): StepRecord | null {
  const record = world.agents[agent]
  const work = world.work[agent]
  if (!work || !record || record.removed || work.running) return null
  return memberOf(record).nextStep(world, record, work)
}
