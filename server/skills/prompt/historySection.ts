import { countWide, estimateTokens, tokensOf } from '@/lib/mas/formats'
import type { MessageId } from '@/lib/mas/ids'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { beginsWith } from '@/lib/mas/selectors/steps/history'
import type { BodyCache } from '../port'
import {
  type HistorySources,
  type HistoryView,
  readAfter,
  readHead,
  readItems,
  type StoredHistory,
  storeHistory,
} from './historyChain'
import {
  CUT_CHARACTERS,
  guessTokens,
  type HistoryItem,
  type ReadText,
  readItem,
  toItem,
  writeItem,
} from './historyItem'
import { type SectionName, section } from './section'

const NAME: SectionName = 'history_step'

export type HistorySection = {
  text: string
  ref: BodyRef
  tokens: number
  /** Is something not shown whole? */
  isCut: boolean
  /** These items (by the displayed number) whole, as far as the tokens allow. */
  whole(numbers: number[], tokens: number): Promise<string>
}

/**
 * Build, format and store a history.
 *
 * in      its steps in order; its tokens; the size of the blocks in which it is cut, equal for all prompts of a model; the
 *         line about how to ask for more
 * out     the section's text and its reference. To fit the tokens, the oldest items are cut to previews, then omitted; the
 *         first step stays whole if it is small
 */
export async function buildHistory(
  over: readonly StepRecord[],
  options: { tokens: number; block: number; more: string; bodies: BodyCache },
): Promise<HistorySection> {
  const read: ReadText = (ref) => options.bodies.text(ref)
  const last = lastOf(over)
  const ran = [...(last?.items ?? []), ...over.slice(last?.items.length ?? 0).map(toItem)]
  const sums = goneOn(last?.sums ?? NO_SUMS, ran.slice(last?.items.length ?? 0))
  const keptCut = last?.cutBlocks ?? 0
  const fits = keptCut === 0 && between(sums.whole, 0, ran.length) <= options.tokens
  // Lines that say what is not shown need tokens, too.
  const said = LEFT_OUT_TOKENS + estimateTokens(options.more)
  const room: Room = { tokens: Math.max(0, options.tokens - said), block: options.block }
  const cutBlocks = fits ? 0 : blocksToCut(sums, room, keptCut)
  const view = fits ? ALL_WHOLE : chooseView(sums, room, cutBlocks)
  const isCut = view.left[1] > view.left[0] || view.wholeFrom > (view.firstWhole ? 2 : 1)
  const after = isCut ? options.more : ''
  const stored = await storeHistory({ steps: over, view, after, last: last?.stored ?? null }, NAME, options.bodies)
  const lines = fits ? await goOn(last, ran, read) : null
  const shown = lines === null ? await writeHistory(NAME, ran, { view, after }, read) : inSection(NAME, lines)
  remember({ steps: over, items: ran, sums, cutBlocks, lines, stored })
  return {
    text: shown.text,
    ref: stored.ref,
    tokens: tokensOf(shown.text.length, shown.wide),
    isCut,
    whole: async (numbers, tokens) => {
      const lines: string[] = []
      let left = tokens
      for (const number of numbers) {
        const item = ran.find((one) => one.number === number)
        if (item === undefined) continue
        const whole = writeItem(await readItem(item, read, null))
        const size = estimateTokens(whole)
        const room = Math.max(CUT_CHARACTERS, left * 2)
        lines.push(size <= left ? whole : writeItem(await readItem(item, read, room)))
        left = Math.max(0, left - size)
      }
      return lines.join('\n')
    },
  }
}

/** The finished part of a history as last built. `lines`: all items whole, else null. Immutable. */
type Built = {
  steps: readonly StepRecord[]
  items: readonly HistoryItem[]
  sums: Sums
  /** Number of oldest blocks that were not shown whole: the next prompt shows no more of them. */
  cutBlocks: number
  lines: Counted | null
  stored: StoredHistory
}

/** By a history's first step: the record of a finished step stays the same object. */
const built = new WeakMap<StepRecord, Built>()

function remember(next: Built): void {
  const [first] = next.steps
  if (first) built.set(first, next)
}

/** The last build, if these steps begin with its steps. */
function lastOf(steps: readonly StepRecord[]): Built | null {
  const [first] = steps
  const last = first ? built.get(first) : undefined
  return last && beginsWith(steps, last.steps) ? last : null
}

