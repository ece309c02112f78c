/** How people rated earlier results for the person who asks, or by the same template, a line each: what the manager plans and judges by. */
import { escapeTags } from '@/lib/mas/formats'
import type { AgentId, TemplateId } from '@/lib/mas/ids'
import { answersRequest } from '@/lib/mas/outside/outsideWork'
import type { StepRecord, World } from '@/lib/mas/records'
import { selectRatings } from '@/lib/mas/tasks/ratings'
import { selectName } from '@/lib/mas/team/agents'
import { line } from './role'

const WORDS = { up: 'good', down: 'bad' } as const
const SKILLS: readonly string[] = ['planning', 'task_manager']

/**
 * out     of steps that plan, make or judge a task, `earlier_result: Compare prices | good | Ana: short and right`, the newest first;
 *         none for other agents and skills
 */
export function writeRatings(world: World, step: StepRecord): string[] {
  const task = world.tasks[step.task]
  if (task?.manager !== step.agent || !(SKILLS.includes(step.executor) || answersRequest(world, step))) return []
  const { asker, template } = requestOf(world, step)
  return selectRatings(world, asker, template).map(({ taskName, rating, by, sentence }) => {
    const said = sentence === '' ? '' : `: ${escapeTags(sentence)}`
    return `earlier_result: ${line(taskName)} | ${WORDS[rating]} | ${line(selectName(world, by))}${said}`
  })
}

/** In the base task of the message that began the thread; else of the task. */
function requestOf(
  world: World,
  { task: id, thread }: StepRecord,
): { asker: AgentId | null; template: TemplateId | null } {
  const task = world.tasks[id]
  if (task?.base !== true) return { asker: task?.requestedBy ?? null, template: task?.fromTemplate ?? null }
  const root = thread === null ? undefined : world.messages[id]?.[thread]
  const asker = root === undefined || root.sender === 'system:task' ? null : root.sender
  return { asker, template: root?.fromTemplate ?? null }
}
