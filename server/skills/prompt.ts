/** Builds a skill's prompt; the layout is in docs/prompts.md. */
import { escapeTags, estimateTokens } from '@/lib/mas/formats'
import type { MessageId, StepId } from '@/lib/mas/ids'
import { stepIn } from '@/lib/mas/ownSteps'
import type { AgentRecord, PromptRef, SkillName, StepRecord, World } from '@/lib/mas/records'
import { takesRequests } from '@/lib/mas/selectors/outside/outsideWork'
import {
  type HistoryRecords,
  hasEndedRun,
  selectCauseMessage,
  selectHistoryRecords,
  selectToolHistory,
} from '@/lib/mas/selectors/steps/history'
import { memo } from '@/lib/memo'
import type { Media, Turn } from '../models/model'
import { MEDIA_TOKENS } from '../models/usage'
import type { SkillRun } from './port'
import { gatherAttachments } from './prompt/attachments'
import { messagesOfStep, writePart, writeStepHead, writeStepNow, writeStepRules } from './prompt/currentStep'
import { callsIn, writeFiles } from './prompt/files'
import { shortAbilities, writeMemory, writeStepsToCome } from './prompt/fittingLists'
import { buildHistory, type HistorySection } from './prompt/historySection'
import { type MessagesSection, writeMessages } from './prompt/messagesSection'
import { isManager, writeRole, writeSkills } from './prompt/role'
import { type SectionName, section, tag } from './prompt/section'
import { keepOnce, type Part, type Role, share, turnsOf } from './prompt/storedPrompt'
import { writeTask } from './prompt/taskSection'
import { writeStages } from './prompt/taskState'
import type { PromptEntry } from './prompt/turnList'
import type { LanguagePrompts, SkillPrompt } from './prompts'

/** What a skill sees beside its own step. */
export type Sees = 'nothing' | 'history'

export type Prompt = {
  turns: Turn[]
  /** What a call stores of it, before later turns, and for the reference of the call. */
  stored: readonly PromptEntry[]
  cut: PromptRef['cut']
  /** Upper bound of the estimated tokens of its turns. */
  tokens: number
  /** Null: everything is shown whole. */
  more: More | null
}

/** Items that are not shown whole, by number, as far as the tokens allow; '' without such items. */
type More = (numbers: number[], tokens: number) => Promise<string>

/** The share of a model's context for the prompt; the rest is for the answer and repairs. */
const PROMPT_SHARE = 0.75
const LEAST_HISTORY_TOKENS = 500
/** A full history is cut in so many blocks, so that the remaining prompt stays a stable prefix for some steps. */
const HISTORY_BLOCKS = 4
/** Share of a prompt's tokens for the results of stages. */
const RESULTS_SHARE = 0.25
/** Share of the history's tokens for earlier messages. */
const MESSAGES_SHARE = 0.25
/** Share of a prompt's tokens for a list of abilities. */
const ABILITIES_SHARE = 0.25
/** Shares of the tokens left by required parts: for notes, and of the rest for coming steps. */
const NOTES_SHARE = 0.5
const COMING_SHARE = 0.5
/** Share of the history's tokens for pictures, sounds and attached texts. */
const ATTACHED_SHARE = 0.5

/**
 * in      the run (world, step, bodies, abilities); what the skill sees; the prompts of the team's language
 * out     the system and the user turn, what is stored of them with a call, and access to more of the history
 * faults  an Error when the step's agent or task is not in the world
 * source  docs/prompts.md
 */
