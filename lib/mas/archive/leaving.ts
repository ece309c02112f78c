/** Which records have left a task or an agent lately, so that a page that was away is told. */
import type { AgentId, TaskId } from '../ids'
import type { World } from '../records'
import { withKey } from '../reduce/branch'

/** Number of records of one owner that are named; a page that lacks more is sent the whole. */
export const LEFT_KEPT = 500

type Left = World['left']
type Owner = TaskId | AgentId

/** in: ids: those of RECORD_IDS; seq: of the entry with which they leave */
export function withLeft(left: Left, owner: Owner, ids: readonly string[], seq: number): Left {
  if (ids.length === 0) return left
  const { since, rows } = left[owner] ?? { since: 0, rows: [] }
  const all = [...rows, ...ids.map((id) => ({ id, seq }))]
  const dropped = all.at(-LEFT_KEPT - 1)
  return withKey(
    left,
    owner,
    dropped === undefined ? { since, rows: all } : { since: dropped.seq, rows: all.slice(-LEFT_KEPT) },
  )
}

/** Records came or left that are not named: pages that have not seen this entry are sent the whole. */
export function withBreak(left: Left, owners: readonly Owner[], seq: number): Left {
  return owners.length === 0
    ? left
    : { ...left, ...Object.fromEntries(owners.map((owner) => [owner, { since: seq, rows: [] }])) }
}
