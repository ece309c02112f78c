/** Questions about notices. */
import type { AgentId } from '../ids'
import type { NoticeRecord, World } from '../records'
import { isPartOver, isSettled, isStageOver, isTaskOver } from '../statuses'
import { selectOutcome } from './outcomes'
import { selectOpenRequests } from './requests'

/** Is what the notice reports over: replied, done, ended, or gone from the world? Ends of tasks count only once seen. */
export function isNoticeSettled(world: World, person: AgentId, { kind, task, stage, message }: NoticeRecord): boolean {
  const owner = world.tasks[task]
  const record = stage === null ? undefined : world.stages[task]?.[stage]
  switch (kind) {
    case 'not_reached':
      return message !== null && !selectOpenRequests(world, task).some((request) => request.message === message)
    case 'reply_needed': {
      const told = message === null ? undefined : world.messages[task]?.[message]
      const outcome = told === undefined ? null : selectOutcome(world, told, person)
      return outcome === null || isSettled(outcome.state)
    }
    case 'stage_started':
      return record === undefined || isStageOver(record) || isPartOver(record.parts[person])
    case 'stage_finished':
    case 'stage_failed':
    case 'task_started':
      return owner === undefined || isTaskOver(owner)
    case 'task_finished':
    case 'task_failed':
    case 'setup_overruled':
    case 'setup_stays_out':
      return false
    default:
      return kind satisfies never
  }
}
