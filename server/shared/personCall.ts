/** A call of a model that is a person, and the answer to it. */
export type PersonCall = {
  id: string
  model: string
  agent: string
  skill: string
  /** null: the call belongs to no step (a tool server made it). */
  step: string | null
  /** Epoch ms. */
  since: number
  /** The prompt by its sections. */
  parts: PromptPart[]
}

export type PromptPart = { role: 'system' | 'user' | 'assistant'; name: string; text: string }

/** by: who gave it. refused: the call fails for good, with this reason */
export type PersonAnswer = { text: string; by: string } | { refused: string; by: string }
