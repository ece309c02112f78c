/** The section of an agent's ended steps: what is shown of them within the tokens, and the turns that are stored of it. */
import { ANSWER_TAGS, countWide, estimateTokens, tokensOf } from '@/lib/mas/formats'
import type { StepId } from '@/lib/mas/ids'
import type { PromptRef, StepRecord } from '@/lib/mas/records'
import type { FunctionCall } from '../../models/model'
import type { BodyCache } from '../port'
import {
  beyondAnswer,
  CUT_CHARACTERS,
  guessTokens,
  type HistoryItem,
  type ItemPlace,
  readItem,
  toItem,
  writeItem,
} from './historyItem'
import { CLOSE_SECTION, openSection, type SectionName } from './section'
import type { Told } from './told'
import { grouped, ownTurn, type PromptEntry, sharedTurn } from './turnList'

const ABOUT = { role: 'user', name: 'history_step' satisfies SectionName } as const

export type HistorySection = {
  text: string
  turns: readonly PromptEntry[]
  tokens: number
  /** Is something not shown whole? */
  isCut: boolean
  /** For the reference of the prompt: what the agent's next prompts leave cut. */
  cut: PromptRef['cut']
}

/** The handle of a step's stage, if it is another than that of the step at hand. */
type StageOf = (step: StepRecord) => string | null

type Options = {
  stageOf: StageOf
  tokens: number
  /** The size of the blocks in which it is cut, equal for all prompts of a model. */
  block: number
  /** How to ask for more. */
  more: string
  bodies: BodyCache
  /** The agent's ended steps, also those that are not shown: their prompts say what was cut before. */
  ended: readonly StepRecord[]
}

/** Which items are shown how. Numbers start at 1. */
type HistoryView = {
  /** Items in this range are omitted: from the first to before the second. */
  left: [number, number]
  /** Items below this are cut, except for the first when `firstWhole`. */
  wholeFrom: number
  firstWhole: boolean
  /** The one item that is shown in part, instead of a preview, because it does not fit whole. */
  partly: { item: number; characters: number } | null
}

/**
 * Build a history.
 *
 * in      its steps in order
 * out     the section's text and its turns, a turn or more for each item. To fit the tokens, the oldest items are cut to
 *         previews, then omitted; the first step stays whole if it is small
 */
export async function buildHistory(over: readonly StepRecord[], options: Options): Promise<HistorySection> {
  const { block } = options
  const items = over.map(toItem)
  const sums = sumsOf(items)
  const keptCut = cutBefore(over, options.ended)
  const fits = keptCut === 0 && between(sums.whole, 0, items.length) <= options.tokens
  // Lines that say what is not shown need tokens, too.
  const said = LEFT_OUT_TOKENS + estimateTokens(options.more)
  const room: Room = { tokens: Math.max(0, options.tokens - said), block }
  const blocks = fits ? 0 : blocksToCut(sums, room, keptCut)
  const view = fits ? ALL_WHOLE : chooseView(sums, room, blocks)
  const isCut = view.left[1] > view.left[0] || view.wholeFrom > (view.firstWhole ? 2 : 1)
  const inside = await linesOf(over, items, view, options)
  if (isCut && options.more !== '') inside.push(lineOf(options.more))
  const [first] = over
  return {
    ...sectionOf(inside),
    isCut,
    cut: first === undefined || blocks === 0 ? undefined : { first: first.id, blocks },
  }
}

/**
 * What came since the last prompt of the conversation.
 *
 * in      steps that ended since, in order, among them the answered one if it is over; what the conversation shows
 * out     null: nothing. Of the answered step only what its answer does not say; all others whole
 */
export async function buildNewItems(
  over: readonly StepRecord[],
  told: Pick<Told, 'answered' | 'showsTextOf' | 'showsAllOf'>,
  { bodies, stageOf }: Pick<Options, 'bodies' | 'stageOf'>,
): Promise<Pick<HistorySection, 'text' | 'turns' | 'tokens'> | null> {
  const lines: Line[] = []
  for (const step of over) {
    const isAnswered = step.id === told.answered.id || told.showsAllOf(step)
    const item = isAnswered ? beyondAnswer(step) : toItem(step)
    if (item === null) continue
    const isPlanned = told.showsTextOf(step)
    // What a plan holds for a step stands in the plan.
    const isAhead = isPlanned && step.ahead !== undefined && step.type === 'skill'
    const shown = { ...item, ...(isPlanned ? { text: '' } : {}), ...(isAhead ? { result: null } : {}) }
    lines.push(await writtenLine(shown, null, { stage: stageOf(step), hasCallAbove: true }, bodies))
  }
  return lines.length === 0 ? null : sectionOf(lines)
}

