/** The configuration: the values of the file and of the page. */
import { isSameValue } from '@/lib/json'
import type { World } from '../records'
import type { Reducers } from '../reduce/reducer'
import {
  CHANGES_KEPT,
  effectiveOf,
  keepsPage,
  type Setup,
  type SetupEntry,
  type SetupKind,
  type SetupRecord,
  type SetupValues,
} from './setupRecords'

const EMPTY = { file: null, page: null, changes: [] }

function changeRecord<Kind extends SetupKind>(
  world: World,
  { kind, id, value }: SetupEntry<Kind>,
  change: (
    old: SetupRecord<SetupValues[Kind]>,
    value: SetupValues[Kind] | null,
  ) => Omit<SetupRecord<SetupValues[Kind]>, 'id'>,
): World {
  const records: Setup[Kind] = world.setup[kind]
  const old = (Object.hasOwn(records, id) ? records[id] : undefined) ?? { id, ...EMPTY }
  return { ...world, setup: { ...world.setup, [kind]: { ...records, [id]: { ...change(old, value), id } } } }
}

const withChange = <Value>(
  { changes }: SetupRecord<Value>,
  change: SetupRecord<Value>['changes'][number],
): SetupRecord<Value>['changes'] => [...changes, change].slice(-CHANGES_KEPT)

export const setupReducers = {
  'setup.read': (world, { entry, verdict }, { seq, at }) =>
    changeRecord(world, entry, (old, file) => ({
      file,
      page: keepsPage(verdict) ? old.page : null,
      changes: verdict === 'overruled' ? withChange(old, { seq, at, by: null, before: effectiveOf(old) }) : old.changes,
    })),
  'setup.changed': (world, { entry, by }, { seq, at }) =>
    changeRecord(world, entry, (old, value) => ({
      file: old.file,
      page: isSameValue(value, old.file) ? null : { value },
      changes: withChange(old, { seq, at, by, before: effectiveOf(old) }),
    })),
  'config.applied': (world, { team }) => ({ ...world, team, teamSeq: world.seq }),
} satisfies Reducers
