/** The parts of the configuration that people can change in the page. server/config/README.md says how to add a kind. */
import { isSameValue } from '@/lib/json'
import type { AgentId } from '../ids'
import type { AgentSetup, HumanSetup } from './schemas/members'
import type { ModelSetup } from './schemas/model'
import type { BudgetSetup, TeamSetup } from './schemas/team'
import type { ToolSetup } from './schemas/toolServer'

export type { KeyRef } from './schemas/fields'
export type { AgentSetup, HumanSetup } from './schemas/members'
export type { ModelSetup } from './schemas/model'
export type { ToolSetup } from './schemas/toolServer'

/** team: one record, with the id `team`. budget: each is always there. */
export type SetupValues = {
  agent: AgentSetup
  human: HumanSetup
  model: ModelSetup
  tool: ToolSetup
  team: TeamSetup
  budget: BudgetSetup
}
export type SetupKind = keyof SetupValues
export const SETUP_KINDS = ['team', 'budget', 'model', 'tool', 'agent', 'human'] as const satisfies readonly SetupKind[]
export const TEAM_ID = 'team'
export const DEFAULT_MODEL = 'default'

/** A value in an event or a command; null: none. */
export type SetupEntry<Of extends SetupKind = SetupKind> = {
  [Kind in Of]: { kind: Kind; id: string; value: SetupValues[Kind] | null }
}[Of]

/** One change. by: the person; null if the file replaced the page's value. before: the previous value; null: none. */
type SetupChange<Value> = { seq: number; at: number; by: AgentId | null; before: Value | null }

/**
 * file     the last read value; null: not in the file
 * page     the page's value; null: that of the file
 * changes  the newest CHANGES_KEPT, the latest last; older ones are in the journal
 */
export type SetupRecord<Value> = {
  id: string
  file: Value | null
  page: { value: Value | null } | null
  changes: readonly SetupChange<Value>[]
}
export const CHANGES_KEPT = 20

export type Setup = { readonly [Kind in SetupKind]: Readonly<Record<string, SetupRecord<SetupValues[Kind]>>> }
export const EMPTY_SETUP: Setup = { agent: {}, human: {}, model: {}, tool: {}, team: {}, budget: {} }

export type SetupFile = { [Kind in SetupKind]: Record<string, SetupValues[Kind]> }

/**
 * How the file and the page agree about one record, at each start.
 *
 * same     the file is unchanged: the page's value stays
 * file     the file changed, and the page did not, or to the same value: the file's value
 * overruled  both changed: the file's value, and a notice
 * removed  the file changed an object that the page removed: it stays removed, and a notice
 */
export type SetupVerdict = 'same' | 'file' | 'overruled' | 'removed'

type Known<Value> = Pick<SetupRecord<Value>, 'file' | 'page'>

/** Compares the file's last value, its value now and the page's. known: undefined: never read; file: null: not in the file. */
export function mergeSetup<Value>(known: Known<Value> | undefined, file: Value | null): SetupVerdict {
  const { file: last = null, page = null } = known ?? {}
  if (isSameValue(last, file)) return 'same'
  if (page === null || isSameValue(page.value, file)) return 'file'
  return page.value === null ? 'removed' : 'overruled'
}

/** Whether the page's value stays. */
export const keepsPage = (verdict: SetupVerdict): boolean => verdict === 'same' || verdict === 'removed'

/** The value in effect; null: none. */
export const effectiveOf = <Value>({ file, page }: Known<Value>): Value | null => (page === null ? file : page.value)
