/** Operators change the configuration while the team works: agents, models, tool servers, budgets, the team's default model. */
import { Fault } from '@/lib/faults'
import { isSameValue } from '@/lib/json'
import { giveAsked } from '../../asks/commands/handOver'
import { reasonOf } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId } from '../../ids'
import { withLimitsApplied } from '../../limits/commands/limits'
import type { Json } from '../../records'
import { selectSetupRecord, teamWith } from '../setup'
import {
  effectiveOf,
  type HumanSetup,
  type SetupEntry,
  type SetupKind,
  type SetupRecord,
  type SetupValues,
} from '../setupRecords'
import { isLastOperator, type SetupRules, tasksAsking } from './people'
import { SETUP_RULES } from './rules'

/** out: how many records changed. Throws NAME_TAKEN, NOT_FOUND, SETUP_CHANGED (stale `seen`), and those of the kind's rules. */
export function changeSetup(context: DecisionContext, person: AgentId, { changes }: CommandOf<'changeSetup'>): Json {
  let changed = 0
  for (const { seen, ...entry } of changes) {
    mustBeSeen(context, entry, seen)
    changed += put(context, person, entry) ? 1 : 0
  }
  return { changed }
}

/** Throws NOTHING_TO_UNDO for a change that is not kept any more. */
export function undoSetup(
  context: DecisionContext,
  person: AgentId,
  { kind, id, change }: CommandOf<'undoSetup'>,
): Json {
  const record = selectSetupRecord(context.world, kind, id)
  const made = record?.changes.find(({ seq }) => seq === change)
  if (!made) throw new Fault('NOTHING_TO_UNDO')
  return { changed: put(context, person, { kind, id, value: made.before } as SetupEntry) ? 1 : 0 }
}

function mustBeSeen(context: DecisionContext, entry: SetupEntry, seen: number | null): void {
  const record = selectSetupRecord(context.world, entry.kind, entry.id)
  const isThere = record !== undefined && effectiveOf<SetupValues[SetupKind]>(record) !== null
  if (seen === null) {
    if (isThere) throw new Fault('NAME_TAKEN', { name: entry.id })
    return
  }
  if (!isThere) throw new Fault('NOT_FOUND', { what: entry.kind, id: entry.id })
  const last = record.changes.at(-1)
  if (last === undefined || last.seq === seen) return
  throw new Fault('SETUP_CHANGED', { by: last.by === null ? 'convene.yaml' : context.name(last.by) })
}

/** out: whether anything is otherwise now */
function put<Kind extends SetupKind>(context: DecisionContext, person: AgentId, entry: SetupEntry<Kind>): boolean {
  const { kind, id, value: after } = entry
  const record: SetupRecord<SetupValues[Kind]> | undefined = selectSetupRecord(context.world, kind, id)
  const before = record === undefined ? null : effectiveOf(record)
  if (isSameValue(before, after)) return false
  const rules: SetupRules<SetupValues[Kind]> = SETUP_RULES[kind]
  rules.check(context, id, after, before)
  withLimitsApplied(context, () => {
    context.emit('setup.changed', { entry: entry as SetupEntry, by: person })
    settleTeam(context)
    rules.follow(context, person, id, after, before)
  })
  return true
}

/** What the team's record says of budgets, models and tools is as the page and the file say now. */
function settleTeam(context: DecisionContext): void {
  const team = teamWith(context.world, context.world.team)
  if (!isSameValue(team, context.world.team)) context.emit('config.applied', { team })
}

/**
 * A person is made, or their access and groups follow their company's. The change is theirs. The last operator stays one. Throws
 * NAME_TAKEN where a new id is or was another's, NOT_FOUND for a person who is not in the team.
 */
export function admitPerson(context: DecisionContext, input: CommandOf<'admitPerson'>): Json {
  const { id, agent, name, isNew, access } = input
  const { given, managed } = input.groups
  const record = selectSetupRecord(context.world, 'human', id)
  const before = record === undefined ? null : effectiveOf(record)
  if (isNew && (record !== undefined || context.world.agents[agent] !== undefined))
    throw new Fault('NAME_TAKEN', { name: id })
  if (!isNew && before?.agent !== agent) throw new Fault('NOT_FOUND', { what: 'person', id })
  const person: HumanSetup = before ?? { agent, name, role: '', profile: '', groups: [], tools: [], access }
  const kept = person.groups.filter((group) => !managed.includes(group))
  const groups = [...kept, ...given.filter((group) => !kept.includes(group))]
  const value = { ...person, groups: isSameValue(groups, person.groups) ? person.groups : groups }
  const isLast = before?.access === 'operator' && isLastOperator(context, id)
  put(context, agent, { kind: 'human', id, value: { ...value, access: isLast ? 'operator' : access } })
  return { id }
}

/** A person leaves; `handTo` gets what only they were asked. Throws NOT_FOUND, SETUP_CHANGED, those of HUMAN_RULES, giveAsked. */
export function leaveTeam(context: DecisionContext, person: AgentId, input: CommandOf<'leaveTeam'>): Json {
  const { id, seen, handTo } = input
  const reason = reasonOf(input.reason)
  const record = selectSetupRecord(context.world, 'human', id)
  const leaver = record === undefined ? null : effectiveOf(record)
  if (leaver === null) throw new Fault('NOT_FOUND', { what: 'person', id })
  if (handTo !== null) {
    const sentence = context.say('because', { act: context.say('leftTeam', { name: leaver.name }), why: reason })
    for (const task of tasksAsking(context.world, leaver.agent)) {
      giveAsked(context, { task, from: leaver.agent, to: handTo, sentence })
    }
  }
  changeSetup(context, person, { type: 'changeSetup', changes: [{ kind: 'human', id, value: null, seen }] })
  context.emit('operator.acted', { task: null, agent: person, act: 'leaveTeam', on: leaver.agent, reason })
  return { id, left: true }
}
