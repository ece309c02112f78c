/** Chooses the agents of a job from the prompt's description of them. */
import { z } from 'zod'
import { jsonValueOf } from '@/lib/json'
import type { Job } from './job'
import type { ShownStep, TeamMember } from './readParts'
import type { RehearsalPrompt } from './readPrompt'
import type { Words } from './words'

type Candidate = Omit<TeamMember, 'role'> & { about: string; tools: string[] }

/** The chosen agents. With a reader and an analyst there are two stages. */
type ChosenAgents = {
  reader: Candidate | null
  analyst: Candidate | null
  asker: { id: string; name: string } | null
  members: string[]
}

/** All agents in the prompt of an agent that may begin work. */
function candidatesIn(prompt: RehearsalPrompt): Candidate[] {
  const members = prompt.step.members.map((member) => ({ ...member, about: member.role, tools: [] }))
  const others = prompt.step.others.map((agent) => ({ ...agent, manager: false }))
  return [...members, ...others]
}

const READS = /\bread|\bfile|\bfetch|\bcollect|\bgather|\bsource|读|文件|采集|收集/i
/** Words in the profile of an agent that delegates to outside agents. */
const WRITES_TO_OTHERS = /\bask|\bsuppl|\bcontact|\bpartner|\bbuy|询问|供应|联系|采购/i
const ANALYSES = /\banaly|\breport|\bcompar|\bcalculat|\bwrit|分析|报告|比较|计算|撰写/i

/**
 * out     null for a role that no agent fits. With nothing to read: the analyst alone; with no report and nothing to compare
 *         or add up, the reader alone
 */
export function chooseAgents(prompt: RehearsalPrompt, job: Job): ChosenAgents {
  const agents = candidatesIn(prompt).filter(
    (agent) => agent.kind === 'agent' && agent.id !== prompt.role.id && !agent.manager,
  )
  const withTool = agents.filter((agent) => agent.tools.length > 0)
  const best = (pool: Candidate[], pattern: RegExp): Candidate | null =>
    [...pool].sort((one, other) => score(other, pattern) - score(one, pattern))[0] ?? null
  const reads = beginsWithReading(job)
  const reader = reads ? best(withTool, READS) : null
  const others = agents.filter((agent) => agent.id !== reader?.id)
  const report = job.report
  // Writing a file needs a tool for it.
  const analysts =
    report && others.some((agent) => agent.tools.length > 0) ? others.filter((agent) => agent.tools.length > 0) : others
  const analyst = job.hire === null ? best(analysts, ANALYSES) : best(agents, WRITES_TO_OTHERS)
  const asker = job.asker?.outside === true ? null : job.asker
  const twoStages =
    reads && reader !== null && analyst !== null && (report || job.op === 'compare' || job.op === 'total')
  const workers = twoStages ? [reader, analyst] : reads ? [reader] : [analyst]
  return {
    reader: reads ? reader : null,
    analyst: twoStages || !reads ? analyst : null,
    asker,
    members: [
      ...new Set([
        ...workers.flatMap((one) => (one === null ? [] : [one.id])),
        ...(job.hire === null ? [] : [job.hire.id]),
        ...(asker === null ? [] : [asker.id]),
      ]),
    ],
  }
}

const beginsWithReading = (job: Job): boolean => job.where.length > 0 && job.hire === null

/** Is there an agent for the job's first work? */
export const hasWorker = (chosen: ChosenAgents, job: Job): boolean =>
  (beginsWithReading(job) ? chosen.reader : chosen.analyst) !== null

/** Why there is none. Agents that manage are never chosen, whatever tools they have. */
export const whyNoWorker = (job: Job, words: Words): string =>
  beginsWithReading(job) ? words.noReader : words.noWorker

const score = (agent: Candidate, pattern: RegExp): number =>
  (pattern.test(agent.name) ? 4 : 0) + (agent.about.match(new RegExp(pattern, 'gi')) ?? []).length

/** The task that a step made; undefined: none. */
export const madeBy = (item: ShownStep) =>
  MadeShape.safeParse(jsonValueOf(/^made: (.*)$/m.exec(item.result)?.[1] ?? '')).data

const MadeShape = z.object({
  task_id: z.string(),
  task_name: z.string().nullable().default(null),
  stage_ids: z.array(z.string()).default([]),
})
