/** agent_manager: makes an agent from a configuration, or adds agents to a task that runs. */
import { agentNamed } from '@/lib/mas/selectors/handles'
import { defineSkill } from './defineSkill'
import { finishedWith } from './results'

export const agentManager = defineSkill({
  name: 'agent_manager',
  sees: 'history',
  asks: { oneOf: ['agent_instruction'], also: [] },
  does({ main }, run) {
    const { value } = main
    const names =
      value.action === 'init_new_agent'
        ? value.config_id
        : value.agents.map((id) => agentNamed(run.world, id, run.step.task)?.name ?? id).join(', ')
    return { ...finishedWith(run, `${value.action}: ${names}`), sync: { agent_instruction: value } }
  },
})
