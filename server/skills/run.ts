import { setTimeout } from 'node:timers/promises'
import { beginningOf } from '@/lib/mas/bodies'
import { findLastTag, fixupText, isOnlyThoughts, tagsOfObject } from '@/lib/mas/formats'
import type { ModelCall, SkillName } from '@/lib/mas/records'
import { sayNames } from '@/lib/mas/said'
import type { FailureCause } from '@/lib/mas/steps/failureCause'
import { plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import { sayInLanguage } from '@/lib/mas/words'
import { waitBeforeRepeat } from '../models/backOff'
import { causeOfFault, type FunctionTool, type ObjectAnswer, type TextTurn, type Turn } from '../models/model'
import { objectAnswer } from './answerObject'
import { type CallResult, callModel, outcomeOfFault, recordOf } from './callModel'
import { doubtCalls } from './calls'
import { doubtSources, withCitations } from './citations'
import type { Skill, SkillReading } from './defineSkill'
import { type Functions, functionsOf, namesFor, tagsOfCalls } from './functions'
import { joinPieces } from './joinPieces'
import { readMeant } from './meant'
import type { RunSkill, SkillRun } from './port'
import { buildPrompt, type Prompt } from './prompt'
import { callEntry, laterTurn, resultEntry } from './prompt/storedPrompt'
import { type PromptEntry, storePrompt } from './prompt/turnList'
import type { LanguagePrompts, PromptLibrary } from './prompts'
import { readAnswer } from './references'
import { routeStep } from './registry'
import { finishedWith, languageOf } from './results'
import { doubtAhead, readWrittenAhead } from './writtenAhead'

/** Repairs: how often a rejected answer is returned to the model with the reason. */
const REPAIRS = 2
/** Attempts of a step: the second starts without the rejected answers. */
const TRIES = 2
/** Continuations of cut answers in one step. */
const CONTINUATIONS = 4
/** The most that functions may take of a model's context. */
const FUNCTIONS_SHARE = 0.25
/** How often the model may request whole items of the history before it answers. */
const LOOKS = 2

type RunSkillOptions = {
  /** Waits before repeats; rejects when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1): jitter for the repeats of many agents. */
  random?: () => number
}

/**
 * out     a RunSkill: one outcome per step. An answer that cannot be parsed, that the system would refuse, or that was cut for
 *         good by the model's length limit, is returned with the reason, up to twice; then the step starts over once, then it
 *         fails. A cut answer is first continued in further calls. Calls without a usable answer are passed to onCall at
 *         once. A transient transport fault is repeated three times
 * faults  the signal's reason when the step is aborted; errors other than ModelError (a missing body, an invalid world)
 * source  docs/prompts.md
 */
export function runSkill(prompts: PromptLibrary, options: RunSkillOptions = {}): RunSkill {
  const waits = { sleep: options.sleep ?? sleepUntil, random: options.random ?? Math.random }
  return async (run) => {
    const route = routeStep(run.world, run.step)
    if (route.type !== 'skill') return finish(run, failedOutcome(`there is no skill ${run.step.executor}`), false)
    const words = prompts[run.world.team.language]
    const { skill } = route
    const ahead = await readWrittenAhead(run, skill)
    const answered = ahead === null ? await ask(run, skill, words, waits) : takenAhead(ahead, run)
    const outcome = await withFiles(await withCitations(answered, run), run)
    return finish(run, outcome, skill.failsPart)
  }
}

async function ask(
  run: SkillRun,
  skill: Skill,
  words: LanguagePrompts,
  waits: Required<RunSkillOptions>,
): Promise<StepOutcome> {
  const offered = run.model.takesFunctions ? await functionsOf(run) : null
  // A small context has no room for many of them.
  const functions = offered !== null && offered.tokens <= run.model.contextTokens * FUNCTIONS_SHARE ? offered : null
  const form = functions === null ? 'tags' : 'native'
  const prompt = await buildPrompt(run, skill.name, words, { form, reserved: functions?.tokens ?? 0 })
  try {
    return await converse({ run, skill, words, prompt, functions, waits })
  } catch (error) {
    // Its server turned out to take no functions: the prompt is written for tags.
    if (!(error instanceof FunctionsRefused)) throw error
    return ask(run, skill, words, waits)
  }
}

class FunctionsRefused extends Error {}

/** The turns so far, and the references that each call stores of them. */
class Talk {
  private readonly said: Kept[] = []
  /** The cut answer so far, which is to be continued. */
  private open: Kept[] = []

  constructor(
    private readonly run: SkillRun,
    readonly prompt: Prompt,
    /** Requested from models that can enforce it. */
    readonly answer: ObjectAnswer,
    /** What the model may call; null: it answers in text. */
    readonly functions: Functions | null,
  ) {}

  get turns(): Turn[] {
    return [...this.prompt.turns, ...[...this.said, ...this.open].flatMap(({ turns }) => turns)]
  }

  /** Upper bound of the turns' tokens; null: not counted, since turns were added after the prompt. */
  get tokens(): number | null {
    return this.said.length + this.open.length === 0 ? this.prompt.tokens : null
  }

  /** No object while an answer is continued: half an object cannot be continued as an object. */
  get wished(): { answer?: ObjectAnswer; functions?: readonly FunctionTool[] } {
    if (this.functions !== null) return { functions: this.functions.list }
    return this.open.length === 0 ? { answer: this.answer } : {}
  }

  refOf(called: CallResult): ModelCall['prompt'] {
    const asked: TextTurn[] = called.ended && called.isObject ? [{ role: 'user', content: this.answer.says }] : []
    const later = [...this.said, ...this.open].flatMap(({ stored }) => stored)
    const last = asked.map((turn) => laterTurn('answer_object', turn))
    return storePrompt([...this.prompt.stored, ...later, ...last], this.run.bodies, this.prompt.about)
  }

  /** Adds the model's answer and the runtime's reply: the result of each call, else a turn of the user. */
  goOn({ raw, called }: WholeCall, reply: string, isError: boolean): void {
    const calls = called.ended ? called.calls : []
    const parts = called.ended ? called.providerParts : undefined
    if (calls.length === 0) this.said.push(...this.exchange(raw, reply))
    else {
      const about = parts === undefined ? {} : { providerParts: parts }
      const results = calls.map(({ id, name }): Turn => {
        const error = isError ? { isError: true as const } : {}
        return { role: 'tool', call: id, name, content: reply, ...error }
      })
      this.said.push({
        turns: [{ role: 'assistant', content: raw, calls, ...about }, ...results],
        stored: [
          ...(raw === '' ? [] : [laterTurn(`answer/${this.number}`, { role: 'assistant', content: raw })]),
          ...calls.map(callEntry),
          ...calls.map((call) => resultEntry(call, reply)),
        ],
      })
    }
    this.open = []
  }

  /** Adds a cut answer, which the model is to continue. */
  continueFrom(text: string): void {
    this.open = this.exchange(text, sayInLanguage(this.run.world.team.language, 'goOnExactly'))
  }

  private get number(): number {
    return this.said.length + 1
  }

  private exchange(answer: string, reply: string): Kept[] {
    const turns: [string, TextTurn][] = [
      [`answer/${this.number}`, { role: 'assistant', content: answer === '' ? '(no text)' : answer }],
      [`reply/${this.number}`, { role: 'user', content: reply }],
    ]
    return [{ turns: turns.map(([, turn]) => turn), stored: turns.map(([name, turn]) => laterTurn(name, turn)) }]
  }
}

/** An answer with what was said to it. */
type Kept = { turns: readonly Turn[]; stored: readonly PromptEntry[] }

type Asking = {
  run: SkillRun
  skill: Skill
  words: LanguagePrompts
  prompt: Prompt
  functions: Functions | null
  waits: Required<RunSkillOptions>
}
/** With the repairs and the continuations left of the step so far. */
type Conversation = Asking & { repairs: string[]; continuations: number }

async function converse(asking: Asking): Promise<StepOutcome> {
  const { run, skill, prompt, functions } = asking
  const own: Conversation = { ...asking, repairs: [], continuations: CONTINUATIONS }
  const answer = objectAnswer(skill, run, prompt.more !== null)
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const outcome = await tryOnce(own, new Talk(run, prompt, answer, functions), tries === TRIES)
    if (outcome !== null) return outcome
  }
  const said = { n: own.repairs.length, reason: own.repairs.at(-1) ?? '' }
  return {
    ...failedOutcome(sayInLanguage(languageOf(run), 'notTaken', said), 'format'),
    repairs: own.repairs.slice(0, -1),
  }
}

