/** How people rated earlier results for the person who asks, a line each: what the manager plans and judges by. */
import { escapeTags } from '@/lib/mas/formats'
import type { AgentId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents/agents'
import { selectRatings } from '@/lib/mas/selectors/tasks/ratings'
import { line } from './role'

const WORDS = { up: 'good', down: 'bad' } as const
const SKILLS: readonly string[] = ['planning', 'task_manager']

/** out: `earlier_result: Compare prices | good | Ana: short and right`, the newest first; none for other agents and skills */
export function writeRatings(world: World, step: StepRecord): string[] {
  const task = world.tasks[step.task]
  if (task?.manager !== step.agent || !SKILLS.includes(step.executor)) return []
  const asker = askerOf(world, step)
  return (asker === null ? [] : selectRatings(world, asker)).map(({ taskName, rating, by, sentence }) => {
    const said = sentence === '' ? '' : `: ${escapeTags(sentence)}`
    return `earlier_result: ${line(taskName)} | ${WORDS[rating]} | ${line(selectName(world, by))}${said}`
  })
}

/** In the base task who began the thread; else who asked for the task. */
function askerOf(world: World, { task: id, thread }: StepRecord): AgentId | null {
  const task = world.tasks[id]
  if (task?.base !== true) return task?.requestedBy ?? null
  const sender = thread === null ? undefined : world.messages[id]?.[thread]?.sender
  return sender === undefined || sender === 'system:task' ? null : sender
}
