/** The classes of log views: what of a view its viewer may see, written as text so that classes compare by ===. */
import type { AgentId, TaskId } from '../mas/ids'

/**
 * What a class of a log view lets see.
 *
 * all      everything the view holds
 * person   base task only: the threads that this person began or is addressed in
 * tasks    agent views: only what the agent does in these tasks
 */
export type ViewScope = { see: 'all' } | { see: 'person'; person: AgentId } | { see: 'tasks'; tasks: readonly TaskId[] }

/** `mark` makes a class differ when what it shows of others changes at once (who belongs to the view). */
export const scopeText = (scope: ViewScope, mark: string): string => {
  const what =
    scope.see === 'all' ? 'all' : scope.see === 'person' ? `person:${scope.person}` : `tasks:${scope.tasks.join(',')}`
  return `${what}|${mark}`
}

/** Read a class back; one that cannot be read sees the least. */
export function scopeOf(cls: string): ViewScope {
  const what = cls.slice(0, cls.indexOf('|'))
  if (what === 'all') return { see: 'all' }
  if (what.startsWith('person:')) return { see: 'person', person: what.slice(7) as AgentId }
  const tasks = what.startsWith('tasks:') ? what.slice(6) : ''
  return { see: 'tasks', tasks: tasks === '' ? [] : (tasks.split(',') as TaskId[]) }
}

/** Which tasks are seen: asked of an agent's steps, locks and notes. */
export const scopeSeesTask = (scope: ViewScope): ((task: TaskId) => boolean) => {
  if (scope.see === 'all') return () => true
  if (scope.see === 'person') return () => false
  const seen = new Set<string>(scope.tasks)
  return (task) => seen.has(task)
}

/** A short text that differs when the set does: its size and a sum of its ids. */
export function idSetMark(ids: Iterable<string>): string {
  let [count, sum] = [0, 0]
  for (const id of ids) {
    count += 1
    sum = (sum ^ hashOf(id)) >>> 0
  }
  return `${count}-${sum.toString(36)}`
}
const hashOf = (id: string): number => {
  let hash = 2166136261
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 16777619)
  return hash >>> 0
}