/** Call until an answer is accepted; null: none was. The reasons are added to `repairs`. */
async function tryOnce(own: Conversation, talk: Talk, isFinal: boolean): Promise<StepOutcome | null> {
  const { run, skill, words, repairs } = own
  let looks = 0
  for (let shown = 0; ; ) {
    const whole = await callUntilWhole(own, talk)
    const { called, raw, text, isApart } = whole
    if (!called.ended) {
      const cause = run.model.provider === 'person' ? 'person' : causeOfFault(called.fault)
      return { ...failedOutcome(`${run.model.name}: ${called.fault.message}`, cause), repairs }
    }
    const reading: SkillReading = called.isCut
      ? sayCut(run, text)
      : (whole.problem ?? (await readMeant((own) => readAnswer(text, skill, own, isApart), run)))
    if (talk.functions !== null && !called.isCut)
      run.model.answeredBy?.(called.calls.length > 0 ? 'calls' : reading.ok ? 'tags' : 'words')
    const asked = looks < LOOKS && !called.isCut && !reading.ok ? askedItems(text, talk.prompt) : null
    if (asked !== null) {
      looks += 1
      await run.onCall(
        recordOf(run, talk.refOf(called), called, 'repaired', `asked to see items ${asked.join(', ')} whole`),
      )
      talk.goOn(whole, await wholeItems(run, talk.prompt, asked), false)
      continue
    }
    const isLast = shown === REPAIRS
    const doubt = reading.ok
      ? (reading.doubt ??
        doubtSources(reading.outcome, run) ??
        (await doubtCalls(run, reading.outcome)) ??
        (await doubtAhead(run, reading.outcome)))
      : reading.reason
    if (reading.ok && (doubt === null || isLast)) {
      const mended = [...repairs, ...reading.fixups.map(fixupText)]
      const call = recordOf(run, talk.refOf(called), called, 'taken', null)
      return { ...reading.outcome, memory: reading.memory, repairs: mended, call }
    }
    const reason = doubt ?? ''
    const outcome = called.isCut ? 'cut' : isLast && isFinal ? 'failed' : 'repaired'
    await run.onCall(recordOf(run, talk.refOf(called), called, outcome, reason))
    repairs.push(reason)
    if (isLast) return null
    shown += 1
    const reply = words.repair.replaceAll('{reason}', () => reason)
    talk.goOn(called.isCut ? { ...whole, raw: shortened(raw) } : whole, reply, true)
  }
}