export async function buildPrompt(
  run: Asked['run'],
  skill: SkillName,
  sees: Sees,
  prompts: LanguagePrompts,
): Promise<Prompt> {
  const { world, step } = run
  const agent = world.agents[step.agent]
  if (!agent) throw new Error(`no agent ${step.agent} in the world`)
  const task = world.tasks[step.task]
  if (!task) throw new Error(`no task ${step.task} in the world`)
  const records = selectHistoryRecords(world, step)
  const steps: Steps = { ...records, shown: shownOf(records.over) }
  const asked: Asked = { run, skill, sees, prompts, steps }
  const budget = Math.floor(run.model.contextTokens * PROMPT_SHARE)
  const hasStages = !task.base && !takesRequests(task, agent.id)
  const fixed = [
    share('system_prompt', 'system', systemOf(prompts)),
    own('agent_role', 'system', writeRole(world, agent)),
    own('current_task', 'user', writeTask(world, task, agent.id)),
    ...ownIf('stages', hasStages ? writeStages(world, task, step, Math.floor(budget * RESULTS_SHARE)) : null),
  ]
  const part = ownIf('current_part', writePart(world, step))
  const needed = [...planningParts(asked, agent), ...(await toolParts(asked))]
  const head = share('current_step', 'user', writeStepHead(world, step))
  const rulesFor = takesRequests(task, agent.id) ? baseRulesOf : rulesOf
  const rules = share('current_step/rules', 'user', rulesFor(prompts.skills[skill]))
  const now = writeStepNow(world, step, run.now)
  const used = tokensIn([...fixed, ...part, ...needed, head, rules]) + estimateTokens(now(false))
  const due = dueParts(asked, Math.max(0, budget - LEAST_HISTORY_TOKENS - used))
  const log = await logParts(asked, Math.max(LEAST_HISTORY_TOKENS, budget - used - tokensIn(due)))
  // Parts that depend on the skill or the time come after the log, so that the text before stays a prefix.
  const messages = log.holdsMessage ? [] : messagesOfStep(world, step)
  const current = [head, keepOnce('current_step/now', now(log.holdsMessage), messages), rules]
  const parts = [...fixed, ...log.before, ...part, ...log.items, ...needed, ...due, ...current]
  const { media, more, cut } = log
  return {
    turns: [
      { role: 'system', content: joined(parts, 'system'), endsPrefix: true },
      { role: 'user', content: joined(parts, 'user'), ...(media.length > 0 ? { media } : {}) },
    ],
    stored: turnsOf(parts),
    cut,
    // One more per part: the line end after it.
    tokens: parts.reduce((sum, { tokens }) => sum + tokens + 1, media.length * MEDIA_TOKENS),
    more,
  }
}

/** The agent's steps of this history; shown: finished ones with content. */
type Steps = HistoryRecords & { shown: StepRecord[] }

type Asked = {
  run: Pick<SkillRun, 'world' | 'step' | 'bodies' | 'now' | 'model' | 'abilities'>
  skill: SkillName
  sees: Sees
  prompts: LanguagePrompts
  steps: Steps
}

const own = (name: SectionName, role: Role, text: string): Part => share(name, role, section(name, text))
const ownIf = (name: SectionName, text: string | null): Part[] => (text === null ? [] : [own(name, 'user', text)])

function planningParts({ run: { world }, skill, prompts }: Asked, agent: AgentRecord): Part[] {
  const plans = PLANS_STEPS.includes(skill)
  const mayPlan = MAY_PLAN.includes(skill) && isManager(world, agent)
  return plans || mayPlan ? ownIf('available_skills_and_tools', writeSkills(world, agent, prompts, plans)) : []
}

/** Coming steps and notes, within the tokens that required parts leave. */
function dueParts({ run, sees, steps }: Asked, tokens: number): Part[] {
  const { world, step } = run
  const notes = ownIf('persistent_memory', writeMemory(world, step.agent, Math.floor(tokens * NOTES_SHARE)))
  const due = steps.coming.filter(({ id }) => id !== step.boundTo)
  const seen = seenOf(sees, steps)
  const isShown = ({ text, cause }: StepRecord): boolean =>
    seen.some((one) => one.text === text || (tookIn(one) !== null && tookIn(one) === cause.message))
  const coming = writeStepsToCome(world, due, isShown, Math.floor((tokens - tokensIn(notes)) * COMING_SHARE))
  if (coming === null) return notes
  return [keepOnce('steps_to_come', section('steps_to_come', coming)), ...notes]
}

type Log = {
  before: Part[]
  items: Part[]
  media: Media[]
  /** The step's own message is among them. */
  holdsMessage: boolean
  more: More | null
  cut: PromptRef['cut']
}

