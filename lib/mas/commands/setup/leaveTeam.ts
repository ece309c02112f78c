/** A person is taken out of the team in the page. */
import { Fault } from '@/lib/faults'
import type { AgentId } from '../../ids'
import type { Json } from '../../records'
import { selectSetupRecord } from '../../selectors/setup'
import { effectiveOf } from '../../setupMerge'
import { reasonOf } from '../act'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { giveAsked } from '../requests/handOver'
import { changeSetup } from './changeSetup'
import { tasksAsking } from './people'

/** A person leaves; `handTo` gets what only they were asked. Throws NOT_FOUND, SETUP_CHANGED, those of checkHuman, giveAsked. */
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
