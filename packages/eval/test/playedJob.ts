/** A job whose answers a script holds: the real engine, skills, prompts and file server. */

import type { AgentConfig, RequestRecord, StepRecord } from '@/lib/mas/records'
import type { Workshop } from '@/test/rehearsalTeam'
import { countPrompts, type PromptCount } from '../countPrompts'
import type { Job } from '../job'
import { runJob } from '../runJob'
import type { JobResult } from '../verdict'
import { readTeamScript, type ScriptForm, sayLine, scriptedTeam } from './scriptedTeam'

type PlayOptions = {
  form: ScriptForm
  workshop: Workshop
  team?: AgentConfig[]
  /** Configurations from which a manager may create agents. */
  startable?: AgentConfig[]
}

/**
 * wrong    a question without an answer, an answer without a question, a person who was asked about what a program or a model got
 *          wrong, and why the job is not done: a job that is played as written has none
 * counted  the questions
 */
export type PlayedJob = { wrong: string[]; steps: StepRecord[]; result: JobResult; counted: PromptCount }

/** For a test of a played job: a job that is stuck says why after 20 s. */
export const PLAY_TIMEOUT = { timeout: 60_000 }

/** in: the job; the file of its script */
export async function playJob(job: Job, script: string, { form, ...options }: PlayOptions): Promise<PlayedJob> {
  const played = scriptedTeam(readTeamScript(script), form)
  let burdens: string[] = []
  let steps: StepRecord[] = []
  const result = await runJob(job, {
    ...options,
    model: played.model,
    look: (team, end) => {
      steps = team.steps()
      burdens = end.asked.flatMap(({ kind, question }) =>
        BURDENS.includes(kind) ? [`a person was asked: ${question}`] : [],
      )
    },
  })
  const lacking = played.lacking()
  const left = played.left()
  const [first] = left
  return {
    wrong: [
      ...(lacking === null ? [] : [lacking]),
      ...(first === undefined
        ? []
        : [`${left.length} answers of the script were not asked for, first that of ${sayLine(first)}`]),
      ...burdens,
      ...result.why,
    ],
    steps,
    result,
    counted: countPrompts(played.calls),
  }
}

const BURDENS: readonly RequestRecord['kind'][] = ['judge', 'limit', 'tool']
