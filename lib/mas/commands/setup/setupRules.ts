/** What one kind of setup asks of a value, and what follows in the team when it changes. */
import type { AgentId } from '../../ids'
import type { DecisionContext } from '../decisionContext'

/** before, after: null for what is not there. Both are called with the world as it is before, and after, the change. */
export type SetupRules<Value> = {
  /** Throws a Fault where it cannot be so. */
  check(context: DecisionContext, id: string, after: Value | null, before: Value | null): void
  follow(context: DecisionContext, person: AgentId, id: string, after: Value | null, before: Value | null): void
}
