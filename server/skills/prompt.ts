/** Builds what a model gets for a step: the agent's conversation in the task, and a turn for the step; docs/prompts.md. */
import { estimateTokens } from '@/lib/mas/formats'
import type { StepId } from '@/lib/mas/ids'
import { takesRequests } from '@/lib/mas/outside/outsideWork'
import type { AgentRecord, MessageRecord, PromptRef, SkillName, StepRecord, TaskRecord } from '@/lib/mas/records'
import { type HistoryRecords, hasEndedRun, selectHistoryRecords } from '@/lib/mas/steps/history'
import { stageHandle } from '@/lib/mas/team/handles'
import { memo } from '@/lib/memo'
import type { Media, Turn } from '../models/model'
import { MEDIA_TOKENS } from '../models/usage'
import type { SkillRun } from './port'
import { gatherAttachments } from './prompt/attachments'
import {
  messagesOfStep,
  writeAnswerLine,
  writePart,
  writeRules,
  writeStepHead,
  writeStepNow,
} from './prompt/currentStep'
import { writeMemory, writeStepsToCome } from './prompt/fittingLists'
import { buildHistory, buildNewItems, buildResults, type HistorySection, writeWhole } from './prompt/historySection'
import { type MessagesSection, writeMessages } from './prompt/messagesSection'
import { isManager, writeRole, writeSkills } from './prompt/role'
import { type SectionName, section } from './prompt/section'
import { keepOnce, type Part, resultEntry, share, turnsOf } from './prompt/storedPrompt'
import { writeTask } from './prompt/taskSection'
import { writeStages } from './prompt/taskState'
import { readTold, type Told } from './prompt/told'
import { abilityParts, toolRunParts } from './prompt/toolParts'
import type { PromptEntry } from './prompt/turnList'
import type { LanguagePrompts, SkillPrompt } from './prompts'

export type Prompt = {
  turns: Turn[]
  /** What a call stores of it, before later turns, and for the reference of the call. */
  stored: readonly PromptEntry[]
  about: Pick<PromptRef, 'cut' | 'seq'>
  /** Upper bound of the estimated tokens of its turns. */
  tokens: number
  /** Null: everything is shown whole. */
  more: More | null
}

/** native: by calls of functions, which show how calls are written; reserved: tokens of these functions */
export type HowAsked = { form: PromptForm; reserved: number }
type PromptForm = 'native' | 'tags'

/** Items that are not shown whole, by number, as far as the tokens allow; '' without such items. */
type More = (numbers: number[], tokens: number) => Promise<string>

/** The share of a model's context for the prompt; the rest is for the answer and repairs. */
const PROMPT_SHARE = 0.75
const LEAST_HISTORY_TOKENS = 500
/** A full history is cut in so many blocks, so that a conversation that begins anew has room for some steps. */
const HISTORY_BLOCKS = 4
/** Share of a prompt's tokens for the results of stages. */
const RESULTS_SHARE = 0.25
/** Share of the history's tokens for earlier messages. */
const MESSAGES_SHARE = 0.25
/** Shares of the tokens left by required parts: for notes, and of the rest for coming steps. */
const NOTES_SHARE = 0.5
const COMING_SHARE = 0.5
/** Share of the history's tokens for pictures, sounds and attached texts. */
const ATTACHED_SHARE = 0.5

/**
 * The prompt continues after the agent's last answer if what came since fits; else the conversation begins anew with the history.
 *
 * in      the run (world, step, bodies, abilities); the prompts of the team's language; how the model answers
 * out     the turns, what is stored of them with a call, and access to more of the history
 * faults  an Error when the step's agent or task is not in the world
 * source  docs/prompts.md
 */
export async function buildPrompt(
  run: Asked['run'],
  skill: SkillName,
  prompts: LanguagePrompts,
  { form, reserved }: HowAsked = { form: 'tags', reserved: 0 },
): Promise<Prompt> {
  const { world, step } = run
  const agent = world.agents[step.agent]
  if (!agent) throw new Error(`no agent ${step.agent} in the world`)
  const task = world.tasks[step.task]
  if (!task) throw new Error(`no task ${step.task} in the world`)
  const records = selectHistoryRecords(world, step)
  const steps: Steps = { ...records, shown: shownOf(records.over) }
  const asked: Asked = {
    run,
    form,
    skill,
    prompts,
    agent,
    task,
    steps,
    budget: Math.floor((run.model.contextTokens - reserved) * PROMPT_SHARE),
  }
  const told = await readTold(run)
  const next = told === null ? null : await continued(asked, told)
  return next ?? begun(asked)
}

/** The agent's steps of this conversation; shown: ended ones with content. */
type Steps = HistoryRecords & { shown: StepRecord[] }

