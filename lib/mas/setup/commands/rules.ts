/** The rules of each kind of setup. A new kind is one row here. */

import { Fault } from '@/lib/faults'
import { isSameValue } from '@/lib/json'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import { budgetOfKey, whyNoBudget } from '../../limits/budgets'
import { AGENTS_SERVER } from '../../outside/records'
import type { StageRecord, TaskRecord } from '../../records'
import { isSkill } from '../../records'
import { isPartOver, isStageOver, isTaskOver } from '../../statuses'
import { addParticipants } from '../../tasks/commands/addTask'
import { applyAgent } from '../../team/commands/applyAgent'
import { leaveTeamNow } from '../../team/commands/members'
import { isNameTaken } from '../../team/handles'
import { traitsOf } from '../providers'
import { agentConfigOf, mayBeSent, selectDefaultModel, selectSetup, selectSetupRecord } from '../setup'
import { isKeylessAddress, mediaNotTaken, missingSkills, ownFieldsIn, whatModelLacks, whyNoWay } from '../setupFields'
import {
  type AgentSetup,
  DEFAULT_MODEL,
  type ModelSetup,
  type SetupKind,
  type SetupValues,
  type ToolSetup,
} from '../setupRecords'
import { HUMAN_RULES, mustBeFreeId, mustKnowTools, mustManageNothing, type SetupRules } from './people'

function checkAgent(context: DecisionContext, id: string, after: AgentSetup | null, before: AgentSetup | null): void {
  const isThere = before?.start === true
  if (isThere && (after === null || !after.start || (before.manager && !after.manager)))
    mustBeFree(context, before, after)
  if (after === null) return
  mustBeFreeId(context, id, after.agent, false)
  if (after.start && after.name !== before?.name && isNameTaken(context.world, after.name)) {
    throw new Fault('NAME_TAKEN', { name: after.name })
  }
  mustKnowModel(context, after.model)
  mustKnowTools(context, after, before)
  const missing = missingSkills(after)
  if (missing.length > 0 || !after.skills.every(isSkill))
    throw new Fault('SKILLS_MISSING', { names: missing.join(', ') })
}

/** It manages nothing that is open; and where it leaves the team it has no part that is not over. */
function mustBeFree(context: DecisionContext, { agent, name }: AgentSetup, after: AgentSetup | null): void {
  mustManageNothing(context, { agent, name })
  if (after?.start) return
  const { tasks, stages } = context.world
  const parts = Object.values<TaskRecord>(tasks).filter(
    (task) => !isTaskOver(task) && !task.base && hasOpenPart(Object.values(stages[task.id] ?? {}), agent),
  )
  if (parts.length > 0) throw new Fault('AGENT_BUSY', { name, parts: parts.map((task) => task.name).join(', ') })
}

const hasOpenPart = (stages: StageRecord[], agent: AgentId): boolean =>
  stages.some(
    (stage) => !isStageOver(stage) && Object.hasOwn(stage.allocation, agent) && !isPartOver(stage.parts[agent]),
  )

const followAgent: SetupRules<AgentSetup>['follow'] = (context, _, id, after, before) => {
  if (after?.start) {
    applyAgent(context, agentConfigOf(id, after))
    const { baseTask } = context.world
    if (after.manager && baseTask !== null) addParticipants(context, baseTask, [after.agent])
    return
  }
  const gone = before === null ? undefined : context.world.agents[before.agent]
  if (gone && !gone.removed) leaveTeamNow(context, gone)
}

function mustKnowModel({ world }: DecisionContext, name: string): void {
  if (name !== DEFAULT_MODEL && !selectSetup(world, 'model').has(name) && !world.team.models.includes(name)) {
    throw new Fault('MODEL_UNKNOWN', { name })
  }
}