/** What the result of a call is: of a tool its step, of a skill what its answer does not say. step: which one it shows */
export type CallResultText = { call: FunctionCall; text: string; step: StepId | null }

/** The results of the functions that the last answer called, in their order; of a tool that has not run yet a line. */
export async function buildResults(
  over: readonly StepRecord[],
  told: Pick<Told, 'answered' | 'calls'>,
  { bodies, stageOf }: Pick<Options, 'bodies' | 'stageOf'>,
): Promise<CallResultText[]> {
  const { answered, calls } = told
  const ran = over
    .filter(({ id, type, batch }) => type === 'tool' && (id === answered.boundTo || batch === answered.id))
    .sort(
      (one, other) =>
        Number(other.id === answered.boundTo) - Number(one.id === answered.boundTo) || one.number - other.number,
    )
  const results: CallResultText[] = []
  let at = 0
  for (const call of calls) {
    const isOfTool = !ANSWER_TAGS.some((tag) => tag === call.name) && call.name !== 'more_history'
    const step = isOfTool ? ran[at] : over.find(({ id }) => id === answered.id)
    if (isOfTool) at += 1
    const item = step === undefined ? null : isOfTool ? { ...toItem(step), text: '' } : beyondAnswer(step)
    const bare = item === null || !isOfTool || item.decided !== undefined ? item : { ...item, call: null }
    const line =
      bare && (await writtenLine(bare, null, { stage: step ? stageOf(step) : null, hasCallAbove: true }, bodies))
    const said = step === undefined ? 'not over yet: its result follows' : `#${step.number} taken`
    results.push({ call, text: line?.text ?? said, step: step?.id ?? null })
  }
  return results
}

/** These items (by number) whole, as far as the tokens allow. */
export async function writeWhole(
  over: readonly StepRecord[],
  numbers: readonly number[],
  tokens: number,
  bodies: BodyCache,
): Promise<string> {
  const lines: string[] = []
  const out: number[] = []
  let left = tokens
  for (const number of numbers) {
    const step = over.find((one) => one.number === number)
    if (step === undefined) continue
    if (lines.length > 0 && left < CUT_TOKENS) {
      out.push(number)
      continue
    }
    const write = async (cut: number | null) =>
      writeItem(await readItem(toItem(step), (ref) => bodies.text(ref), cut)).join('')
    const whole = await write(null)
    const size = estimateTokens(whole)
    lines.push(size <= left ? whole : await write(Math.max(CUT_CHARACTERS, left * 2)))
    left = Math.max(0, left - size)
  }
  return [...lines, ...(out.length === 0 ? [] : [`(n ${out.join(', ')}: left out)`])].join('\n')
}

function sectionOf(lines: readonly Line[]): Pick<HistorySection, 'text' | 'turns' | 'tokens'> {
  // Joined without copying: callers that only measure a long history never read it.
  let text = openSection(ABOUT.name)
  let wide = 0
  const turns = [OPENED]
  for (const line of lines) {
    text += `\n${line.text}`
    wide += line.wide
    turns.push(...line.turns)
  }
  text += `\n${CLOSE_SECTION}`
  return { text, turns: [...grouped(turns), CLOSED], tokens: tokensOf(text.length, wide) }
}

/** The blocks that the newest prompt of this history left cut: what was sent once stays as it was. */
function cutBefore([first]: readonly StepRecord[], ended: readonly StepRecord[]): number {
  if (first === undefined) return 0
  for (const { calls } of ended.toReversed()) {
    const cut = calls.findLast(({ prompt }) => prompt.cut?.first === first.id)?.prompt.cut
    if (cut !== undefined) return cut.blocks
  }
  return 0
}

/** A line of the section, with what is stored of it. */
type Line = { text: string; wide: number; turns: readonly PromptEntry[] }
/** The line of an item as it was written last. */
export type WrittenItem = Line & { cut: number | null; stage: string | null }

const OPENED = ownTurn(ABOUT, openSection(ABOUT.name))
const CLOSED = ownTurn(ABOUT, CLOSE_SECTION)

const lineOf = (text: string): Line => ({ text, wide: countWide(text), turns: [ownTurn(ABOUT, text)] })