type Asked = {
  run: Pick<SkillRun, 'world' | 'step' | 'bodies' | 'now' | 'model' | 'abilities'>
  form: PromptForm
  skill: SkillName
  prompts: LanguagePrompts
  agent: AgentRecord
  task: TaskRecord
  steps: Steps
  /** Tokens of the whole prompt. */
  budget: number
}

/** The first prompt of a conversation, or one that begins anew: the history within the budget. */
async function begun(asked: Asked): Promise<Prompt> {
  const { budget, steps } = asked
  const system = [systemPart(asked)]
  const before = await firstParts(asked, null)
  const part = partIf('current_part', writePart(asked.run.world, asked.run.step))
  const current = [...toolRunParts(asked.run, asked.skill, null), ...stepParts(asked, null)]
  const used = tokensIn([...system, ...before, ...part, ...current])
  const due = dueParts(asked, null, Math.max(0, budget - LEAST_HISTORY_TOKENS - used))
  const log = await logParts(asked, Math.max(LEAST_HISTORY_TOKENS, budget - used - tokensIn(due)))
  const user = [...before, ...log.before, ...part, ...log.items, ...due, ...current]
  const isCut = log.cut.history || log.cut.messages.size > 0
  return {
    turns: [{ role: 'system', content: joined(system), endsPrefix: true }, userTurn(user, log.media)],
    stored: turnsOf([...system, ...user]),
    about: { ...(log.blocks === undefined ? {} : { cut: log.blocks }), seq: asked.run.world.seq },
    tokens: tokensOf([...system, ...user], log.media),
    more: isCut ? moreOf(asked.run, steps.over, log.cut.messages) : null,
  }
}

/** The conversation with a turn of what came since; null: it does not fit, or its beginning is another now. */
async function continued(asked: Asked, told: Told): Promise<Prompt | null> {
  const { run, steps, budget, prompts } = asked
  const { world, step } = run
  if (systemPart(asked).text !== told.turns[0]?.content) return null
  const since = steps.shown.filter((one) => (one.endedSeq ?? 0) > told.seq || one.id === told.answered.id)
  const how = { bodies: run.bodies, stageOf: stageOf(asked) }
  const results = await buildResults(steps.over, told, how)
  const fresh = since.filter(({ id }) => !results.some(({ step }) => step === id))
  const items = await buildNewItems(fresh, told, how)
  const along = await gatherAttachments(run, run.model.accepts?.length ? steps.shown : since, budget)
  // Pictures and sounds are stored with their messages and results, not with a turn.
  if (along !== null && along.media.length > 0) return null
  const left = budget - told.tokens
  const others = { ended: [...since, told.answered], coming: steps.coming }
  const isTold = ({ id, seq, fromStep }: MessageRecord): boolean =>
    seq <= told.seq || told.messages.has(id) || fromStep === told.answered.id
  const said = writeMessages(world, step, others, Math.max(0, left), '', isTold)
  if (said !== null && said.cut.size > 0) return null
  const user = [
    ...(await firstParts(asked, told)),
    ...messagesPart(said),
    ...changed(told, 'current_part', writePart(world, step)),
    ...(items === null ? [] : [historyPart(items)]),
    ...(along === null ? [] : [keepOnce('attachments', along.text)]),
    ...dueParts(asked, told, Math.max(0, left)),
    ...toolRunParts(run, asked.skill, told),
    ...stepParts(asked, told),
  ]
  const tokens = told.tokens + tokensOf(user, []) + results.reduce((sum, { text }) => sum + estimateTokens(text) + 1, 0)
  if (tokens > budget) return null
  const isCut = told.holds('history_step', prompts.more) || told.holds('messages', prompts.more)
  return {
    turns: [
      ...told.turns,
      ...results.map(({ call, text }) => ({ role: 'tool' as const, call: call.id, name: call.name, content: text })),
      userTurn(user, []),
    ],
    stored: [...told.stored, ...results.map(({ call, text }) => resultEntry(call, text)), ...turnsOf(user)],
    about: { ...(told.cut === undefined ? {} : { cut: told.cut }), seq: world.seq },
    tokens,
    more: isCut ? moreOf(run, steps.over, new Map()) : null,
  }
}

/** Servers cache up to this turn, which the next prompt of the conversation has, too. */
const userTurn = (parts: readonly Part[], media: Media[]): Turn => ({
  role: 'user',
  content: joined(parts),
  endsPrefix: true,
  ...(media.length > 0 ? { media } : {}),
})

const partIf = (name: SectionName, text: string | null): Part[] =>
  text === null ? [] : [share(name, 'user', section(name, text))]

