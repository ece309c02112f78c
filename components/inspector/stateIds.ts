import type { AgentRecord } from '@/lib/mas/records'

const PREFIX = { llm: 'LLMAgent', human: 'HumanAgent', outside: 'OutsideAgent' } as const

/** The StateID by which an address inspects an agent or a person. */
export const stateIdOfAgent = (kind: AgentRecord['kind'], id: string): string => `${PREFIX[kind]}_${id}`
