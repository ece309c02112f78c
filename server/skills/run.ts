/** Runs one step of a skill: prompt, model, answer, outcome. */

import { findLastTag, fixupText } from '@/lib/mas/formats'
import { plainOutcome, type StepOutcome } from '@/lib/mas/outcome'
import type { ModelCall } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import { waitBeforeRepeat } from '../models/backOff'
import { ModelError, type Turn } from '../models/model'
import { type CallResult, callModel, recordOf } from './callModel'
import type { Skill, SkillReading } from './defineSkill'
import type { RunSkill, SkillRun } from './port'
import { buildPrompt, keepTurn, type Prompt } from './prompt'
import type { LanguagePrompts, PromptLibrary } from './prompts'
import { withReferences } from './references'
import { routeStep } from './registry'
import { languageOf } from './results'

/** How often an answer that cannot be taken is shown back. */
const REPAIRS = 2
/** How often the step is begun: the second time afresh, without the answers that could not be taken. */
const TRIES = 2
/** How often the model may look at items of the history whole before it answers. */
const LOOKS = 2

export type RunSkillOptions = {
  /** Waits between repeats; rejects when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1): spreads the repeats of many agents. */
  random?: () => number
}

/**
 * Make the runner of skills.
 *
 * in      the prompts of both languages
 * out     a RunSkill: one outcome per step. An answer that cannot be parsed, that the system would refuse, or that the model's
 *         length limit cut, is shown back with the reason, twice at most; then the step is begun once more afresh, then it
 *         fails. Calls that gave nothing to take are handed to onCall at once. A transport fault that may pass is repeated
 *         three times.
 * faults  when the step is aborted, the signal's reason; what is no ModelError (a missing body, a broken world)
 * source  docs/prompts.md
 */
export function runSkill(prompts: PromptLibrary, options: RunSkillOptions = {}): RunSkill {
  const waits = { sleep: options.sleep ?? sleepUntil, random: options.random ?? Math.random }
  return async (run) => {
    const route = routeStep(run.step)
    if (route.type !== 'skill') return finish(run, failedOutcome(`there is no skill ${run.step.executor}`), false)
    const words = prompts[run.world.team.language]
    const prompt = await buildPrompt(run, route.skill.name, route.skill.sees, words)
    const outcome = await converse(run, route.skill, words, prompt, waits)
    return finish(run, outcome, route.skill.failsPart)
  }
}

/** The turns so far, and the reference that each call keeps of them. */
class Talk {
  readonly turns: Turn[]
  private readonly sections: ModelCall['prompt']['sections']
  private said = 0

  constructor(
    private readonly run: SkillRun,
    readonly prompt: Prompt,
  ) {
    this.turns = [...prompt.turns]
    this.sections = [...prompt.ref.sections]
  }

  /** What the turns come to at most; null: not counted, since something was said after the prompt. */
  get tokens(): number | null {
    return this.said === 0 ? this.prompt.tokens : null
  }

  get ref(): ModelCall['prompt'] {
    return { ...this.prompt.ref, sections: [...this.sections] }
  }

  /** The model's answer, and what the runtime says to it. */
  goOn(answer: string, reply: string): void {
    this.said += 1
    const turns: [string, Turn][] = [
      [`answer/${this.said}`, { role: 'assistant', content: answer === '' ? '(no text)' : answer }],
      [`reply/${this.said}`, { role: 'user', content: reply }],
    ]
    for (const [name, turn] of turns) {
      this.turns.push(turn)
      this.sections.push(keepTurn(name, turn, this.run.bodies))
    }
  }
}

async function converse(
  run: SkillRun,
  skill: Skill,
  words: LanguagePrompts,
  prompt: Prompt,
  waits: Required<RunSkillOptions>,
): Promise<StepOutcome> {
  const repairs: string[] = []
  for (let tries = 1; tries < TRIES; tries += 1) {
    const outcome = await tryOnce(run, skill, words, new Talk(run, prompt), waits, repairs, false)
    if (outcome !== null) return outcome
  }
  const outcome = await tryOnce(run, skill, words, new Talk(run, prompt), waits, repairs, true)
  return outcome ?? { ...failedOutcome(sayNotTaken(run, repairs)), repairs: repairs.slice(0, -1) }
}

const sayNotTaken = (run: SkillRun, reasons: readonly string[]): string =>
  sayInLanguage(run.world.team.language, 'notTaken', { n: reasons.length, reason: reasons.at(-1) ?? '' })

