/** Answers with one clear meaning that is written otherwise: the executor of a planned step, one text for a list of texts. */
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { isSkill, type ToolInstruction } from '@/lib/mas/records'
import type { PlannedStep } from '@/lib/mas/steps/outcome'
import type { ToolInfo } from '../tools'
import { boundServer } from './calls'
import type { SkillReading } from './defineSkill'
import type { SkillRun } from './port'

/**
 * Gives planned steps the executor that they mean: a skill that is called a tool, a tool that is called a skill, one tool for
 * its server.
 *
 * out  were some changed, in place?
 */
export function meanSteps(steps: PlannedStep[], run: SkillRun): boolean {
  const changes = steps.map((step) => {
    const meant = executorOf(step, run)
    if (meant === null) return false
    Object.assign(step, meant)
    return true
  })
  return changes.includes(true)
}

function executorOf({ type, executor }: PlannedStep, run: SkillRun): Pick<PlannedStep, 'type' | 'executor'> | null {
  const tools = run.world.agents[run.step.agent]?.tools ?? []
  if (type === 'tool' && tools.includes(executor)) return null
  if (isSkill(executor)) return type === 'tool' ? { type: 'skill', executor } : null
  if (tools.includes(executor)) return { type: 'tool', executor }
  const server = run.serversOfTools?.get(executor)
  return server === undefined ? null : { type: 'tool', executor: server }
}

/** The reading of an answer; again with the tools of the agent's servers where it names an executor that is neither skill nor server. */
export async function readMeant(read: (run: SkillRun) => Promise<SkillReading>, run: SkillRun): Promise<SkillReading> {
  const first = await read(run)
  if (!first.ok) return first
  const tools = run.world.agents[run.step.agent]?.tools ?? []
  const { add, insert } = first.outcome.steps
  const isKnown = [...add, ...insert].every(({ executor }) => isSkill(executor) || tools.includes(executor))
  const reading = isKnown ? first : await read({ ...run, serversOfTools: await serversOf(tools, run) })
  return reading.ok ? withLists(reading, run) : reading
}

async function serversOf(servers: readonly string[], run: SkillRun): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string[]>()
  for (const server of servers)
    for (const { name } of await run.toolsOf(server)) found.set(name, [...(found.get(name) ?? []), server])
  return new Map(
    [...found].flatMap(([name, [first, second]]) => (first && second === undefined ? [[name, first]] : [])),
  )
}

type Reading = Extract<SkillReading, { ok: true }>

/** The reading with lists in its calls where the tool takes a list of texts and one text was written. */
async function withLists(reading: Reading, run: SkillRun): Promise<Reading> {
  const { instruct, calls } = reading.outcome
  const first = instruct && (await listed(boundServer(run), instruct.instruction, run))
  const others = await Promise.all(calls.map((call) => listed(call.server, call.instruction, run)))
  if (first === null && others.every((one) => one === null)) return reading
  const outcome = {
    ...reading.outcome,
    instruct: instruct && first ? { ...instruct, instruction: first } : instruct,
    calls: calls.map((call, at) => ({ ...call, instruction: others[at] ?? call.instruction })),
  }
  return { ...reading, outcome, fixups: [...reading.fixups, 'list_missing'] }
}

/** null: nothing is to be changed. */
async function listed(server: string, instruction: ToolInstruction, run: SkillRun): Promise<ToolInstruction | null> {
  if (instruction.kind !== 'call' || instruction.target !== 'tool') return null
  const tool = (await run.toolsOf(server)).find(({ name }) => name === instruction.name)
  const args = tool && listsOf(tool, fieldsIn(jsonValueOf(await run.bodies.text(instruction.arguments))))
  if (!args) return null
  return { ...instruction, arguments: run.bodies.make(JSON.stringify(args), 'application/json') }
}

/** null: no argument is one text where the schema says a list of texts. */
function listsOf({ inputSchema }: ToolInfo, args: Record<string, unknown>): Record<string, unknown> | null {
  const properties = fieldsIn(fieldsIn(inputSchema).properties)
  const lists = Object.entries(args).flatMap(([name, value]): [string, string[]][] => {
    const { type, items } = fieldsIn(properties[name])
    if (typeof value !== 'string' || type !== 'array' || fieldsIn(items).type !== 'string') return []
    const written: unknown = jsonValueOf(value)
    const isList = Array.isArray(written) && written.every((one) => typeof one === 'string')
    return [[name, isList ? written : [value]]]
  })
  return lists.length === 0 ? null : { ...args, ...Object.fromEntries(lists) }
}
