/**
 * Puts a skill's prompt together, and joins a stored one again.
 *
 * The layout is written down in docs/prompts.md.
 */

import { escapeTags, estimateTokens } from '@/lib/mas/formats'
import { stepIn, stepsIn } from '@/lib/mas/ownSteps'
import type { BodyRef, PromptRef, SkillName, StepRecord, World } from '@/lib/mas/records'
import { stepHandle } from '@/lib/mas/selectors/handles'
import { hasEndedRun, selectCauseMessage, selectHistoryRecords, selectToolHistory } from '@/lib/mas/selectors/history'
import { sayInLanguage } from '@/lib/mas/words'
import type { Turn } from '../models/model'
import { MEDIA_TOKENS } from '../models/usage'
import { inlineRefOf, rememberMeasures } from './makeBody'
import type { BodyCache, SkillRun } from './port'
import { gatherAttachments } from './prompt/attachments'
import { countFitting } from './prompt/countFitting'
import { writePart, writeStepHead, writeStepNow, writeStepRules } from './prompt/currentStep'
import { writeFiles } from './prompt/files'
import { isHistory } from './prompt/historyChain'
import { buildHistory, type HistorySection, readHistory } from './prompt/historySection'
import { writeMemory } from './prompt/memory'
import { type MessagesSection, writeMessages } from './prompt/messagesSection'
import { isManager, writeRole, writeSkills } from './prompt/role'
import { indented, SECTION_NAMES, type SectionName, section, tag } from './prompt/section'
import { shortAbilities } from './prompt/shortAbilities'
import { writeStages } from './prompt/stagesSection'
import { writeTask } from './prompt/taskSection'
import type { LanguagePrompts, SkillPrompt } from './prompts'

/** What a skill sees beside itself. */
export type Sees = 'nothing' | 'history' | 'tool_history'

export type Prompt = {
  turns: Turn[]
  ref: PromptRef
  /** Never less than what its turns are estimated at. */
  tokens: number
  /** Null when everything is shown whole. */
  more: More | null
}

/** What is not shown whole: those of these numbers whole, as far as the tokens reach; empty when there are none. */
export type More = (numbers: number[], tokens: number) => Promise<string>

type Role = PromptRef['sections'][number]['role']
type Section = PromptRef['sections'][number]
/** isShared: other prompts of the agent and skill have it too. */
type Part = { name: string; role: Role; text: string; body: BodyRef; tokens: number; isShared: boolean }

/** The share of a model's context that a prompt may fill; the rest is for the answer and its repairs. */
const PROMPT_SHARE = 0.75
const LEAST_HISTORY_TOKENS = 500
/** A history that is full is cut by so many parts of a prompt, so that what is left stays a prefix for a while. */
const HISTORY_BLOCKS = 4
/** Of what is left for the history, what messages of before may take. */
const MESSAGES_SHARE = 0.25
/** Of the room of a prompt, what a list of abilities may take. */
const ABILITIES_SHARE = 0.25
/** Of what the parts that must be there leave, what notes may take, and what is to come of the rest. */
const NOTES_SHARE = 0.5
const COMING_SHARE = 0.5
/** Of what is left for the history, what pictures, sounds and attached texts may take. */
const ATTACHED_SHARE = 0.5

/**
 * Build the prompt of a skill step.
 *
 * in      the run (world, step, bodies, the server's abilities); what the skill sees; the prompts of the team's language
 * out     the system and the user turn, the reference that the call keeps, and the history (to show more of it)
 * source  docs/prompts.md
 */
