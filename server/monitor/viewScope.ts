/** The classes of viewers, written as text so that classes compare by ===: those of one class see the same records. */
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'

/**
 * What a class of a view of records lets see.
 *
 * all      everything the view holds, without what an agent does in talks
 * person   base task only: the threads that this person began or is addressed in
 * tasks    agent views: only what the agent does in these tasks
 */
export type ViewScope = { see: 'all' } | { see: 'person'; person: AgentId } | { see: 'tasks'; tasks: readonly TaskId[] }

/** The class as a text that scopeOf reads back. */
export const scopeText = (scope: ViewScope): string =>
  scope.see === 'all' ? 'all' : scope.see === 'person' ? `person:${scope.person}` : `tasks:${scope.tasks.join(',')}`

/** Read a class back; one that cannot be read sees the least. */
export function scopeOf(scopeKey: string): ViewScope {
  if (scopeKey === 'all') return { see: 'all' }
  if (scopeKey.startsWith('person:')) return { see: 'person', person: scopeKey.slice(7) as AgentId }
  const tasks = scopeKey.startsWith('tasks:') ? scopeKey.slice(6) : ''
  return { see: 'tasks', tasks: tasks === '' ? [] : (tasks.split(',') as TaskId[]) }
}

/** Which tasks are seen: asked of an agent's steps, locks and notes. What it does in a talk is seen in that talk. */
export function seesTask(scope: ViewScope, { tasks }: Pick<World, 'tasks'>): (task: TaskId) => boolean {
  if (scope.see === 'all') return (task) => !tasks[task]?.talk
  if (scope.see === 'person') return () => false
  const seen = new Set<TaskId>(scope.tasks)
  return (task) => seen.has(task)
}