/** Messages and steps before this part of a stage, and in it. */
async function logParts({ run, skill, sees, prompts, steps }: Asked, room: number): Promise<Log> {
  const { world, step } = run
  const knowsPast = sees !== 'nothing' || skill === 'planning'
  const seen = seenOf(sees, steps)
  const listed = sees !== 'nothing' ? 'said' : knowsPast ? 'saidAndAnswers' : 'answers'
  const tokens = Math.floor(room * MESSAGES_SHARE)
  const said = writeMessages(world, step, { ended: seen, coming: steps.coming }, tokens, prompts.more, listed)
  const taken = skill === 'process_message' ? selectCauseMessage(world, step) : null
  const messages = said === null ? [] : [share('messages', 'user', section('messages', said.text), said.messages)]
  const files = ownIf('files', knowsPast ? filesBefore(world, step, steps.over) : null)
  const along = await gatherAttachments(run, seen, Math.floor(room * ATTACHED_SHARE))
  const attached = along === null ? [] : [keepOnce('attachments', along.text)]
  const left = Math.max(LEAST_HISTORY_TOKENS, room - (along?.tokens ?? 0) - tokensIn(messages))
  const how = said !== null && said.cut.size > 0 ? '' : prompts.more
  const history = await historyOf(run, seen, steps.over, sees, left, how)
  return {
    before: [...messages, ...files],
    items: [...(history === null ? [] : [historyPart(history)]), ...attached],
    media: along?.media ?? [],
    holdsMessage: taken === null ? false : (said?.whole.has(taken.id) ?? false),
    more: moreOf(history, said),
    cut: history?.cut,
  }
}

const tookIn = ({ executor, cause }: StepRecord): MessageId | null =>
  executor === 'process_message' ? cause.message : null

/** The ended steps that the prompt shows. */
const seenOf = (sees: Sees, { shown }: Steps): readonly StepRecord[] => (sees === 'nothing' ? [] : shown)

const historyPart = ({ text, turns, tokens }: HistorySection): Part => ({
  name: 'history_step' satisfies SectionName,
  role: 'user',
  text,
  turns,
  tokens,
  isOwn: true,
})

/** Items of the history and earlier messages that are not shown whole. */
function moreOf(history: HistorySection | null, said: MessagesSection | null): More | null {
  const cut = said?.cut ?? new Map<number, string>()
  if (!history?.isCut && cut.size === 0) return null
  return async (numbers, tokens) => {
    const messages = numbers.flatMap((number) => cut.get(number) ?? [])
    const used = messages.reduce((sum, text) => sum + estimateTokens(text), 0)
    const others = numbers.filter((number) => !cut.has(number))
    const items = (await history?.whole(others, Math.max(0, tokens - used))) ?? ''
    return [...messages, items].filter(Boolean).join('\n')
  }
}

/** Files of the agent's earlier parts in this task; those of the present part are in its history. */
function filesBefore(world: World, step: StepRecord, shown: readonly StepRecord[]): string | null {
  if (world.tasks[step.task]?.base !== false) return null
  const calls = callsIn(world.steps[step.task]?.[step.agent])
  const lines = calls.length === 0 ? [] : writeFiles(calls.filter((one) => !shown.includes(one)))
  return lines.length === 0 ? null : lines.join('\n')
}

const tokensIn = (parts: readonly Part[]): number => parts.reduce((sum, { tokens }) => sum + tokens, 0)

const PLANS_STEPS: readonly SkillName[] = ['planning', 'reflection', 'decision']
/** Manager skills that may plan a few steps first, to look something up. */
const MAY_PLAN: readonly SkillName[] = ['send_message', 'task_manager']

/** A tool step shows its call and result; the steps that wrote the call or continued the tool add nothing. */
const isShown = (step: StepRecord): boolean =>
  step.state === 'failed' ||
  (step.executor !== 'instruction_generation' && (step.executor !== 'tool_decision' || hasEndedRun(step)))

/** Without the message that repeats the answer of ask_info, which is that step's result. */
function shownOf(over: readonly StepRecord[]): StepRecord[] {
  const shown: StepRecord[] = []
  const asked = new Set<StepId>()
  for (const step of over) {
    if (!isShown(step)) continue
    shown.push(step)
    if (step.executor === 'ask_info') asked.add(step.id)
  }
  if (asked.size === 0) return shown
  const isSaid = ({ executor, cause }: StepRecord): boolean =>
    executor === 'process_message' && cause.step !== null && asked.has(cause.step)
  return shown.filter((step) => !isSaid(step))
}

