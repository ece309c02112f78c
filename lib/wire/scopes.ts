/** What a personal access token may be used for. Each route names one; a token never does more than its person may. */

/** read: what the person may read. answer: what they are asked. ask: new work and messages. operate: tasks, agents, tools, setup. */
export const SCOPES = ['read', 'answer', 'ask', 'operate'] as const
export type Scope = (typeof SCOPES)[number]

/** Whether a text of the store or of a caller is one of them. */
export const isScope = (text: string): text is Scope => SCOPES.some((one) => one === text)