async function linesOf(
  over: readonly StepRecord[],
  items: readonly HistoryItem[],
  view: HistoryView,
  { bodies, stageOf }: Options,
): Promise<Line[]> {
  const [leftFrom, leftTo] = view.left
  const lines: Line[] = []
  for (const [at, step] of over.entries()) {
    const [item, place] = [items[at], at + 1]
    if (item === undefined || (place > leftFrom && place < leftTo)) continue
    if (place === leftFrom && place < leftTo) {
      const to = items[leftTo - 2]?.number ?? leftTo - 1
      lines.push(lineOf(`(n ${item.number} to ${to}: left out)`))
      continue
    }
    const cut = cutOf(view, place)
    const stage = stageOf(step)
    const known = bodies.items.get(step)
    // Nothing is awaited for an item that was written before: many are.
    const isSame = known?.cut === cut && known.stage === stage
    const written = isSame
      ? known
      : { ...(await writtenLine(item, cut, { stage, hasCallAbove: false }, bodies)), cut, stage }
    bodies.items.set(step, written)
    lines.push(written)
  }
  return lines
}

async function writtenLine(item: HistoryItem, cut: number | null, placed: ItemPlace, bodies: BodyCache): Promise<Line> {
  const pieces = writeItem(await readItem(item, (ref) => bodies.text(ref), cut, placed))
  const [begin = '', ...rest] = pieces
  // Joined without copying: the pieces are kept, too.
  const text = pieces.reduce((all, piece) => all + piece)
  const turns = [
    sharedTurn({ ...ABOUT, messages: item.messages }, begin),
    ...rest.map((piece) => ownTurn({ ...ABOUT, joins: true }, piece)),
  ]
  return { text, wide: pieces.reduce((sum, piece) => sum + countWide(piece), 0), turns }
}

function cutOf(view: HistoryView, place: number): number | null {
  if (place >= view.wholeFrom || (place === 1 && view.firstWhole)) return null
  return view.partly?.item === place ? view.partly.characters : CUT_CHARACTERS
}

const ALL_WHOLE: HistoryView = { left: [1, 1], wholeFrom: 1, firstWhole: false, partly: null }

/** Share of the tokens of a history that does not fit whole for previews of older items. */
const PREVIEWS_SHARE = 0.25

/** Of an item that is asked for and not whole: without room for so much it is omitted. */
const CUT_TOKENS = CUT_CHARACTERS / 4

/** Most tokens of the line about omitted items. */
const LEFT_OUT_TOKENS = 20

type Room = { tokens: number; block: number }

/** Cumulative tokens of the first items: whole, and cut. */
type Sums = { whole: readonly number[]; cut: readonly number[] }

function sumsOf(items: readonly HistoryItem[]): Sums {
  const [whole, cut] = [[0], [0]]
  for (const item of items) {
    const tokens = guessTokens(item)
    whole.push((whole.at(-1) ?? 0) + tokens.whole)
    cut.push((cut.at(-1) ?? 0) + tokens.cut)
  }
  return { whole, cut }
}

/** Tokens of the items from one index to before another, from 0. */
const between = (sums: readonly number[], from: number, to: number): number => (sums[to] ?? 0) - (sums[from] ?? 0)

/** How many items fit whole into these tokens; at least so many. */
function itemsIn({ whole }: Sums, tokens: number, least: number): number {
  let count = least
  while ((whole[count + 1] ?? Number.POSITIVE_INFINITY) <= tokens) count += 1
  return count
}

/** The least number of blocks to cut, never less than before, so that the rest fits whole. */
function blocksToCut(sums: Sums, { tokens, block }: Room, before: number): number {
  const all = sums.whole.length - 1
  const most = Math.ceil(between(sums.whole, 0, all) / block)
  let gone = 0
  for (let blocks = before; blocks < most; blocks += 1) {
    gone = itemsIn(sums, blocks * block, gone)
    if (between(sums.whole, gone, all) <= tokens * (1 - PREVIEWS_SHARE)) return blocks
  }
  return most
}

/** The newest items whole; the blocks before as previews, as far as they fit; the oldest blocks omitted. */
function chooseView(sums: Sums, { tokens, block }: Room, cutBlocks: number): HistoryView {
  const all = sums.whole.length - 1
  const firstWhole = between(sums.whole, 0, 1) <= tokens * PREVIEWS_SHARE
  const wholeFrom = itemsIn(sums, cutBlocks * block, 0)
  const first = firstWhole ? Math.min(1, wholeFrom) : 0
  // The first item uses some of their tokens.
  const previews = tokens * PREVIEWS_SHARE - between(sums.whole, 0, first)
  let leftTo = first
  for (let left = 1; leftTo < wholeFrom && between(sums.cut, leftTo, wholeFrom) > previews; left += 1)
    leftTo = itemsIn(sums, left * block, leftTo)
  // If not even the newest fits whole, it is cut to fit.
  const isNewestCut = wholeFrom === all && all > first
  const partly = { item: all, characters: CUT_CHARACTERS + Math.floor(tokens * (1 - PREVIEWS_SHARE)) }
  return { left: [first + 1, leftTo + 1], wholeFrom: wholeFrom + 1, firstWhole, partly: isNewestCut ? partly : null }
}
