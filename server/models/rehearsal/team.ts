/** Who can do what: read from what the system told, chosen for a job. */

import type { Job } from './job'
import type { RehearsalPrompt, ShownStep } from './readPrompt'

export type CrewMember = {
  id: string
  name: string
  kind: 'person' | 'agent'
  manager: boolean
  about: string
  tools: string[]
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** The members of a crew: who reads, who analyses (one may do both), how many stages that makes. */
export type Crew = {
  reader: CrewMember | null
  analyst: CrewMember | null
  asker: { id: string; name: string } | null
  stages: 1 | 2
  members: string[]
}

/** The agents that the last answered ask_info about agents names; those of the member list when there was none. */
export function agentsTold(prompt: RehearsalPrompt): CrewMember[] {
  const told = prompt.history
    .filter((item) => item.executor === 'ask_info' && item.state === 'finished')
    .flatMap((item) => fromLines(item.result.replace(/^made: .*$/m, '')))
  if (told.length > 0) return told
  return prompt.step.members.map((member) => ({ ...member, about: member.role, tools: [] }))
}

/** `Name (id): agent, role. profile skills: …; tools: …. idle`, or the like: a name before the id, `tools:` somewhere behind it. */
function fromLines(text: string): CrewMember[] {
  const agents: { id: string; name: string; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const id = UUID.exec(line)?.[0]
    if (id !== undefined && !agents.some((agent) => agent.id === id)) {
      const name = (line.replace(/^[\s#*-]+/, '').split(/\s*[|,;(（:：]\s*/)[0] ?? '').replace(UUID, '').trim()
      agents.push({ id, name, lines: [line] })
    } else agents.at(-1)?.lines.push(line)
  }
  return agents.map(({ id, name, lines }) => {
    const whole = lines.join('\n')
    const about = whole.slice(whole.indexOf(id) + id.length)
    const tools = /\btools?\s*[:=]\s*([^\n|;)]*)/i.exec(about)?.[1] ?? ''
    const given = tools
      .split(/[,、]\s*|\.\s|\.$|\s+/)
      .filter((tool) => tool !== '' && !/^(?:none|-|no|无|idle|working|waiting|\[\])$/i.test(tool))
    return {
      id,
      name,
      kind: /^[\s)）]*[:：|]\s*(?:person|human)\b/i.test(about) ? 'person' : 'agent',
      manager: /\|\s*manager\s*$/m.test(about),
      about,
      tools: given,
    }
  })
}

const READS = /\bread|\bfile|\bfetch|\bcollect|\bgather|\bsource|读|文件|采集|收集/i
const ANALYSES = /\banaly|\breport|\bcompar|\bcalculat|\bwrit|分析|报告|比较|计算|撰写/i

/**
 * Choose who works on a job.
 *
 * in      the prompt of the manager; the job
 * out     null for a role that nobody fits. With nothing to read, the analyst alone; with no report and nothing to compare
 *         or add up, the reader alone
 */
export function chooseCrew(prompt: RehearsalPrompt, job: Job): Crew {
  const agents = agentsTold(prompt).filter(
    (agent) => agent.kind === 'agent' && agent.id !== prompt.role.id && !agent.manager,
  )
  const withTool = agents.filter((agent) => agent.tools.length > 0)
  const best = (pool: CrewMember[], pattern: RegExp): CrewMember | null =>
    [...pool].sort((one, other) => score(other, pattern) - score(one, pattern))[0] ?? null
  const reads = job.where.length > 0
  const reader = reads ? best(withTool, READS) : null
  const others = agents.filter((agent) => agent.id !== reader?.id)
  const report = job.report
  // Who is to write a file needs a tool for it.
  const analysts =
    report && others.some((agent) => agent.tools.length > 0) ? others.filter((agent) => agent.tools.length > 0) : others
  const analyst = best(analysts, ANALYSES)
  const asker = job.asker
  const twoStages =
    reads && reader !== null && analyst !== null && (report || job.op === 'compare' || job.op === 'total')
  const workers = twoStages ? [reader, analyst] : reads ? [reader] : [analyst]
  return {
    reader: reads ? reader : null,
    analyst: twoStages || !reads ? analyst : null,
    asker,
    stages: twoStages ? 2 : 1,
    members: [
      ...new Set([...workers.flatMap((one) => (one === null ? [] : [one.id])), ...(asker === null ? [] : [asker.id])]),
    ],
  }
}

/** Is there anyone for the work that the job begins with? */
export const isManned = (crew: Crew, job: Job): boolean => (job.where.length > 0 ? crew.reader : crew.analyst) !== null

const score = (agent: CrewMember, pattern: RegExp): number =>
  (pattern.test(agent.name) ? 4 : 0) + (agent.about.match(new RegExp(pattern, 'gi')) ?? []).length

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The ids that a step made, by the words that ids usually go by. */
export function madeIds(item: ShownStep): { task: string | null; stages: string[] } {
  const made = /^made: (.*)$/m.exec(item.result)?.[1]
  const value = made === undefined ? null : parsed(made)
  const ids = (pattern: RegExp): string[] => idsUnder(value, pattern)
  return {
    task: ids(/^task/i)[0] ?? (made === undefined ? null : (UUID.exec(made)?.[0] ?? null)),
    stages: ids(/stage/i),
  }
}

function idsUnder(value: unknown, name: RegExp, inside = false): string[] {
  if (typeof value === 'string') return inside ? (UUID.exec(value) ?? []).slice(0, 1) : []
  if (Array.isArray(value)) return value.flatMap((one) => idsUnder(one, name, inside))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => idsUnder(inner, name, inside || name.test(key)))
}
