/**
 * A part of a stage in a test: the manager makes a task with one stage for the reader, who plans what the test says.
 */
import type { World } from '@/lib/mas/records'
import { openTestEngine, type SkillScript, type TestEngine } from './testEngine'
import { outcomeOf, planned, send, TEAM } from './worldHistories'

/** The manager makes a task with one stage for the reader; the reader plans what `plan` says. */
export const openPart = (
  plan: ReturnType<typeof planned>[],
  options: Parameters<typeof openTestEngine>[0] = {},
): Promise<TestEngine> => openTestEngine({ ...options, skill: partSkill(plan, options.skill) })

/** in: first: what it says counts, unless it is null */
export const partSkill =
  (plan: ReturnType<typeof planned>[], first?: SkillScript): SkillScript =>
  async (step, run) => {
    const own = await first?.(step, run)
    if (own) return own
    switch (step.executor) {
      case 'send_message':
        return step.text === 'go'
          ? outcomeOf({ steps: { add: [], insert: [{ ...planned('task_manager'), text_content: 'make' }] } })
          : outcomeOf({})
      case 'task_manager':
        if (step.text === 'make') {
          return outcomeOf({
            steps: { add: [], insert: [{ ...planned('task_manager'), text_content: 'plan' }] },
            sync: {
              task_instruction: {
                action: 'add_task',
                task_name: 'Count',
                task_intention: 'count',
                members: [TEAM.reader.id],
              },
            },
          })
        }
        if (step.text === 'plan') {
          const task = Object.values(run.world.tasks).find(({ name }) => name === 'Count')
          return outcomeOf({
            sync: {
              task_instruction: {
                action: 'add_stage',
                task_id: task?.id ?? '',
                stages: [{ stage_intention: 'count', agent_allocation: { [TEAM.reader.id]: 'count all' } }],
              },
            },
          })
        }
        if (step.cause.message !== null && step.stage !== null) {
          return outcomeOf({
            sync: { task_instruction: { action: 'finish_stage', task_id: step.task, stage_id: step.stage } },
          })
        }
        return outcomeOf({
          sync: {
            task_instruction: {
              action: 'finish_task',
              task_id: step.task,
              state: 'finished',
              task_summary: 'counted',
            },
          },
        })
      case 'planning':
        return outcomeOf({ steps: { insert: [], add: [...plan, planned('summary')] } })
      case 'summary':
        return outcomeOf({ sync: { update_stage_agent_completion: { summary: 'all counted' } } })
      case 'instruction_generation':
        return outcomeOf({
          instruct:
            step.boundTo === null
              ? null
              : {
                  step: step.boundTo,
                  instruction: {
                    kind: 'call',
                    target: 'tool',
                    name: 'count',
                    arguments: run.bodies.make('{"n":1}', 'application/json'),
                  },
                },
        })
      default:
        return outcomeOf({})
    }
  }

export const ask = (test: TestEngine) =>
  test.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'go', kind: 'action' }))
export const isFinished = (world: World): boolean =>
  Object.values(world.tasks).some((task) => !task.base && task.state === 'finished')
