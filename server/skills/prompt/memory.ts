import { escapeAttribute, escapeTags } from '@/lib/mas/formats'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import { sayInLanguage } from '@/lib/mas/words'
import { countFitting } from './countFitting'

/** The newest notes of the agent that fit, with a line that counts the others; null: none. */
export function writeMemory(world: World, agent: AgentId, rules: string | null, tokens: number): string | null {
  const notes = (world.memory[agent] ?? []).map(
    (note) => `<note time="${note.key}" ${aboutTask(world, note.task)}>${escapeTags(note.text)}</note>`,
  )
  const n = notes.length - countFitting(notes.toReversed(), tokens)
  const gone = n === 0 ? [] : [sayInLanguage(world.team.language, 'notesLeftOut', { n })]
  const lines = [...(rules === null ? [] : [rules]), ...gone, ...notes.slice(n)]
  return lines.length === 0 ? null : lines.join('\n')
}

/** A task that left the world has ended. */
function aboutTask(world: World, id: TaskId | null): string {
  const task = id === null ? null : world.tasks[id]
  const ended = id !== null && (!task || isTaskOver(task))
  return `task="${escapeAttribute(task?.name ?? '-')}" ended="${ended ? 'yes' : 'no'}"`
}