export async function buildPrompt(
  run: Pick<SkillRun, 'world' | 'step' | 'bodies' | 'now' | 'model' | 'abilities'>,
  skill: SkillName,
  sees: Sees,
  prompts: LanguagePrompts,
): Promise<Prompt> {
  const { world, step } = run
  const agent = world.agents[step.agent]
  if (!agent) throw new Error(`no agent ${step.agent} in the world`)
  const task = world.tasks[step.task]
  if (!task) throw new Error(`no task ${step.task} in the world`)
  const steps = selectHistoryRecords(world, step)
  const own = (name: SectionName, role: Role, text: string): Part => share(name, role, sectionOnce(name, text))
  const stages = task.base || task.manager !== agent.id ? null : writeStages(world, task)
  const goals = writePart(world, step)
  const part = goals === null ? null : own('current_part', 'user', goals)
  const fixed = [
    share('system_prompt', 'system', systemOf(prompts)),
    own('agent_role', 'system', writeRole(world, agent)),
    own('current_task', 'user', writeTask(world, task, agent.id)),
    ...(stages === null ? [] : [own('stages', 'user', stages)]),
  ]
  const over = shownOf(steps.over)
  const needed = [
    ...(PLANS_STEPS.includes(skill) || (MAY_PLAN.includes(skill) && isManager(world, agent))
      ? [own('available_skills_and_tools', 'user', writeSkills(world, agent, prompts, PLANS_STEPS.includes(skill)))]
      : []),
    ...(await toolParts(run, skill, over, prompts, own)),
  ]
  const head = share('current_step', 'user', writeStepHead(world, step))
  const rules = share('current_step/rules', 'user', (task.base ? baseRulesOf : rulesOf)(prompts.skills[skill]))
  const budget = Math.floor(run.model.contextTokens * PROMPT_SHARE)
  const used =
    tokensIn([...fixed, ...(part === null ? [] : [part]), ...needed, head, rules]) +
    estimateTokens(writeStepNow(world, step, run.now, false))
  const spare = Math.max(0, budget - LEAST_HISTORY_TOKENS - used)
  const makesNotes = MAKES_NOTES.includes(skill) ? prompts.memory : null
  const notes = writeMemory(world, agent.id, makesNotes, Math.floor(spare * NOTES_SHARE))
  const noted = notes === null ? [] : [own('persistent_memory', 'user', notes)]
  const due = steps.coming.filter(({ id }) => id !== step.boundTo)
  const coming = writeComing(world, due, Math.floor((spare - tokensIn(noted)) * COMING_SHARE))
  const next = coming === null ? [] : [keepOnce('steps_to_come', 'user', section('steps_to_come', coming), run.bodies)]
  // What depends on the skill or the moment comes behind the log, so that the text before it stays a prefix.
  const tail = [...needed, ...next, ...noted, head]
  const room = Math.max(LEAST_HISTORY_TOKENS, budget - used - tokensIn([...next, ...noted]))
  const seen = sees === 'nothing' ? [] : over
  const knowsPast = sees !== 'nothing' || skill === 'planning'
  const said = knowsPast
    ? writeMessages(world, step, [...over, ...steps.coming], Math.floor(room * MESSAGES_SHARE), prompts.more)
    : null
  const files = knowsPast ? filesBefore(world, step, steps.over) : []
  // A message that is taken in stands where later prompts have it too.
  const isAbove = skill === 'process_message' && said?.newest === selectCauseMessage(world, step)?.id
  const messages = said === null ? [] : [own('messages', 'user', said.text)]
  const along = await gatherAttachments(run, seen, Math.floor(room * ATTACHED_SHARE))
  const attached: Part[] = along === null ? [] : [keepOnce('attachments', 'user', along.text, run.bodies)]
  const left = room - (along?.tokens ?? 0) - tokensIn(messages)
  const more = said !== null && said.cut.size > 0 ? '' : prompts.more
  const history = await historyOf(run, seen, sees, Math.max(LEAST_HISTORY_TOKENS, left), more)
  const shown: Part[] = history
    ? [
        {
          name: 'history_step' satisfies SectionName,
          role: 'user',
          text: history.text,
          body: history.ref,
          tokens: history.tokens,
          isShared: false,
        },
      ]
    : []
  const parts = [
    ...fixed,
    ...messages,
    ...files.map((text) => own('files', 'user', text)),
    ...(part === null ? [] : [part]),
    ...shown,
    ...attached,
    ...tail,
    keepOnce('current_step/now', 'user', writeStepNow(world, step, run.now, isAbove), run.bodies),
    rules,
  ]
  return {
    turns: [
      { role: 'system', content: joined(parts, 'system') },
      { role: 'user', content: joined(parts, 'user'), ...(along?.media.length ? { media: along.media } : {}) },
    ],
    ref: framed(parts, steps.over, run.bodies),
    // One more for each part: the line end behind it.
    tokens: parts.reduce((sum, part) => sum + part.tokens + 1, (along?.media.length ?? 0) * MEDIA_TOKENS),
    more: moreOf(history, said),
  }
}