function sayCut(run: SkillRun, text: string): SkillReading {
  const key = isOnlyThoughts(text) ? 'cutInThoughts' : 'cutStill'
  return { ok: false, reason: sayInLanguage(run.world.team.language, key) }
}

/** A cut answer can be as long as the limit; its beginning shows what it was. */
const shortened = (text: string): string => beginningOf(text, 4_000)

/** raw: as received; text: with tags; isApart: the reasoning is in neither; problem: why its calls make no answer */
type WholeCall = { called: CallResult; raw: string; text: string; isApart: boolean; problem: SkillReading | null }

/** Call until the answer is complete. out: the last call, which may still be cut, and the whole text */
async function callUntilWhole(own: Conversation, talk: Talk): Promise<WholeCall> {
  const { run } = own
  let called = await callUntilEnd(own, talk)
  let raw = called.text
  const isObject = called.ended && called.isObject
  let isApart = called.reasoning !== null
  while (called.ended && called.isCut && own.continuations > 0 && (isApart ? raw !== '' : !isOnlyThoughts(raw))) {
    own.continuations -= 1
    await run.onCall(
      recordOf(run, talk.refOf(called), called, 'cut', 'cut at the length limit, continued by the next call'),
    )
    talk.continueFrom(raw)
    called = await callUntilEnd(own, talk)
    raw = joinPieces(raw, called.text)
    isApart ||= called.reasoning !== null
  }
  if (talk.functions !== null && called.ended && called.calls.length > 0) {
    const made = tagsOfCalls(called.calls, own.skill, talk.functions, run)
    // Words beside a call are no answer.
    return { called, raw, text: made.ok ? made.text : '', isApart: true, problem: made.ok ? null : made }
  }
  const isLacking = talk.functions !== null && !MARKED.test(raw)
  const problem = isLacking ? noCall(own.skill) : null
  return { called, raw, text: isObject ? tagsOfObject(raw) : raw, isApart, problem }
}

