/** What an agent's conversation holds already: the turns of its last call, and the answer. */
import { Fault } from '@/lib/faults'
import { dropReasoning, escapeTags, estimateTokens } from '@/lib/mas/formats'
import type { MessageId } from '@/lib/mas/ids'
import type { ModelCall, PromptRef, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import type { FunctionCall, Turn } from '../../models/model'
import type { BodyCache, SkillRun } from '../port'
import { toItem } from './historyItem'
import { tag } from './section'
import { callEntry, callTurn, readCalls, turnsFrom } from './storedPrompt'
import { ownTurn, type PromptEntry, readEntries, type StoredTurn, storedList } from './turnList'

export type Told = {
  turns: readonly Turn[]
  /** What the next call stores of them. */
  stored: readonly PromptEntry[]
  /** Upper bound of the estimated tokens of its turns. */
  tokens: number
  /** The functions that the last answer called: their results come next. */
  calls: readonly FunctionCall[]
  /** The step that was answered last: its answer is the last turn. */
  answered: StepRecord
  /** The last entry of the journal that was shown. */
  seq: number
  /** Messages whose text was shown, or which the answers sent. */
  messages: ReadonlySet<MessageId>
  cut: PromptRef['cut']
  /** The newest text of a part; null: it was never shown. */
  newest(name: string): string | null
  /** Was this text shown, in a part of that name? */
  holds(name: string, text: string): boolean
  /** Does an answer of the agent hold this text, as a value of JSON? */
  wrote(text: string): boolean
  /** Does an answer say all of a step without a call of its own: a summary that a reflection gave, the end of a tool's run? */
  showsAllOf(step: StepRecord): boolean
  /** Does the text of a step stand above: in the plan that has the step, or where its call was asked for? */
  showsTextOf(step: StepRecord): boolean
}

/**
 * in      the step that continues the conversation
 * out     null: it has none yet, or what it stored is not there any more
 * faults  errors of reading, but NOT_KEPT
 */
export async function readTold({
  world,
  step,
  bodies,
}: Pick<SkillRun, 'world' | 'step' | 'bodies'>): Promise<Told | null> {
  const last = lastAnswer(world, step)
  if (last === null) return null
  const { call, seq } = last
  try {
    const shown = await readShown(call.prompt, bodies)
    const answer = await answerOf(last.step, call, bodies)
    const calls = await callsOf(call, bodies)
    const about = { role: 'assistant' as const, name: 'answer', messages: [...toItem(last.step).messages] }
    const said = [
      ...(answer === '' && calls.length > 0 ? [] : [{ turn: { ...about, text: answer }, text: answer }]),
      ...calls.map((one) => ({ turn: callTurn(one), text: one.arguments })),
    ]
    const messages = added(shown.messages, about.messages)
    const turns = turnsFrom(said, shown.turns)
    /** Of each answer: its text and the arguments of its calls. */
    let answers: string[] | null = null
    const answersSaid = (): string[] => {
      answers ??= turns.flatMap((turn) =>
        turn.role === 'assistant' ? [turn.content, ...(turn.calls ?? []).map((one) => one.arguments)] : [],
      )
      return answers
    }
    /** How often the answers hold that text under that key. */
    const countOf = (key: string, text: string): number => {
      const members = [':', ': '].map((colon) => `"${key}"${colon}${JSON.stringify(text)}`)
      return answersSaid().reduce(
        (sum, content) => members.reduce((all, member) => all + timesIn(content, member), sum),
        0,
      )
    }
    const wrote = (json: string): boolean => answersSaid().some((content) => content.includes(json))
    const holds: Told['holds'] = (name, text) => {
      for (let part = shown.parts.get(name); part !== undefined; part = part.before)
        if (part.text.includes(text)) return true
      return false
    }
    return {
      turns,
      stored: [
        storedList(call.prompt),
        ...(said.length > calls.length ? [ownTurn(about, answer)] : []),
        ...calls.map(callEntry),
      ],
      tokens: said.reduce((sum, { text }) => sum + estimateTokens(text) + 1, shown.tokens),
      calls,
      answered: last.step,
      seq,
      messages,
      cut: call.prompt.cut,
      newest: (name) => shown.parts.get(name)?.text ?? null,
      holds,
      wrote: (text) => wrote(JSON.stringify(text)),
      showsAllOf({ state, calls, executor, result }) {
        if (state !== 'finished' || calls.length > 0) return false
        return executor === 'tool_decision' || (executor === 'summary' && wrote(result?.text ?? ''))
      },
      showsTextOf({ text, intention }) {
        const planned = countOf('text_content', text)
        // Two steps of one intention are told apart by their texts.
        const isPlanned = planned > 0 && countOf('step_intention', intention) <= planned
        return isPlanned || holds('tool_step', tag('step_text', escapeTags(text)))
      },
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'NOT_KEPT') throw error
    // A list or a text is gone, as after an archive was forgotten: the conversation begins anew, from the records.
    return null
  }
}

async function callsOf({ calls }: ModelCall, bodies: BodyCache): Promise<FunctionCall[]> {
  return calls === undefined ? [] : readCalls(await bodies.text(calls))
}

type ShownTurn = { turn: StoredTurn; text: string }

/**
 * A stored prompt with its texts: the list with which it begins, as a rule the prompt before it, and the turns behind that. What
 * a step adds to a conversation costs the same after a thousand steps as after ten.
 */
export type ShownPrompt = {
  before: ShownPrompt | null
  own: readonly ShownTurn[]
  /** The newest text of each part, with those before it. */
  parts: ReadonlyMap<string, ShownPart>
  /** Of all of it: its turns as a model is given them, their number as they are stored, an upper bound of their tokens, messages. */
  turns: readonly Turn[]
  size: number
  tokens: number
  messages: ReadonlySet<MessageId>
}

type ShownPart = { text: string; before: ShownPart | undefined }

const NOTHING_SHOWN: ShownPrompt = {
  before: null,
  own: [],
  parts: new Map(),
  turns: [],
  size: 0,
  tokens: 0,
  messages: new Set(),
}

async function readShown(ref: Pick<PromptRef, 'sha' | 'bytes'>, bodies: BodyCache): Promise<ShownPrompt> {
  const known = bodies.prompts.get(ref.sha)
  if (known !== undefined) return known
  const [first, ...others] = await readEntries(ref, (body) => bodies.text(body))
  const startsWithList = first !== undefined && 'list' in first
  const before = startsWithList ? await readShown({ sha: first.list, bytes: first.bytes }, bodies) : NOTHING_SHOWN
  const own: ShownTurn[] = []
  for (const entry of startsWithList || first === undefined ? others : [first, ...others]) {
    if ('list' in entry) own.push(...turnsIn(await readShown({ sha: entry.list, bytes: entry.bytes }, bodies)))
    else {
      const { sha, bytes } = 'text' in entry ? { sha: '', bytes: 0 } : entry
      const text = 'text' in entry ? entry.text : await bodies.text({ sha, bytes, preview: '', mime: '' })
      own.push({ turn: entry, text })
    }
  }
  const shown = {
    before,
    own,
    parts: partsWith(before.parts, own),
    turns: turnsFrom(own, before.turns),
    size: before.size + own.length,
    tokens: own.reduce((sum, { text }) => sum + estimateTokens(text) + 1, before.tokens),
    messages: added(
      before.messages,
      own.flatMap(({ turn }) => turn.messages ?? []),
    ),
  }
  bodies.prompts.set(ref.sha, shown)
  return shown
}

const turnsIn = (shown: ShownPrompt): ShownTurn[] =>
  shown.before === null ? [...shown.own] : [...turnsIn(shown.before), ...shown.own]

/** With these; what the model said is no part. */
function partsWith(before: ShownPrompt['parts'], own: readonly ShownTurn[]): ShownPrompt['parts'] {
  const parts = new Map(before)
  for (const { turn, text } of own)
    if (turn.role === 'system' || turn.role === 'user') parts.set(turn.name, { text, before: parts.get(turn.name) })
  return parts
}

function timesIn(text: string, part: string): number {
  let times = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) times += 1
  return times
}

const added = (known: ReadonlySet<MessageId>, more: readonly MessageId[]): ReadonlySet<MessageId> =>
  more.length === 0 ? known : new Set([...known, ...more])

type Answered = { step: StepRecord; call: ModelCall; seq: number }

/** The last answer that was taken from the agent in this task (in the base task: in this thread). */
function lastAnswer(world: World, current: StepRecord): Answered | null {
  const isBase = world.tasks[current.task]?.base === true
  let last: Answered | null = null
  for (const step of stepsIn(world.steps[current.task]?.[current.agent])) {
    if (step.type !== 'skill' || step.id === current.id || (isBase && step.thread !== current.thread)) continue
    const call = step.calls.findLast(({ outcome, prompt }) => outcome === 'taken' && prompt.seq !== undefined)
    const seq = call?.prompt.seq
    if (call !== undefined && seq !== undefined && seq >= (last?.seq ?? 0)) last = { step, call, seq }
  }
  return last
}

/** The answer without the reasoning before it. */
async function answerOf(step: StepRecord, call: ModelCall, bodies: BodyCache): Promise<string> {
  const text = call.answer === null ? '' : await bodies.text(call.answer)
  return dropReasoning(text, step.executor === 'think', call.reasoning !== undefined)
}