/** What is not shown whole: items of the history, and messages of before. */
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

/** Files of the agent's earlier parts in this task: those of this one stand in its history. */
function filesBefore(world: World, step: StepRecord, shown: readonly StepRecord[]): string[] {
  if (world.tasks[step.task]?.base !== false) return []
  const seen = new Set(shown)
  const lines = writeFiles(stepsIn(world.steps[step.task]?.[step.agent]).filter((one) => !seen.has(one)))
  return lines.length === 0 ? [] : [lines.join('\n')]
}

const tokensIn = (parts: readonly Part[]): number => parts.reduce((sum, { tokens }) => sum + tokens, 0)

/** Skills that make notes: their rules stand nowhere else. */
const MAKES_NOTES: readonly SkillName[] = ['process_message', 'reflection']

/** Skills whose answer plans steps. */
const PLANS_STEPS: readonly SkillName[] = ['planning', 'reflection', 'decision']
/** Skills by which a manager plans a few steps where it would have to look something up first. */
const MAY_PLAN: readonly SkillName[] = ['send_message', 'task_manager']

/** A tool step shows its call and the result: what wrote the call, and that the tool went on, say nothing more. */
const isShown = (step: StepRecord): boolean =>
  step.state === 'failed' ||
  (step.executor !== 'instruction_generation' && (step.executor !== 'tool_decision' || hasEndedRun(step)))

/** Without what the answer to ask_info is said in once more: it is that step's own result. */
function shownOf(over: readonly StepRecord[]): StepRecord[] {
  const asked = new Set(over.flatMap(({ id, executor }) => (executor === 'ask_info' ? [id] : [])))
  const isSaid = ({ executor, cause }: StepRecord): boolean =>
    executor === 'process_message' && cause.step !== null && asked.has(cause.step)
  return over.filter((step) => isShown(step) && !isSaid(step))
}