/**
 * Includes the form of planned steps and the rules of notes for all skills, since providers cache the start of a prompt. Texts of
 * prompt files are cached, so that comparisons with cached parts are by identity.
 */
const systemOf = memo(({ system, planning, memory }: LanguagePrompts) =>
  section('system_prompt', [system, planning, memory].map((text) => text.trimEnd()).join('\n\n')),
)
const rulesOf = memo((skill: SkillPrompt) => writeStepRules(skill, false))
const baseRulesOf = memo((skill: SkillPrompt) => writeStepRules(skill, true))

/** Joined without copying: callers that only measure a long history never read it. */
const joined = (parts: { role: Role; text: string }[], role: Role): string =>
  parts.reduce((all, part) => (part.role !== role ? all : all === '' ? part.text : `${all}\n${part.text}`), '')

/** What calls are written with: by planning, by instruction_generation for its tool step, by tool_decision for the tool that ran. */
async function toolParts({ run, skill, prompts }: Asked): Promise<Part[]> {
  const { world, step } = run
  if (skill === 'tool_decision') {
    const calls = selectToolHistory(world, step)
    const ran = calls.at(-1)
    const about = own('tool_history', 'user', writeToolHistory(calls))
    return ran ? [about, await abilitiesPart(run, [ran.executor], prompts)] : [about]
  }
  if (skill === 'planning') {
    const tools = world.agents[step.agent]?.tools ?? []
    return tools.length === 0 ? [] : [await abilitiesPart(run, tools, prompts)]
  }
  if (skill !== 'instruction_generation') return []
  const bound = step.boundTo === null ? undefined : stepIn(world.steps[step.task]?.[step.agent], step.boundTo)
  if (!bound) throw new Error(`the step ${step.id} writes an instruction for no tool step`)
  return [own('tool_step', 'user', writeToolStep(bound)), await abilitiesPart(run, [bound.executor], prompts)]
}

async function abilitiesPart(
  { world, model, abilities }: Pick<SkillRun, 'world' | 'model' | 'abilities'>,
  servers: readonly string[],
  prompts: LanguagePrompts,
): Promise<Part> {
  const room = Math.floor((model.contextTokens * PROMPT_SHARE * ABILITIES_SHARE) / servers.length)
  const lists = await Promise.all(
    servers.map(async (server) => {
      const list = shortAbilities(await abilities(server), room, world.team.language)
      return `abilities of ${escapeTags(server)}:\n${escapeTags(list)}`
    }),
  )
  return own('mcp_base_prompt', 'user', [prompts.mcp, ...lists].join('\n\n'))
}

const writeToolStep = (bound: StepRecord): string =>
  [
    tag('step_intention', escapeTags(bound.intention)),
    tag('executor', escapeTags(bound.executor)),
    tag('step_text', escapeTags(bound.text)),
  ].join('\n')

async function historyOf(
  run: Pick<SkillRun, 'world' | 'step' | 'bodies' | 'model'>,
  shown: readonly StepRecord[],
  ended: readonly StepRecord[],
  sees: Sees,
  tokens: number,
  more: string,
): Promise<HistorySection | null> {
  if (sees === 'nothing') return null
  const block = Math.ceil((run.model.contextTokens * PROMPT_SHARE) / HISTORY_BLOCKS)
  return buildHistory(shown, { tokens, block, more, bodies: run.bodies, ended })
}

/** Which items of the history are calls of the current tool run; the first states its purpose. */
function writeToolHistory(calls: readonly StepRecord[]): string {
  const tools = calls.filter(({ type }) => type === 'tool')
  const decided = calls.findLastIndex(({ type }) => type === 'skill')
  const numbers = (steps: readonly StepRecord[]): string => steps.map(({ number }) => number).join(', ')
  return [`calls: ${numbers(tools)}`, `new: ${numbers(calls.slice(decided + 1))}`].join('\n')
}