/** The part, unless its newest text in the conversation is the same. */
function changed(told: Told | null, name: SectionName, text: string | null): Part[] {
  const [part] = partIf(name, text)
  return part === undefined || told?.newest(name) === part.text ? [] : [part]
}

const systemPart = ({ prompts, form }: Asked): Part => share('system_prompt', 'system', SYSTEM_OF[form](prompts))

/** What most agents of a task have alike comes first, since providers cache the start of a prompt. */
async function firstParts(asked: Asked, told: Told | null): Promise<Part[]> {
  const { run, form, agent, task, skill, prompts, budget } = asked
  return [
    ...changed(told, 'current_task', writeTask(run.world, task, agent.id)),
    ...planningParts(asked, told),
    // Functions show their own arguments.
    ...(form === 'native' ? [] : await abilityParts(run, skill, prompts, told, budget)),
    ...rulesParts(asked, told),
    ...changed(told, 'agent_role', writeRole(run.world, agent)),
    ...stageParts(asked, told),
  ]
}

function stageParts({ run: { world, step }, task, agent, budget }: Asked, told: Told | null): Part[] {
  if (task.base || takesRequests(task, agent.id)) return []
  return partIf('stages', writeStages(world, task, step, Math.floor(budget * RESULTS_SHARE), told))
}

function planningParts({ run: { world }, agent, skill, prompts }: Asked, told: Told | null): Part[] {
  const name = 'available_skills_and_tools'
  const plans = PLANS_STEPS.includes(skill)
  const mayPlan = MAY_PLAN.includes(skill) && isManager(world, agent)
  if (!plans && !mayPlan) return []
  const isTold = (isWhole: boolean): boolean => told?.holds(name, writeSkills(world, agent, prompts, isWhole)) ?? false
  return isTold(true) || (!plans && isTold(false)) ? [] : partIf(name, writeSkills(world, agent, prompts, plans))
}

/** The step at hand. */
function stepParts({ run, agent, task, skill, prompts, steps }: Asked, told: Told | null): Part[] {
  const { world, step, now } = run
  // A tool_decision has the text of the call before it.
  const isOfCall = skill === 'tool_decision' && steps.over.at(-1)?.intention === step.text
  const isTextAbove = told !== null && (isOfCall || told.showsTextOf(step))
  const above = { text: isTextAbove, answers: told !== null }
  return [
    share('current_step', 'user', writeStepHead(world, step)),
    keepOnce('current_step/now', writeStepNow(world, step, now, above), messagesOfStep(world, step)),
    share('current_step/answer', 'user', writeAnswerLine(prompts.skills[skill], takesRequests(task, agent.id))),
  ]
}

/** The rules of the step's skill, once in the conversation; a plan has those of the skills that nearly every part uses after it. */
function rulesParts({ form, agent, task, skill, prompts }: Asked, told: Told | null): Part[] {
  const isBase = takesRequests(task, agent.id)
  const after = agent.tools.length > 0 ? AFTER_PLANNING : AFTER_PLANNING.filter((name) => name !== 'tool_decision')
  const texts = [skill, ...(skill === 'planning' ? after : [])].map(
    (name) => `skill ${name}\n${(isBase ? BASE_RULES_OF : RULES_OF)[form](prompts.skills[name])}`,
  )
  const untold = texts.filter((text) => !(told?.holds('skill_rules', text) ?? false))
  return untold.length === 0 ? [] : partIf('skill_rules', untold.join('\n'))
}

const AFTER_PLANNING: readonly SkillName[] = ['tool_decision', 'reflection']

/** Coming steps and notes, within these tokens. */
function dueParts({ run, steps }: Asked, told: Told | null, tokens: number): Part[] {
  const { world, step } = run
  const notes = writeMemory(world, step, Math.floor(tokens * NOTES_SHARE))
  const noted = changed(told, 'persistent_memory', notes)
  const due = steps.coming.filter(({ id }) => id !== step.boundTo)
  const isTold = (one: StepRecord): boolean => told?.holds('steps_to_come', `- ${stepLine(one)}`) ?? false
  if (due.every(isTold)) return noted
  const isSaid = ({ text, cause }: StepRecord): boolean =>
    steps.shown.some((one) => one.text === text || (tookIn(one) !== null && tookIn(one) === cause.message))
  const stage = stageOf({ run })
  const left = tokens - tokensIn(noted)
  const coming = writeStepsToCome(world, due, isSaid, stage, Math.floor(left * COMING_SHARE))
  return coming === null ? noted : [keepOnce('steps_to_come', section('steps_to_come', coming)), ...noted]
}

const stepLine = ({ number }: StepRecord): string => `#${number} `

