/** What calls are written with: the servers' abilities, the tool step, the calls of its run. */
import { escapeTags } from '@/lib/mas/formats'
import type { SkillName, StepRecord } from '@/lib/mas/records'
import { selectToolHistory } from '@/lib/mas/steps/history'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import type { SkillRun } from '../port'
import type { LanguagePrompts } from '../prompts'
import { shortAbilities } from './fittingLists'
import { section, tag } from './section'
import { type Part, share } from './storedPrompt'
import type { Told } from './told'

/** Share of the tokens for a list of abilities. */
const ABILITIES_SHARE = 0.25

type Run = Pick<SkillRun, 'world' | 'step' | 'abilities'>

/**
 * How calls are written, and the abilities of servers, each once in a conversation: for planning of all servers of the agent, for
 * instruction_generation and tool_decision of the one that is called.
 *
 * in      tokens of the prompt
 */
export async function abilityParts(
  run: Run,
  skill: SkillName,
  { mcp }: Pick<LanguagePrompts, 'mcp'>,
  told: Told | null,
  tokens: number,
): Promise<Part[]> {
  const { world, abilities } = run
  const servers = serversFor(run, skill)
  const room = Math.floor((tokens * ABILITIES_SHARE) / Math.max(1, servers.length))
  const lists = await Promise.all(
    servers.map(async (server) => {
      const list = shortAbilities(await abilities(server), room, world.team.language)
      return `abilities of ${escapeTags(server)}:\n${escapeTags(list)}`
    }),
  )
  const isUntold = (text: string): boolean => !(told?.holds('mcp_base_prompt', text) ?? false)
  const untold = lists.filter(isUntold)
  if (untold.length === 0) return []
  const text = [...[mcp].filter(isUntold), ...untold].join('\n\n')
  return [share('mcp_base_prompt', 'user', section('mcp_base_prompt', text))]
}

function serversFor({ world, step }: Run, skill: SkillName): readonly string[] {
  if (skill === 'planning') return world.agents[step.agent]?.tools ?? []
  if (skill === 'tool_decision')
    return selectToolHistory(world, step)
      .slice(-1)
      .map(({ executor }) => executor)
  return skill === 'instruction_generation' ? [boundOf({ world, step }).executor] : []
}

/** The tool step whose call is written; the calls that a tool_decision looks at. */
export function toolRunParts({ world, step }: Run, skill: SkillName, told: Told | null): Part[] {
  if (skill === 'tool_decision') {
    const about = writeToolHistory(selectToolHistory(world, step))
    return [share('tool_history', 'user', section('tool_history', about))]
  }
  if (skill !== 'instruction_generation') return []
  const bound = boundOf({ world, step })
  const text = writeToolStep(bound, told?.showsTextOf(bound) ?? false)
  return [share('tool_step', 'user', section('tool_step', text))]
}

function boundOf({ world, step }: Pick<Run, 'world' | 'step'>): StepRecord {
  const bound = step.boundTo === null ? undefined : stepIn(world.steps[step.task]?.[step.agent], step.boundTo)
  if (!bound) throw new Error(`the step ${step.id} writes an instruction for no tool step`)
  return bound
}

const writeToolStep = (bound: StepRecord, isTextAbove: boolean): string =>
  [
    tag('step_intention', escapeTags(bound.intention)),
    tag('executor', escapeTags(bound.executor)),
    ...(isTextAbove ? [] : [tag('step_text', escapeTags(bound.text))]),
  ].join('\n')

/** Which items of the history are calls of the current tool run; the first states its purpose. */
function writeToolHistory(calls: readonly StepRecord[]): string {
  const tools = calls.filter(({ type }) => type === 'tool')
  const decided = calls.findLastIndex(({ type }) => type === 'skill')
  const numbers = (steps: readonly StepRecord[]): string => steps.map(({ number }) => number).join(', ')
  return [`calls: ${numbers(tools)}`, `new: ${numbers(calls.slice(decided + 1))}`].join('\n')
}
