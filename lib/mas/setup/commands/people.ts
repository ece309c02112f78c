/** People of the team: what is asked of their records, and what follows when they change. */

import { Fault } from '@/lib/faults'
import { openRequestsOf } from '../../asks/commands/handOver'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, TaskId } from '../../ids'
import { isAsked } from '../../members/traits'
import type { AgentRecord, TaskRecord } from '../../records'
import { isTaskOver } from '../../statuses'
import { addParticipants } from '../../tasks/commands/addTask'
import { applyAgent } from '../../team/commands/applyAgent'
import { leaveTeamNow } from '../../team/commands/members'
import { humanConfigOf, selectSetup } from '../setup'
import type { HumanSetup } from '../setupRecords'

/**
 * What one kind of setup asks of a value, and what follows in the team when it changes. before, after: null for what is not there.
 * Both are called with the world as it is before, and after, the change.
 */
export type SetupRules<Value> = {
  /** Throws a Fault where it cannot be so. */
  check(context: DecisionContext, id: string, after: Value | null, before: Value | null): void
  follow(context: DecisionContext, person: AgentId, id: string, after: Value | null, before: Value | null): void
}

export const HUMAN_RULES: SetupRules<HumanSetup> = {
  /** Throws NAME_TAKEN, LAST_OPERATOR, MANAGER_STAYS, PERSON_ASKED, TOOL_SERVER_UNKNOWN. */
  check(context, id, after, before) {
    if (before?.access === 'operator' && after?.access !== 'operator' && isLastOperator(context, id))
      throw new Fault('LAST_OPERATOR', { name: before.name })
    if (after !== null) {
      mustBeFreeId(context, id, after.agent, true)
      mustKnowTools(context, after, before)
    } else if (before !== null) mustHaveNothingOpen(context, before)
  },
  /** Each person is a member of the base task. A removed one loses access, and with it all sessions, at once. */
  follow(context, _, id, after, before) {
    if (after !== null) {
      applyAgent(context, humanConfigOf(id, after))
      const { baseTask } = context.world
      if (baseTask !== null) addParticipants(context, baseTask, [after.agent])
      return
    }
    const gone = before === null ? undefined : context.world.agents[before.agent]
    if (gone && !gone.removed) leaveTeamNow(context, gone)
  },
}

type WithTools = Pick<HumanSetup, 'tools'>

/** A server that is gone may stay where it was given before. Throws TOOL_SERVER_UNKNOWN. */
export function mustKnowTools({ world }: DecisionContext, after: WithTools, before: WithTools | null): void {
  const unknown = after.tools.filter((name) => !Object.hasOwn(world.team.toolGuides, name))
  const isNew = unknown.some((name) => !before?.tools.includes(name))
  if (isNew) throw new Fault('TOOL_SERVER_UNKNOWN', { names: unknown.join(', ') })
}

/** Agents and people share one space of ids, and an id means one of them permanently. Throws NAME_TAKEN. */
export function mustBeFreeId({ world }: DecisionContext, id: string, agent: AgentId, isPerson: boolean): void {
  const others = Object.values(world.agents).some((one: AgentRecord) => one.configId === id && one.id !== agent)
  const known = world.agents[agent]
  if (others || (known !== undefined && isAsked(world, agent) !== isPerson)) throw new Fault('NAME_TAKEN', { name: id })
}

/** in: id: of an operator */
export const isLastOperator = ({ world }: DecisionContext, id: string): boolean =>
  [...selectSetup(world, 'human')].every(([other, { access }]) => other === id || access !== 'operator')

/** Throws MANAGER_STAYS for the manager of an open task. */
export function mustManageNothing(
  { world }: DecisionContext,
  { agent, name }: Pick<HumanSetup, 'agent' | 'name'>,
): void {
  const managed = Object.values<TaskRecord>(world.tasks).find((task) => task.manager === agent && !isTaskOver(task))
  if (managed) throw new Fault('MANAGER_STAYS', { name, task: managed.name })
}

function mustHaveNothingOpen(context: DecisionContext, { agent, name }: HumanSetup): void {
  mustManageNothing(context, { agent, name })
  const { world } = context
  const tasks = tasksAsking(world, agent)
  if (tasks.length > 0)
    throw new Fault('PERSON_ASKED', { name, tasks: tasks.map((task) => world.tasks[task]?.name ?? task).join(', ') })
}

/** Tasks in which only this person was asked something that is open. */
export function tasksAsking(world: DecisionContext['world'], person: AgentId): TaskId[] {
  return (Object.keys(world.tasks) as TaskId[]).filter((id) => openRequestsOf(world, id, person).length > 0)
}