/** Call until an answer can be taken; null when none could. The reasons why not are added to `repairs`. */
async function tryOnce(
  run: SkillRun,
  skill: Skill,
  words: LanguagePrompts,
  talk: Talk,
  waits: Required<RunSkillOptions>,
  repairs: string[],
  isFinal: boolean,
): Promise<StepOutcome | null> {
  let looks = 0
  for (let shown = 0; ; ) {
    const called = await callUntilEnd(run, talk, waits)
    if (!called.ended) return { ...failedOutcome(`${run.model.name}: ${called.fault.message}`), repairs }
    const asked = looks < LOOKS ? askedItems(called.text, skill, run, talk.prompt) : null
    if (asked !== null) {
      looks += 1
      await run.onCall(recordOf(run, talk.ref, called, 'repaired', `asked to see items ${asked.join(', ')} whole`))
      talk.goOn(called.text, await wholeItems(run, talk.prompt, asked))
      continue
    }
    const reading: SkillReading = called.isCut ? CUT : await readAnswer(called.text, skill, run)
    const isLast = shown === REPAIRS
    const doubt = reading.ok ? reading.doubt : reading.reason
    if (reading.ok && (doubt === null || isLast)) {
      const mended = [...repairs, ...reading.mends.map(fixupText)]
      return { ...take(reading), repairs: mended, call: recordOf(run, talk.ref, called, 'taken', null) }
    }
    const reason = doubt ?? ''
    const outcome = called.isCut ? 'cut' : isLast && isFinal ? 'failed' : 'repaired'
    await run.onCall(recordOf(run, talk.ref, called, outcome, reason))
    repairs.push(reason)
    if (isLast) return null
    shown += 1
    talk.goOn(
      shownBack(called),
      words.repair.replaceAll('{reason}', () => reason),
    )
  }
}

async function readAnswer(answer: string, skill: Skill, run: SkillRun): Promise<SkillReading> {
  const referred = await withReferences(answer, skill, run)
  return referred.ok ? skill.read(referred.text, run) : referred
}

const CUT: SkillReading = { ok: false, reason: "the answer was cut at the model's length limit; answer more briefly" }

function take(reading: Extract<SkillReading, { ok: true }>): StepOutcome {
  return { ...reading.outcome, memory: reading.memory }
}

/** A cut answer can be as long as the limit: its beginning is enough to go on from. */
const shownBack = (called: Extract<CallResult, { ended: true }>): string =>
  called.isCut ? called.text.slice(0, 4_000) : called.text

/** The call, again after faults that may pass. Each one that gave nothing is recorded at once. */
async function callUntilEnd(run: SkillRun, talk: Talk, waits: Required<RunSkillOptions>): Promise<CallResult> {
  for (let repeat = 0; ; repeat += 1) {
    const called = await callModel(run, talk.turns, talk.tokens)
    if (called.ended) return called
    const { fault } = called
    if (fault.code === 'MODEL_ABORTED') {
      // The step is over already: that its call cannot be recorded any more must not hide why it stopped.
      await run.onCall(recordOf(run, talk.ref, called, 'cancelled', fault.message)).catch(() => undefined)
      throw run.signal.aborted ? (run.signal.reason ?? fault) : fault
    }
    const outcome = fault.code === 'MODEL_CUT' ? 'cut' : 'failed'
    await run.onCall(recordOf(run, talk.ref, called, outcome, fault.message))
    const wait = waitBeforeRepeat(fault, repeat, waits.random)
    if (wait === null) return called
    await waits.sleep(wait, run.signal)
  }
}

/** The numbers in <more_history>, when the answer holds nothing else that could be taken and something is not whole. */
function askedItems(text: string, skill: Skill, run: SkillRun, prompt: Prompt): number[] | null {
  const found = prompt.more === null ? null : findLastTag(text, 'more_history')
  if (found === null || skill.read(text, run).ok) return null
  const numbers = [...found.content.matchAll(/\d+/g)].map((match) => Number(match[0]))
  return numbers.length === 0 ? null : [...new Set(numbers)].slice(0, 20)
}

async function wholeItems(run: SkillRun, prompt: Prompt, numbers: number[]): Promise<string> {
  // Half of what the prompt left free; the other half is for the answer.
  const tokens = Math.floor(Math.max(0, run.model.contextTokens - prompt.tokens) / 2)
  return (await prompt.more?.(numbers, tokens)) || `there is no item ${numbers.join(', ')}`
}

const failedOutcome = (reason: string): StepOutcome => {
  const outcome = plainOutcome('')
  return { ...outcome, state: 'failed', reason, result: { ...outcome.result, kind: 'none' } }
}

const SHARED_WORDS = {
  en: { finished: 'finished', failed: (why: string) => `failed: ${why}` },
  zh: { finished: '已完成', failed: (why: string) => `失败：${why}` },
} as const

/** What every outcome carries. A part stays in work also after a failed step, unless the skill is one that it stands on. */
function finish(run: SkillRun, outcome: StepOutcome, failsPart: boolean): StepOutcome {
  const { step } = run
  const failed = outcome.state === 'failed'
  const words = SHARED_WORDS[languageOf(run)]
  const line = `${step.executor}: ${step.intention} – ${failed ? words.failed(outcome.reason ?? '') : words.finished}`
  const part = { state: failed && failsPart ? ('failed' as const) : ('working' as const) }
  const reason = failed && failsPart && outcome.reason !== null ? { reason: outcome.reason } : {}
  // A summary that was taken ends the part: it must not be set back to working.
  const ends = outcome.sync.update_stage_agent_completion !== undefined
  return {
    ...outcome,
    sync: {
      ...outcome.sync,
      send_shared_info: { content: line },
      ...(step.stage === null || ends ? {} : { update_stage_agent_state: { ...part, ...reason } }),
    },
  }
}

function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason ?? new ModelError('MODEL_ABORTED', 'the call was stopped', false))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
