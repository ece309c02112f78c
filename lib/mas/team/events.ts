/** Events of agents and people. */
import type { AgentId, TaskId } from '../ids'
import type { Access, AgentConfig, MemoryNote, ToolRuled } from '../records'

export type TeamEvents = {
  'human.accessChanged': { agent: AgentId; access: Access }
  'agent.created': { agent: AgentId; config: AgentConfig; runtime: boolean }
  'agent.changed': { agent: AgentId; config: AgentConfig }
  'agent.paused': { agent: AgentId; by: AgentId; reason: string }
  'agent.resumed': { agent: AgentId; by: AgentId }
  /** As task.toolRuled, for the agent's calls in every task. */
  'agent.toolRuled': { agent: AgentId } & ToolRuled
  'agent.removed': { agent: AgentId }
  'memory.added': { agent: AgentId; note: Omit<MemoryNote, 'at' | 'seq'> }
  'memory.removed': { agent: AgentId; key: string }
  'operator.acted': { task: TaskId | null; agent: AgentId; act: string; on: string; reason: string }
}
