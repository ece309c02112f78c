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
    const parts = new Map<string, string[]>()
    for (const { turn, text } of shown) {
      const named = parts.get(turn.name)
      if (named === undefined) parts.set(turn.name, [text])
      else named.push(text)
    }
    const messages = new Set([...shown.map(({ turn }) => turn.messages ?? []), about.messages].flat())
    const turns = turnsFrom([...shown, ...said])
    const tokens = [...shown, ...said.map(({ text }) => ({ tokens: estimateTokens(text) }))]
    const answers = turns.flatMap((turn) =>
      turn.role === 'assistant' ? [turn.content, ...(turn.calls ?? []).map((one) => one.arguments)] : [],
    )
    /** How often the answers hold that text under that key. */
    const countOf = (key: string, text: string): number =>
      answers.reduce((sum, content) => {
        const json = JSON.stringify(text)
        return sum + content.split(`"${key}":${json}`).length + content.split(`"${key}": ${json}`).length - 2
      }, 0)
    const wrote = (json: string): boolean => answers.some((content) => content.includes(json))
    const holds: Told['holds'] = (name, text) => (parts.get(name) ?? []).some((one) => one.includes(text))
    return {
      turns,
      stored: [
        storedList(call.prompt),
        ...(said.length > calls.length ? [ownTurn(about, answer)] : []),
        ...calls.map(callEntry),
      ],
      tokens: tokens.reduce((sum, one) => sum + one.tokens + 1, 0),
      calls,
      answered: last.step,
      seq,
      messages,
      cut: call.prompt.cut,
      newest: (name) => parts.get(name)?.at(-1) ?? null,
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

export type ShownTurn = { turn: StoredTurn; text: string; tokens: number }

/** The turns of a prompt. It begins with a list that is the prompt before it, as a rule: that is remembered. */
async function readShown(ref: Pick<PromptRef, 'sha' | 'bytes'>, bodies: BodyCache): Promise<readonly ShownTurn[]> {
  const known = bodies.prompts.get(ref.sha)
  if (known !== undefined) return known
  const shown: ShownTurn[] = []
  for (const entry of await readEntries(ref, (body) => bodies.text(body))) {
    if ('list' in entry) shown.push(...(await readShown({ sha: entry.list, bytes: entry.bytes }, bodies)))
    else {
      const { sha, bytes } = 'text' in entry ? { sha: '', bytes: 0 } : entry
      const text = 'text' in entry ? entry.text : await bodies.text({ sha, bytes, preview: '', mime: '' })
      shown.push({ turn: entry, text, tokens: estimateTokens(text) })
    }
  }
  bodies.prompts.set(ref.sha, shown)
  return shown
}

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
