/** Filter and totals of waits. Pure; the filter is in the address, the order is the server's. */
import { taskTitle } from '@/client/readersWords'
import type { Identity } from '@/components/ui/marks/identity'
import type { WaitRow } from '@/lib/wire'

/** Who waits; the task where the task itself asked. */
export const waiterOf = ({ who, task, taskName }: WaitRow): Identity =>
  who.kind === 'system' ? { ...who, id: task, name: taskTitle(taskName) } : who

export function sumsOf(rows: readonly WaitRow[]) {
  const circles = new Set(rows.flatMap((row) => (row.circle === null ? [] : [row.circle])))
  return {
    /** Who waits, by kind: a task waits where it asked by itself, as for a part that a person has yet to do. */
    waiting: waitingOf(rows),
    /** When the oldest wait began; null without any. */
    oldest: rows.length === 0 ? null : Math.min(...rows.map((row) => row.since)),
    circles: circles.size,
  }
}

export const WAITER_KINDS = ['agents', 'people', 'tasks'] as const
type WaiterKind = (typeof WAITER_KINDS)[number]

function waitingOf(rows: readonly WaitRow[]): Record<WaiterKind, number> {
  const ids: Record<WaiterKind, Set<string>> = { agents: new Set(), people: new Set(), tasks: new Set() }
  for (const row of rows) {
    const { id, kind } = waiterOf(row)
    ids[kind === 'system' ? 'tasks' : kind === 'human' ? 'people' : 'agents'].add(id)
  }
  return { agents: ids.agents.size, people: ids.people.size, tasks: ids.tasks.size }
}

export function tasksOf(rows: readonly WaitRow[]): { id: string; name: string }[] {
  const names = new Map<string, string>(rows.map((row) => [row.task, taskTitle(row.taskName)]))
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name))
}

/** task null: all. */
export const waitsIn = (rows: readonly WaitRow[], task: string | null): readonly WaitRow[] =>
  task === null ? rows : rows.filter((row) => row.task === task)
