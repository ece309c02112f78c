/** Snapshots in memory. */
import type { Snapshots } from '@/server/store/interfaces'
import { requireText, requireWhole } from '@/server/store/shared/names'
import { snapshotsToDrop } from '@/server/store/shared/snapshots'
import type { MemoryContext } from './memoryStore'

export function memorySnapshots({ data, ensureOpen }: MemoryContext): Snapshots {
  return {
    async save(snapshot) {
      ensureOpen()
      requireText('key', snapshot.key)
      const { key, seq, reducer, at } = snapshot
      requireWhole({ seq, reducer, at })
      data.snapshots = data.snapshots.filter((s) => s.key !== key || s.seq !== seq || s.reducer !== reducer)
      data.snapshots.push({ ...snapshot, data: snapshot.data.slice() })
    },
    async newest(key, reducer, upTo = Number.MAX_SAFE_INTEGER) {
      ensureOpen()
      requireWhole({ reducer, upTo })
      const fitting = data.snapshots.filter((s) => s.key === key && s.reducer === reducer && s.seq <= upTo)
      const found = fitting.sort((a, b) => b.seq - a.seq)[0]
      return found ? { ...found, data: found.data.slice() } : null
    },
    async list(key) {
      ensureOpen()
      return data.snapshots
        .filter((s) => key === undefined || s.key === key)
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.seq - a.seq || b.reducer - a.reducer))
        .map((s) => ({ key: s.key, reducer: s.reducer, seq: s.seq, at: s.at }))
    },
    async remove(key, before) {
      ensureOpen()
      const left = data.snapshots.filter((s) => s.key !== key || s.seq >= before)
      const count = data.snapshots.length - left.length
      data.snapshots = left
      return count
    },
    async prune(now) {
      ensureOpen()
      const gone = new Set(snapshotsToDrop(data.snapshots, now))
      data.snapshots = data.snapshots.filter((s) => !gone.has(s))
      return gone.size
    },
  }
}
