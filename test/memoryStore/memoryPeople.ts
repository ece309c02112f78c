/** Per-person rows in memory. */
import type { People } from '@/server/store/interfaces'
import { jsonText } from '@/server/store/shared/checkBatch'
import { requireText } from '@/server/store/shared/names'
import { decidePut, decideRemove, type KeptRow, presentRow, seenRow } from '@/server/store/shared/personRow'
import type { MemoryContext } from './memoryStore'

export function memoryPeople({ data, now, ensureOpen }: MemoryContext): People {
  const rowOf = (person: string, key: string): KeptRow | null => data.people.get(person)?.get(key) ?? null
  const keep = (person: string, key: string, row: KeptRow): void => {
    const rows = data.people.get(person) ?? new Map<string, KeptRow>()
    data.people.set(person, rows.set(key, row))
  }
  return {
    async get(person, key) {
      ensureOpen()
      return seenRow(key, rowOf(person, key))
    },
    async list(person, prefix) {
      ensureOpen()
      return [...(data.people.get(person) ?? [])]
        .filter(([key, row]) => row.value !== null && key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, row]) => presentRow(key, row))
    },
    async put(person, key, value, expectedVersion) {
      ensureOpen()
      requireText('person', person)
      requireText('key', key)
      const { kept, ok, row } = decidePut(rowOf(person, key), jsonText(value), expectedVersion, now())
      if (kept) keep(person, key, kept)
      return ok ? { ok: true, version: row.version } : { ok: false, current: presentRow(key, row) }
    },
    async remove(person, key, expectedVersion) {
      ensureOpen()
      const decision = decideRemove(rowOf(person, key), expectedVersion, now())
      if (decision?.kept) keep(person, key, decision.kept)
      return decision && !decision.ok ? { ok: false, current: presentRow(key, decision.row) } : { ok: true }
    },
    async dropOther(person, key) {
      ensureOpen()
      const row = rowOf(person, key)
      if (row) keep(person, key, { ...row, other: null })
    },
  }
}
