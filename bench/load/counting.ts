/** What load agents do: each plans `count 7 of 200` a few steps ahead, thinks for each, and submits; the first judges. */
import { type PlannedStep, plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import type { RunSkill, SkillRun } from '@/server/skills/port'

export const LOAD_MODEL = 'load'

/** Each prompt shows all steps to come: a list of thousands would measure that list and nothing else. */
const STEPS_AHEAD = 5

const GOAL = /count to (\d+)/
const COUNT = /^count (\d+) of (\d+)$/

export const goalOf = (steps: number): string => `count to ${steps}`

/** Steps of load agents call the model where they think; the others have their outcome without it. */
export const runCounting =
  (runSkill: RunSkill): RunSkill =>
  async (run) => {
    const { step, world } = run
    if (world.agents[step.agent]?.model !== LOAD_MODEL) return runSkill(run)
    if (step.executor === 'think') return counted(run, await runSkill(run))
    if (step.executor === 'task_manager') return judged(run)
    const steps = Number(GOAL.exec(step.text)?.[1] ?? 0)
    return { ...plainOutcome('planned'), steps: { add: next(1, steps), insert: [] } }
  }

/** The next steps follow the last that was planned; the last of all ends the part. */
function counted({ step }: SkillRun, outcome: StepOutcome): StepOutcome {
  const [n = 0, of = 0] = (COUNT.exec(step.text) ?? []).slice(1).map(Number)
  if (outcome.state === 'failed') return outcome
  if (n >= of) return { ...outcome, sync: { ...outcome.sync, update_stage_agent_completion: { summary: step.text } } }
  return n % STEPS_AHEAD === 0 ? { ...outcome, steps: { add: next(n + 1, of), insert: [] } } : outcome
}

const next = (from: number, of: number): PlannedStep[] =>
  Array.from({ length: Math.min(STEPS_AHEAD, of - from + 1) }, (_, index) => ({
    step_intention: `count ${from + index}`,
    type: 'skill',
    executor: 'think',
    text_content: `count ${from + index} of ${of}`,
  }))

/** The stage is reached, then the task. */
function judged({ step, world }: SkillRun): StepOutcome {
  const { task, cause } = step
  const asked = cause.message === null ? null : world.messages[task]?.[cause.message]?.instruction
  return {
    ...plainOutcome('counted'),
    sync: {
      task_instruction:
        asked?.type === 'judge_stage'
          ? { action: 'finish_stage', task_id: task, stage_id: asked.stage }
          : { action: 'finish_task', task_id: task, state: 'finished', task_summary: 'counted' },
    },
  }
}