/** Tags and JSON are understood from a model that has functions, too; plain words are what it says beside a call. */
const MARKED = /[<[{【［｛《]/
const noCall = (skill: Skill): SkillReading => ({
  ok: false,
  reason: `no function was called: call ${namesFor(skill)}`,
})

/** One call, repeated after transient faults. Each one without a usable answer is recorded at once. */
async function callUntilEnd({ run, waits }: Asking, talk: Talk): Promise<CallResult> {
  for (let repeat = 0; ; repeat += 1) {
    if (talk.functions !== null && !run.model.takesFunctions) throw new FunctionsRefused()
    const called = await callModel(run, talk.turns, talk.tokens, talk.wished)
    if (called.ended) return called
    const { fault } = called
    const recorded = run.onCall(recordOf(run, talk.refOf(called), called, outcomeOfFault(fault), fault.message))
    if (fault.code === 'MODEL_ABORTED') {
      // The step is over: a failure to record its call must not hide why it was stopped.
      await recorded.catch(() => undefined)
      throw run.signal.aborted ? (run.signal.reason ?? fault) : fault
    }
    await recorded
    const wait = waitBeforeRepeat(fault, repeat, waits.random)
    if (wait === null) return called
    run.onDoing({ what: 'repeating' })
    await waits.sleep(wait, run.signal)
  }
}

/** The numbers in <more_history>, if some items are not whole. */
function askedItems(text: string, prompt: Prompt): number[] | null {
  const found = prompt.more === null ? null : findLastTag(text, 'more_history')
  if (found === null) return null
  const numbers = [...found.matchAll(/\d+/g)].map((match) => Number(match[0]))
  return numbers.length === 0 ? null : [...new Set(numbers)].slice(0, 20)
}

async function wholeItems(run: SkillRun, prompt: Prompt, numbers: number[]): Promise<string> {
  // Half of what the prompt left; the other half is for the answer.
  const tokens = Math.floor(Math.max(0, run.model.contextTokens - prompt.tokens) / 2)
  return (await prompt.more?.(numbers, tokens)) || `there is no item ${numbers.join(', ')}`
}

/** The outcome of an answer that the plan held: no model was asked. */
const takenAhead = ({ outcome, memory, fixups }: Extract<SkillReading, { ok: true }>, run: SkillRun): StepOutcome => {
  const { executor } = run.step
  const says = executor === ('instruction_generation' satisfies SkillName)
  const result = says ? finishedWith(run, sayInLanguage(languageOf(run), 'writtenBefore')).result : outcome.result
  return { ...outcome, result, memory, repairs: fixups.map(fixupText) }
}

const failedOutcome = (reason: string, failureCause?: FailureCause): StepOutcome => {
  const outcome = plainOutcome('')
  const cause = failureCause === undefined ? {} : { failureCause }
  return { ...outcome, state: 'failed', reason, ...cause, result: { ...outcome.result, kind: 'none' } }
}

/** Completes every outcome. A failed step leaves its part in work, unless the skill fails the part. */
function finish(run: SkillRun, outcome: StepOutcome, failsPart: boolean): StepOutcome {
  const { step } = run
  const failed = outcome.state === 'failed'
  const language = languageOf(run)
  const end = failed
    ? sayInLanguage(language, 'failedBecause', { why: outcome.reason ?? '' })
    : sayInLanguage(language, 'stepFinished')
  const line = `${step.executor}: ${step.intention} – ${end}`
  const part = { state: failed && failsPart ? ('failed' as const) : ('working' as const) }
  const reason = failed && failsPart && outcome.reason !== null ? { reason: outcome.reason } : {}
  // An accepted summary ends the part, which must not be set back to working.
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

const sleepUntil = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {
    throw signal.reason
  })

/** The outcome with the files of its message; its text names those that cannot be sent. Others unchanged. */
async function withFiles(outcome: StepOutcome, run: SkillRun): Promise<StepOutcome> {
  const sent = outcome.sync.send_message
  const paths = sent?.files ?? []
  if (sent === undefined || paths.length === 0) return outcome
  const { files: attachments, left } = (await run.filesAt?.(paths)) ?? { files: [], left: paths }
  const { language } = run.world.team
  const names = sayNames(language, left)
  const message =
    left.length === 0 ? sent.message : `${sent.message}\n\n${sayInLanguage(language, 'filesUnsent', { names })}`
  return { ...outcome, sync: { ...outcome.sync, send_message: { ...sent, message, attachments } } }
}