/** The steps that the agent's list still holds, a line each, as many as fit; of those that a message brought, the message too. */
function writeComing(world: World, steps: readonly StepRecord[], tokens: number): string | null {
  const lines = steps
    .filter(({ executor }) => executor !== 'instruction_generation')
    .map((step) => {
      const head = [
        stepHandle(step),
        step.type === 'tool' && 'tool',
        escapeTags(step.executor),
        step.answers && '(a reply)',
      ]
      const text =
        step.cause.message === null || step.text === step.intention ? '' : `\n  ${indented(escapeTags(step.text))}`
      return `- ${head.filter(Boolean).join(' ')}: ${escapeTags(oneLine(step.intention))}${text}`
    })
  if (lines.length === 0) return null
  const n = lines.length - countFitting(lines, tokens)
  const gone = n === 0 ? [] : [sayInLanguage(world.team.language, 'stepsLeftOut', { n })]
  return [...lines.slice(0, lines.length - n), ...gone].join('\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Texts of a prompt file, written once: comparing them with what is remembered then costs nothing. */
function onceFor<Source extends object>(write: (source: Source) => string): (source: Source) => string {
  const known = new WeakMap<Source, string>()
  return (source) => {
    const text = known.get(source) ?? write(source)
    known.set(source, text)
    return text
  }
}
const systemOf = onceFor((prompts: LanguagePrompts) => section('system_prompt', prompts.system))
const rulesOf = onceFor((skill: SkillPrompt) => writeStepRules(skill, false))
const baseRulesOf = onceFor((skill: SkillPrompt) => writeStepRules(skill, true))

/** By its name and text: the same text comes as the same section, which is hashed and compared once. */
const sections = new Map<SectionName, Map<string, string>>()
const SECTIONS_KEPT = 2_000
function sectionOnce(name: SectionName, text: string): string {
  const own = sections.get(name) ?? new Map<string, string>()
  sections.set(name, own)
  const known = own.get(text)
  if (known !== undefined) return known
  const written = section(name, text)
  if (own.size >= SECTIONS_KEPT) own.clear()
  own.set(text, written)
  return written
}

/** Put together without being copied: a long history is in it, and whoever only measures it never reads it. */
const joined = (parts: { role: Role; text: string }[], role: Role): string =>
  parts.reduce((all, part) => (part.role !== role ? all : all === '' ? part.text : `${all}\n${part.text}`), '')

/** What a call is written with: by instruction_generation for its tool step, by tool_decision for the tool that ran. */
async function toolParts(
  run: Pick<SkillRun, 'world' | 'step' | 'model' | 'abilities'>,
  skill: SkillName,
  over: readonly StepRecord[],
  prompts: LanguagePrompts,
  own: (name: SectionName, role: Role, text: string) => Part,
): Promise<Part[]> {
  const { world, step } = run
  if (skill === 'tool_decision') {
    const calls = selectToolHistory(world, step)
    const ran = calls.at(-1)
    const about = own('tool_history', 'user', writeToolHistory(calls, over))
    return ran ? [about, await abilitiesPart(run, ran.executor, prompts, own)] : [about]
  }
  if (skill !== 'instruction_generation') return []
  const bound = step.boundTo === null ? undefined : stepIn(world.steps[step.task]?.[step.agent], step.boundTo)
  if (!bound) throw new Error(`the step ${step.id} writes an instruction for no tool step`)
  return [own('tool_step', 'user', writeToolStep(bound)), await abilitiesPart(run, bound.executor, prompts, own)]
}

async function abilitiesPart(
  { world, model, abilities }: Pick<SkillRun, 'world' | 'model' | 'abilities'>,
  server: string,
  prompts: LanguagePrompts,
  own: (name: SectionName, role: Role, text: string) => Part,
): Promise<Part> {
  const room = Math.floor(model.contextTokens * PROMPT_SHARE * ABILITIES_SHARE)
  const list = shortAbilities(await abilities(server), room, world.team.language)
  const text = `${prompts.mcp}\n\nabilities of ${escapeTags(server)}:\n${escapeTags(list)}`
  return own('mcp_base_prompt', 'user', text)
}

const writeToolStep = (bound: StepRecord): string =>
  [
    tag('step_intention', escapeTags(bound.intention)),
    tag('executor', escapeTags(bound.executor)),
    tag('step_text', escapeTags(bound.text)),
  ].join('\n')

async function historyOf(
  run: Pick<SkillRun, 'world' | 'step' | 'bodies' | 'model'>,
  over: readonly StepRecord[],
  sees: Sees,
  tokens: number,
  more: string,
): Promise<HistorySection | null> {
  if (sees === 'nothing') return null
  const block = Math.ceil((run.model.contextTokens * PROMPT_SHARE) / HISTORY_BLOCKS)
  return buildHistory('history_step', over, { tokens, block, more, bodies: run.bodies, before: '' })
}

/** Which items of the history are calls of the run at hand; the first of them says what it is for. */
function writeToolHistory(calls: readonly StepRecord[], over: readonly StepRecord[]): string {
  const numberOf = (step: StepRecord): number => step.number ?? over.indexOf(step) + 1
  const tools = calls.filter(({ type }) => type === 'tool')
  const decided = calls.findLastIndex(({ type }) => type === 'skill')
  const numbers = (steps: readonly StepRecord[]): string => steps.map(numberOf).join(', ')
  return [`calls: ${numbers(tools)}`, `new: ${numbers(calls.slice(decided + 1))}`].join('\n')
}

const measure = rememberMeasures()
/** Steps this far back are looked at for a frame that is stored already. */
const LOOK_BACK = 20

/** A part that prompts share: its text is measured and hashed once. */
function share(name: string, role: Role, text: string): Part {
  const { ref, tokens } = measure(text)
  return { name, role, text, body: ref, tokens, isShared: true }
}

/** A part that only this prompt has: a short one travels in its reference. */
function keepOnce(name: string, role: Role, text: string, bodies: BodyCache): Part {
  const body = inlineRefOf(text) ?? { ...bodies.make(text, 'text/plain'), preview: '' }
  return { name, role, text, body, tokens: estimateTokens(text), isShared: false }
}

/** The frame's body: parts that are shared, and `null` where a section of the call stands. */
type Frame = (Section | null)[]
const FRAME_MIME = 'application/vnd.convene.prompt-frame+json'

/** The reference of a prompt. Its frame, and the parts in it, are stored with the first prompt that has it. */
function framed(parts: Part[], steps: readonly StepRecord[], bodies: BodyCache): PromptRef {
  const sectionOf = ({ name, role, body }: Part): Section => ({ name, role, body })
  const frame: Frame = parts.map((part) => (part.isShared ? sectionOf(part) : null))
  const text = JSON.stringify(frame)
  const { sha, bytes } = measure(text).ref
  if (!isFrameStored(steps, sha)) {
    for (const part of parts) if (part.isShared) bodies.make(part.text, 'text/plain')
    bodies.make(text, FRAME_MIME)
  }
  return { frame: { sha, bytes }, sections: parts.filter((part) => !part.isShared).map(sectionOf) }
}

/** A call in the world that has this frame: it is durable, and so are its parts. */
const isFrameStored = (steps: readonly StepRecord[], sha: string): boolean =>
  steps.slice(-LOOK_BACK).some((step) => step.calls.some((call) => call.prompt.frame?.sha === sha))

/** All parts of a prompt in their order: the frame's with those of the call between them, then what was said after. */
async function partsOf({ frame, sections }: PromptRef, read: (body: BodyRef) => Promise<string>): Promise<Section[]> {
  if (frame === undefined) return sections
  const shared = JSON.parse(await read({ ...frame, preview: '', mime: FRAME_MIME })) as Frame
  const own = sections.values()
  const inFrame = shared.map((part) => part ?? own.next().value).filter((part) => part !== undefined)
  return [...inFrame, ...own]
}

/** A turn shown after the prompt itself: an answer of the model, or what the runtime says to it. */
export function keepTurn(name: string, turn: Turn, bodies: BodyCache): PromptRef['sections'][number] {
  return { name, role: turn.role, body: { ...bodies.make(turn.content, 'text/plain'), preview: '' } }
}

export type PromptText = { sections: { name: string; role: Role; text: string }[]; turns: Turn[] }

/**
 * A stored prompt, joined again.
 *
 * in      the reference that a call keeps; where bodies are read
 * out     its sections in order (the parts of one section joined), and the turns as the model got them
 */
export async function readStoredPrompt(ref: PromptRef, bodies: Pick<BodyCache, 'text'>): Promise<PromptText> {
  const read = (body: BodyRef): Promise<string> => bodies.text(body)
  const sections: PromptText['sections'] = []
  for (const part of await partsOf(ref, read)) {
    const name = part.name.split('/')[0] ?? part.name
    const known = SECTION_NAMES.find((section) => section === name)
    const text = known && isHistory(part.body) ? await readHistory(known, part.body, read) : await read(part.body)
    const last = sections.at(-1)
    if (known && last?.name === name) last.text += `\n${text}`
    else sections.push({ name: known ? name : part.name, role: part.role, text })
  }
  const turns: Turn[] = []
  for (const { role, text } of sections) {
    const last = turns.at(-1)
    if (last?.role === role) last.content += `\n${text}`
    else turns.push({ role, content: text })
  }
  return { sections, turns }
}
