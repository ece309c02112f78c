/** Per-person rows in memory. */
import type { KeptRow, PersonRows } from '@/server/store/shared/personRow'
import type { MemoryContext } from './memoryStore'

export function memoryPeople({ data, ensureOpen }: MemoryContext): PersonRows {
  const rowOf = (person: string, key: string): KeptRow | null => {
    ensureOpen()
    return data.people.get(person)?.get(key) ?? null
  }
  const keep = (person: string, key: string, row: KeptRow): void => {
    const rows = data.people.get(person) ?? new Map<string, KeptRow>()
    data.people.set(person, rows.set(key, row))
  }
  return {
    file: 'memory',
    get: async (person, key) => rowOf(person, key),
    async list(person, prefix) {
      ensureOpen()
      return [...(data.people.get(person) ?? [])]
        .filter(([key, row]) => row.value !== null && key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, row]) => ({ key, ...row }))
    },
    async change(person, key, decide) {
      const decision = decide(rowOf(person, key))
      if (decision?.kept) keep(person, key, decision.kept)
      return decision
    },
    async dropOther(person, key) {
      const row = rowOf(person, key)
      if (row) keep(person, key, { ...row, other: null })
    },
  }
}
