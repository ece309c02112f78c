/** An agent or a person as the configuration says: made, or changed where it is otherwise. */
import { isSameValue } from '@/lib/json'
import type { AgentConfig, AgentRecord } from '../records'
import { selectStep } from '../selectors/agents/agents'
import { isStepOver } from '../statuses'
import type { DecisionContext } from './decisionContext'
import { cancelStep } from './effects/endings'
import { afterStep } from './tasks/parts'

const configOf = ({
  paused: _,
  removed: __,
  createdAt: ___,
  access: ____,
  ...rest
}: AgentRecord): Omit<AgentRecord, 'paused' | 'removed' | 'createdAt' | 'access'> => rest

/** Creates or updates an agent or person; one that was removed comes back. Planned calls no longer allowed are dropped. */
export function applyAgent(context: DecisionContext, config: AgentConfig): void {
  const known = context.world.agents[config.id]
  if (!known) {
    context.emit('agent.created', { agent: config.id, config, runtime: false })
    return
  }
  if (known.access !== config.access) context.emit('human.accessChanged', { agent: config.id, access: config.access })
  const { access: _, ...wanted } = config
  if (known.removed || !isSameValue(configOf(known), wanted)) {
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
