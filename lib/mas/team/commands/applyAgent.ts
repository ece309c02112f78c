/** An agent or a person as the configuration says: made, or changed where it is otherwise. */
import { isSameValue } from '@/lib/json'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentConfig, AgentRecord } from '../../records'
import { afterStep } from '../../stages/commands/parts'
import { isStepOver } from '../../statuses'
import { cancelStep } from '../../steps/commands/endings'
import { selectStep } from '../agents'

type Configured = Pick<AgentRecord, keyof AgentConfig>

/** What was configured, without what became of it. */
export function configOfAgent(record: AgentRecord): Configured {
  const { paused: _, removed: __, createdAt: ___, changedAt: ____, toolRules: _____, ...config } = record
  // A field of the record that is not left out above does not compile.
  const exact: Record<Exclude<keyof typeof config, keyof Configured>, never> & Configured = config
  return exact
}

/** Creates or updates an agent or person; one that was removed comes back. Planned calls no longer allowed are dropped. */
export function applyAgent(context: DecisionContext, config: AgentConfig): void {
  const known = context.world.agents[config.id]
  if (!known) {
    context.emit('agent.created', { agent: config.id, config, runtime: false })
    return
  }
  if (known.access !== config.access) context.emit('human.accessChanged', { agent: config.id, access: config.access })
  // Who may do what is an event of its own.
  const wanted = { ...config, access: known.access }
  if (known.removed || !isSameValue(configOfAgent(known), wanted)) {
    context.emit('agent.changed', { agent: config.id, config })
    dropForbiddenCalls(context, config)
  }
}

/** Planned calls that the agent may no longer make. */
function dropForbiddenCalls(context: DecisionContext, { id, name, tools }: AgentConfig): void {
  for (const { task, step } of context.world.work[id]?.todo ?? []) {
    const planned = selectStep(context.world, task, id, step)
    if (planned?.type !== 'tool' || isStepOver(planned) || tools.includes(planned.executor)) continue
    cancelStep(context, planned, null, context.say('noLongerAllowed', { name, server: planned.executor }))
    afterStep(context, planned)
  }
}
