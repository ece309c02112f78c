/** StateIDs in addresses: the kind of record, and its id. Pure. */
export type InspectedKind = 'step' | 'task' | 'stage' | 'agent' | 'message'
export type Inspected = { kind: InspectedKind; id: string }

const KINDS: Record<string, InspectedKind> = {
  StepState: 'step',
  TaskState: 'task',
  StageState: 'stage',
  LLMAgent: 'agent',
  HumanAgent: 'agent',
  OutsideAgent: 'agent',
  Message: 'message',
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The record that `?inspect=` names; an id without a prefix is a step's. Null when it is no StateID. */
export function readStateId(text: string): Inspected | null {
  const at = text.indexOf('_')
  const prefix = text.slice(0, Math.max(0, at))
  const kind = at < 0 ? 'step' : Object.hasOwn(KINDS, prefix) ? KINDS[prefix] : undefined
  const id = text.slice(at + 1)
  return kind && UUID.test(id) ? { kind, id } : null
}
