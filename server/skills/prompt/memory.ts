import { escapeAttribute, escapeTags } from '@/lib/mas/formats'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'

/** The agent's notes, below the rules where notes are made; null when there is nothing to show. */
export function writeMemory(world: World, agent: AgentId, rules: string | null): string | null {
  const notes = (world.memory[agent] ?? []).map(
    (note) => `<note time="${note.key}" ${aboutTask(world, note.task)}>${escapeTags(note.text)}</note>`,
  )
  const lines = [...(rules === null ? [] : [rules]), ...notes]
  return lines.length === 0 ? null : lines.join('\n')
}

/** A task that left the world has ended. */
function aboutTask(world: World, id: TaskId | null): string {
  const task = id === null ? null : world.tasks[id]
  const ended = id !== null && (!task || isTaskOver(task))
  return `task="${escapeAttribute(task?.name ?? '-')}" ended="${ended ? 'yes' : 'no'}"`
}
