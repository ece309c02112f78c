import { stepJob, taggedJson } from '../common'
import { withoutBlock } from '../job'
import type { RehearsalPrompt } from '../readPrompt'

const PLAIN = ['startable_agents', 'agents_in_team', 'managed_tasks', 'my_tasks', 'skills_and_tools'] as const

export function playAskInfo(prompt: RehearsalPrompt): string {
  const said = stepJob(prompt) === null ? prompt.step.text : withoutBlock(prompt.step.text)
  const named = PLAIN.find((type) => said.includes(type))
  if (named !== undefined) return taggedJson('ask_info', { type: named })
  if (said.includes('agents_in_task'))
    return taggedJson('ask_info', { type: 'agents_in_task', task_id: prompt.step.taskId })
  return taggedJson('ask_info', { type: 'agents_in_mas' })
}
