/** Stages as branches: retried stages hang above the one that replaced them. Pure. */
import type { StageId } from '@/lib/mas/ids'
import type { StageRecord } from '@/lib/mas/records'

export type Branch = { stage: StageRecord; earlier: StageRecord[] }

export function branchesOf(stages: readonly StageRecord[]): Branch[] {
  const byId = new Map(stages.map((stage) => [stage.id, stage]))
  const last = (stage: StageRecord): StageRecord => {
    const seen = new Set<StageId>()
    let at = stage
    while (at.replacedBy !== null && !seen.has(at.id)) {
      seen.add(at.id)
      const next = byId.get(at.replacedBy)
      if (next === undefined) break
      at = next
    }
    return at
  }
  const branches = new Map<StageId, Branch>()
  for (const stage of stages) {
    const end = last(stage)
    const branch = branches.get(end.id) ?? { stage: end, earlier: [] }
    if (end !== stage) branch.earlier.push(stage)
    branches.set(end.id, branch)
  }
  return [...branches.values()]
}
