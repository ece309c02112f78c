import { Fault } from '@/lib/faults'
import type { StageSpec } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { presentAgent } from '../../commands/visible'
import type { AgentId } from '../../ids'

/** Stages that a person wrote. Throws BAD_INPUT, RECEIVER_UNKNOWN, RECEIVER_GONE. */
export function checkStages(context: DecisionContext, stages: readonly StageSpec[]): void {
  for (const { intention, allocation } of stages) {
    const agents = Object.keys(allocation) as AgentId[]
    if (intention.trim() === '') throw new Fault('BAD_INPUT', { why: 'A stage needs a goal.' })
    if (agents.length === 0) throw new Fault('BAD_INPUT', { why: context.say('emptyAllocation') })
    for (const id of agents) presentAgent(context, id)
  }
}