/** All items whole: the last lines with new ones appended. */
const goOn = (last: Built | null, items: readonly HistoryItem[], read: ReadText): Promise<Counted> =>
  last !== null && last.lines !== null
    ? writeBehind(last.lines, items.slice(last.items.length), read)
    : writeBehind(NOTHING, items, read)

/** These items whole, appended to these lines. Strings are concatenated without copying. */
async function writeBehind(lines: Counted, items: readonly HistoryItem[], read: ReadText): Promise<Counted> {
  let all = lines
  for (const item of items) all = joined(all, lineOf(item, null) ?? (await writeLine(item, null, read)))
  return all
}

/** A text and its number of wide characters, so that tokens are known without reading it again. */
type Counted = { text: string; wide: number }
const NOTHING: Counted = { text: '', wide: 0 }
const counted = (text: string): Counted => ({ text, wide: countWide(text) })
const joined = (a: Counted, b: Counted): Counted =>
  a.text === '' ? b : b.text === '' ? a : { text: `${a.text}\n${b.text}`, wide: a.wide + b.wide }
const inSection = (name: SectionName, { text, wide }: Counted): Counted => ({ text: section(name, text), wide })

/** A stored history as it was shown, and the messages whose text its items show. */
export async function readHistory(
  name: SectionName,
  ref: BodyRef,
  sources: HistorySources,
): Promise<{ text: string; messages: MessageId[] }> {
  const read = sources.text
  const head = await readHead(ref, read)
  const shown = { view: head.view, after: await readAfter(head, read) }
  const items = await readItems(head, name, sources)
  const [leftFrom, leftTo] = head.view.left
  const there = items.filter((_, index) => index + 1 < leftFrom || index + 1 >= leftTo)
  const { text } = await writeHistory(name, items, shown, read)
  return { text, messages: there.flatMap(({ messages }) => [...messages]) }
}

async function writeHistory(
  name: SectionName,
  items: HistoryItem[],
  shown: { view: HistoryView; after: string },
  read: ReadText,
): Promise<Counted> {
  const { view } = shown
  const [leftFrom, leftTo] = view.left
  const lines: Counted[] = []
  for (let place = 1; place <= items.length; place++) {
    const item = items[place - 1]
    if (item === undefined) continue
    if (place >= leftFrom && place < leftTo) {
      const end = items[leftTo - 2]
      const to = end?.number ?? leftTo - 1
      lines.push(counted(`(n ${item.number} to ${to}: left out)`))
      place = leftTo - 1
      continue
    }
    const cut = cutOf(view, place)
    // Synchronous where possible: awaiting each of a hundred items would yield a hundred times.
    lines.push(lineOf(item, cut) ?? (await writeLine(item, cut, read)))
  }
  if (shown.after !== '') lines.push(counted(shown.after))
  return inSection(name, lines.reduce(joined, NOTHING))
}

type Line = Counted & { cut: number | null }

/** Formatted items, cached: most are unchanged in the agent's next prompt. */
const written = new WeakMap<HistoryItem, Line>()

function lineOf(item: HistoryItem, cut: number | null): Line | null {
  const line = written.get(item)
  return line?.cut === cut ? line : null
}

async function writeLine(item: HistoryItem, cut: number | null, read: ReadText): Promise<Line> {
  const line = { cut, ...counted(writeItem(await readItem(item, read, cut))) }
  written.set(item, line)
  return line
}

function cutOf(view: HistoryView, place: number): number | null {
  if (place >= view.wholeFrom || (place === 1 && view.firstWhole)) return null
  return view.partly?.item === place ? view.partly.characters : CUT_CHARACTERS
}

const ALL_WHOLE: HistoryView = { left: [1, 1], wholeFrom: 1, firstWhole: false, partly: null }

/** Share of the tokens of a history that does not fit whole for previews of older items. */
const PREVIEWS_SHARE = 0.25

/** Most tokens of the line about omitted items. */
const LEFT_OUT_TOKENS = 20

type Room = { tokens: number; block: number }

/** Cumulative tokens of the first items: whole, and cut. */
type Sums = { whole: readonly number[]; cut: readonly number[] }
const NO_SUMS: Sums = { whole: [0], cut: [0] }

/** Extended by these items. */
function goneOn(before: Sums, items: readonly HistoryItem[]): Sums {
  const [whole, cut] = [[...before.whole], [...before.cut]]
  for (const item of items) {
    whole.push((whole.at(-1) ?? 0) + guessTokens(item, null))
    cut.push((cut.at(-1) ?? 0) + guessTokens(item, CUT_CHARACTERS))
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
