/**
 * Puts a skill's prompt together, and joins a stored one again.
 *
 * The layout is written down in docs/prompts.md.
 */

import { escapeTags, estimateTokens } from '@/lib/mas/formats'
import { stepIn } from '@/lib/mas/ownSteps'
import type { BodyRef, PromptRef, SkillName, StepRecord } from '@/lib/mas/records'
import { type HistoryRecords, selectHistoryRecords, selectToolHistory } from '@/lib/mas/selectors/history'
import type { Turn } from '../models/model'
import { MEDIA_TOKENS } from '../models/usage'
import { inlineRefOf, rememberMeasures } from './makeBody'
import type { BodyCache, SkillRun } from './port'
import { gatherAttachments } from './prompt/attachments'
import { writeStepHead, writeStepNow, writeStepRules } from './prompt/currentStep'
import { isHistory } from './prompt/historyChain'
import { buildHistory, type HistorySection, readHistory } from './prompt/historySection'
import { writeMemory } from './prompt/memory'
import { writeRole } from './prompt/role'
import { SECTION_NAMES, type SectionName, section, tag } from './prompt/section'
import type { LanguagePrompts, SkillPrompt } from './prompts'

/** What a skill sees beside itself. */
export type Sees = 'nothing' | 'history' | 'tool_history'

export type Prompt = {
  turns: Turn[]
  ref: PromptRef
  /** Never less than what its turns are estimated at. */
  tokens: number
  history: HistorySection | null
}

type Role = PromptRef['sections'][number]['role']
type Section = PromptRef['sections'][number]
/** isShared: other prompts of the agent and skill have it too. */
type Part = { name: string; role: Role; text: string; body: BodyRef; tokens: number; isShared: boolean }

/** The share of a model's context that a prompt may fill; the rest is for the answer and its repairs. */
const PROMPT_SHARE = 0.75
const LEAST_HISTORY_TOKENS = 500
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
  const steps = selectHistoryRecords(world, step)
  const own = (name: SectionName, role: Role, text: string): Part => share(name, role, sectionOnce(name, text))
  const fixed = [
    share('system_prompt', 'system', systemOf(prompts)),
    own('agent_role', 'system', writeRole(world, agent, prompts)),
  ]
  const current = [
    share('current_step', 'user', writeStepHead(world, step)),
    keepOnce('current_step/now', 'user', writeStepNow(world, step, run.now), run.bodies),
    share('current_step/rules', 'user', rulesOf(prompts.skills[skill])),
  ]
  const tool = skill === 'instruction_generation' ? await toolParts(run, prompts, own) : []
  const memory = own('persistent_memory', 'user', writeMemory(world, agent.id, prompts.memory))
  const used = [...fixed, ...current, ...tool, memory].reduce((sum, part) => sum + part.tokens, 0)
  const room = Math.max(LEAST_HISTORY_TOKENS, Math.floor(run.model.contextTokens * PROMPT_SHARE) - used)
  const seen = sees === 'history' ? steps : sees === 'tool_history' ? toolChain(run) : NO_STEPS
  const along = await gatherAttachments(run, seen.over, Math.floor(room * ATTACHED_SHARE))
  const attached: Part[] = along === null ? [] : [keepOnce('attachments', 'user', along.text, run.bodies)]
  const left = Math.max(LEAST_HISTORY_TOKENS, room - (along?.tokens ?? 0))
  const history = await historyOf(run, seen, sees, left, prompts)
  const shown: Part[] = history
    ? [
        {
          name: historyName(sees),
          role: 'user',
          text: history.text,
          body: history.ref,
          tokens: history.tokens,
          isShared: false,
        },
      ]
    : []
  // A message may hold anything, headings too, so the step that takes it in comes last.
  const user =
    skill === 'process_message'
      ? [...tool, ...shown, ...attached, memory, ...current]
      : [...current, ...tool, ...shown, ...attached, memory]
  const parts = [...fixed, ...user]
  return {
    turns: [
      { role: 'system', content: joined(parts, 'system') },
      { role: 'user', content: joined(parts, 'user'), ...(along?.media.length ? { media: along.media } : {}) },
    ],
    ref: framed(parts, steps.over, run.bodies),
    // One more for each part: the line end behind it.
    tokens: parts.reduce((sum, part) => sum + part.tokens + 1, (along?.media.length ?? 0) * MEDIA_TOKENS),
    history,
  }
}

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
const rulesOf = onceFor((skill: SkillPrompt) => writeStepRules(skill))

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

const historyName = (sees: Sees): SectionName => (sees === 'tool_history' ? 'tool_history' : 'history_step')

async function toolParts(
  run: Pick<SkillRun, 'world' | 'step' | 'abilities'>,
  prompts: LanguagePrompts,
  own: (name: SectionName, role: Role, text: string) => Part,
): Promise<Part[]> {
  const bound =
    run.step.boundTo === null ? undefined : stepIn(run.world.steps[run.step.task]?.[run.step.agent], run.step.boundTo)
  if (!bound) throw new Error(`the step ${run.step.id} writes an instruction for no tool step`)
  const abilities = await run.abilities(bound.executor)
  return [
    own('tool_step', 'user', writeToolStep(bound)),
    own(
      'mcp_base_prompt',
      'user',
      `${prompts.mcp}\n\nabilities of ${escapeTags(bound.executor)}:\n${escapeTags(abilities)}`,
    ),
  ]
}

const writeToolStep = (bound: StepRecord): string =>
  [
    tag('step_intention', escapeTags(bound.intention)),
    tag('executor', escapeTags(bound.executor)),
    tag('step_text', escapeTags(bound.text)),
  ].join('\n')

async function historyOf(
  run: Pick<SkillRun, 'world' | 'step' | 'bodies'>,
  steps: HistoryRecords,
  sees: Sees,
  tokens: number,
  prompts: LanguagePrompts,
): Promise<HistorySection | null> {
  if (sees === 'nothing') return null
  const common = { tokens, more: prompts.more, bodies: run.bodies }
  if (sees === 'history') {
    return buildHistory('history_step', steps, { ...common, before: '' })
  }
  const [first] = steps.over
  const purpose = first ? `purpose: ${escapeTags(`${first.intention}. ${first.text}`.replace(/\s+/g, ' '))}` : ''
  return buildHistory('tool_history', steps, { ...common, before: purpose })
}

const NO_STEPS: HistoryRecords = { over: [], coming: [] }
const toolChain = ({ world, step }: Pick<SkillRun, 'world' | 'step'>): HistoryRecords => ({
  over: selectToolHistory(world, step),
  coming: [],
})

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
