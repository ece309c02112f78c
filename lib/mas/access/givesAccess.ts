/** Which changes of the setup let somebody or something in: they are made with a password typed just now. */
import { isSameValue } from '@/lib/json'
import type { World } from '../records'
import { selectSetupRecord } from '../setup/setup'
import { effectiveOf, type ModelSetup, type SetupEntry, type ToolSetup } from '../setup/setupRecords'

/** Does it add or change a command, a key or where a key is sent, or who may sign in as what? */
export function givesAccess(world: Pick<World, 'setup'>, entry: SetupEntry): boolean {
  switch (entry.kind) {
    case 'tool':
      return isOther(toolWay, valueIn(world, 'tool', entry.id), entry.value)
    case 'model':
      return isOther(modelWay, valueIn(world, 'model', entry.id), entry.value)
    case 'human':
      return valueIn(world, 'human', entry.id)?.access !== entry.value?.access
    case 'agent':
    case 'team':
    case 'budget':
      return false
  }
}

function valueIn<Kind extends 'tool' | 'model' | 'human'>(world: Pick<World, 'setup'>, kind: Kind, id: string) {
  const record = selectSetupRecord(world, kind, id)
  return record === undefined ? null : effectiveOf(record)
}

function isOther<Value>(wayOf: (value: Value) => unknown, before: Value | null, after: Value | null): boolean {
  const way = after === null ? null : wayOf(after)
  return way !== null && !isSameValue(way, before === null ? null : wayOf(before))
}

/** null: no command runs, and no key is sent. */
const toolWay = ({ address, command, args, headers }: ToolSetup) =>
  command === null && headers.every(({ key }) => key === null) ? null : { address, command, args, headers }
const modelWay = ({ key, baseUrl }: ModelSetup) => (key === null ? null : { key, baseUrl })