function checkModel(context: DecisionContext, id: string, after: ModelSetup | null): void {
  if (after === null) {
    mustBeUnused(context, id)
    return
  }
  const file = selectSetupRecord(context.world, 'model', id)?.file ?? null
  const isMade = traitsOf(after.provider).isServer
  if (!isMade && file?.provider !== after.provider) {
    throw new Fault('BAD_INPUT', { why: `A model of provider ${after.provider} stands in the configuration file.` })
  }
  if (isMade && (after.baseUrl === null || whatModelLacks(after) !== null)) {
    throw new Fault('BAD_INPUT', { why: 'A model needs an address, and its name there.' })
  }
  const refused = mediaNotTaken(after).join(', ')
  if (refused !== '')
    throw new Fault('BAD_INPUT', { why: `A model of provider ${after.provider} does not take ${refused}.` })
  const [own] = ownFieldsIn(after.extra)
  if (own !== undefined) throw new Fault('BAD_INPUT', { why: `extra.${own} is a field that Convene writes itself.` })
  if (after.key === null) return
  const inFile = file === null ? null : { key: file.key, address: file.baseUrl }
  if (!mayBeSent(after.key, after.baseUrl, inFile)) throw keyElsewhere(after.key, after.baseUrl)
}

function mustBeUnused(context: DecisionContext, id: string): void {
  const { world } = context
  const agents = [...selectSetup(world, 'agent').values()].filter(({ model }) => model === id)
  const isDefault = selectDefaultModel(world) === id
  if (agents.length === 0 && !isDefault) return
  const by = agents.map(({ name }) => name)
  throw new Fault('MODEL_IN_USE', {
    name: id,
    by: [...by, ...(isDefault ? [world.team.name] : [])].join(', '),
  })
}

function checkTool(context: DecisionContext, id: string, after: ToolSetup | null, before: ToolSetup | null): void {
  if (after === null) return
  const file = selectSetupRecord(context.world, 'tool', id)?.file ?? null
  if (file !== null) {
    if (!isSameValue(wayTo(after), wayTo(file))) throw new Fault('FIXED_BY_FILE', { name: id })
    return
  }
  if (id === AGENTS_SERVER || (before === null && Object.hasOwn(context.world.team.toolGuides, id)))
    throw new Fault('NAME_TAKEN', { name: id })
  const { address, command } = after
  if (whyNoWay(after) !== null || (address !== null && !isKeylessAddress(address))) {
    throw new Fault('BAD_INPUT', { why: 'A tool server needs an address, or a command.' })
  }
  if (command !== null && !(context.world.team.toolsAllowed ?? []).includes(command)) {
    throw new Fault('COMMAND_NOT_ALLOWED', { command })
  }
  for (const { key } of after.headers) {
    if (key !== null && !mayBeSent(key, address, null)) throw keyElsewhere(key, address)
  }
}

const wayTo = ({ address, command, args, headers }: ToolSetup) => ({ address, command, args, headers })

const keyElsewhere = (key: NonNullable<ModelSetup['key']>, address: string | null): Fault =>
  new Fault('KEY_ELSEWHERE', {
    name: 'env' in key ? key.env : '',
    host: address !== null && URL.canParse(address) ? new URL(address).host : '',
  })

/** Agents lose the tools of a server that is taken out; each is a change of its own. */
function followTool(context: DecisionContext, person: AgentId, id: string, after: ToolSetup | null): void {
  if (after !== null) return
  for (const [agent, value] of selectSetup(context.world, 'agent')) {
    if (!value.tools.includes(id)) continue
    const next = { ...value, tools: value.tools.filter((name) => name !== id) }
    context.emit('setup.changed', { entry: { kind: 'agent', id: agent, value: next }, by: person })
    followAgent(context, person, agent, next, value)
  }
}

const checkBudgetValue: SetupRules<SetupValues['budget']>['check'] = (_, id, after) => {
  const kind = budgetOfKey(id)
  if (kind === null) throw new Fault('NOT_FOUND', { what: 'budget', id })
  if (after === null) throw new Fault('BAD_INPUT', { why: 'A budget is not removed: set it to no limit.' })
  const why = whyNoBudget(kind, after.limit)
  if (why !== null) throw new Fault('BUDGET_UNFIT', { why })
}

export const SETUP_RULES: { [Kind in SetupKind]: SetupRules<SetupValues[Kind]> } = {
  agent: { check: checkAgent, follow: followAgent },
  human: HUMAN_RULES,
  model: { check: checkModel, follow: () => {} },
  tool: { check: checkTool, follow: followTool },
  budget: { check: checkBudgetValue, follow: () => {} },
  team: {
    check(context, _, after) {
      if (after !== null) mustKnowModel(context, after.model)
    },
    follow: () => {},
  },
}