type Log = {
  before: Part[]
  items: Part[]
  media: Media[]
  /** What is not shown whole: items of the history, and messages by number. */
  cut: { history: boolean; messages: ReadonlyMap<number, string> }
  blocks: PromptRef['cut']
}

/** Messages and steps before this one. */
async function logParts(asked: Asked, room: number): Promise<Log> {
  const { run, prompts, steps } = asked
  const { world, step } = run
  const others = { ended: steps.shown, coming: steps.coming }
  const said = writeMessages(world, step, others, Math.floor(room * MESSAGES_SHARE), prompts.more, () => false)
  const messages = messagesPart(said)
  const along = await gatherAttachments(run, steps.shown, Math.floor(room * ATTACHED_SHARE))
  const attached = along === null ? [] : [keepOnce('attachments', along.text)]
  const tokens = Math.max(LEAST_HISTORY_TOKENS, room - (along?.tokens ?? 0) - tokensIn(messages))
  const history = await buildHistory(steps.shown, {
    tokens,
    block: Math.ceil((run.model.contextTokens * PROMPT_SHARE) / HISTORY_BLOCKS),
    more: said !== null && said.cut.size > 0 ? '' : prompts.more,
    bodies: run.bodies,
    ended: steps.over,
    stageOf: stageOf(asked),
  })
  return {
    before: messages,
    items: [...(steps.shown.length === 0 ? [] : [historyPart(history)]), ...attached],
    media: along?.media ?? [],
    cut: { history: history.isCut, messages: said?.cut ?? new Map() },
    blocks: history.cut,
  }
}

const messagesPart = (said: MessagesSection | null): Part[] =>
  said === null ? [] : [share('messages', 'user', section('messages', said.text), said.messages)]

/** The handle of a step's stage, if it is another than that of the step at hand. */
const stageOf =
  ({ run: { world, step } }: Pick<Asked, 'run'>) =>
  (one: StepRecord): string | null => {
    const stage = one.stage === null || one.stage === step.stage ? undefined : world.stages[one.task]?.[one.stage]
    return stage === undefined ? null : stageHandle(world, stage)
  }

const tookIn = ({ executor, cause }: StepRecord) => (executor === 'process_message' ? cause.message : null)

const historyPart = ({ text, turns, tokens }: Pick<HistorySection, 'text' | 'turns' | 'tokens'>): Part => ({
  name: 'history_step' satisfies SectionName,
  role: 'user',
  text,
  turns,
  tokens,
  isOwn: true,
})

/** Items of the history and earlier messages that are not shown whole. */
const moreOf =
  ({ bodies }: Pick<SkillRun, 'bodies'>, over: readonly StepRecord[], cut: ReadonlyMap<number, string>): More =>
  async (numbers, tokens) => {
    const messages = numbers.flatMap((number) => cut.get(number) ?? [])
    const used = messages.reduce((sum, text) => sum + estimateTokens(text), 0)
    const others = numbers.filter((number) => !cut.has(number))
    const items = await writeWhole(over, others, Math.max(0, tokens - used), bodies)
    return [...messages, items].filter(Boolean).join('\n')
  }

const tokensIn = (parts: readonly Part[]): number => parts.reduce((sum, { tokens }) => sum + tokens, 0)

/** One more per part: the line end after it. */
const tokensOf = (parts: readonly Part[], media: readonly Media[]): number =>
  parts.reduce((sum, { tokens }) => sum + tokens + 1, media.length * MEDIA_TOKENS)

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
 * One for all agents of a team, since providers cache the start of a prompt: with the form of planned steps and the rules of notes.
 * Texts of prompt files are kept, so that comparisons with kept parts are by identity.
 */
const SYSTEM_OF = {
  tags: memo(({ system, inTags, planning, memory }: LanguagePrompts) => systemOf([system, inTags, planning, memory])),
  // A function shows its own form.
  native: memo(({ system, byFunctions, planning, memory }: LanguagePrompts) =>
    systemOf([system, byFunctions, planning, memory.replace(/^<.*$/m, '')]),
  ),
}
const systemOf = (texts: readonly string[]): string =>
  section('system_prompt', texts.map((text) => text.trimEnd()).join('\n\n'))
const RULES_OF = {
  tags: memo((skill: SkillPrompt) => writeRules(skill, false, true)),
  native: memo((skill: SkillPrompt) => writeRules(skill, false, false)),
}
const BASE_RULES_OF = {
  tags: memo((skill: SkillPrompt) => writeRules(skill, true, true)),
  native: memo((skill: SkillPrompt) => writeRules(skill, true, false)),
}

/** Joined without copying: callers that only measure a long history never read it. */
const joined = (parts: readonly { text: string }[]): string =>
  parts.reduce((all, { text }) => (all === '' ? text : `${all}\n${text}`), '')
