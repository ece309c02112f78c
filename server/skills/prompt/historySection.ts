import { countWide, estimateTokens, tokensOf } from '@/lib/mas/formats'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { beginsWith } from '@/lib/mas/selectors/steps/history'
import { memo } from '@/lib/memo'
import type { BodyCache } from '../port'
import { type HistorySources, type HistoryView, readAfter, readHead, readItems, storeHistory } from './historyChain'
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

/** Older prompts have histories under another name. */
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
  const rows = over.map(rowOf)
  const sums = sumsOf(rows)
  const last = lastOf(over)
  const keptCut = last?.cutBlocks ?? 0
  const fits = keptCut === 0 && between(sums.whole, 0, rows.length) <= options.tokens
  // Lines that say what is not shown need tokens, too.
  const said = LEFT_OUT_TOKENS + estimateTokens(options.more)
  const room: Room = { tokens: Math.max(0, options.tokens - said), block: options.block }
  const cutBlocks = fits ? 0 : blocksToCut(sums, room, keptCut)
  const view = fits ? ALL_WHOLE : chooseView(sums, room, cutBlocks)
  const isCut = view.left[1] > view.left[0] || view.wholeFrom > (view.firstWhole ? 2 : 1)
  const after = isCut ? options.more : ''
  const ref = await storeHistory({ steps: over, view, after }, NAME, options.bodies)
  const lines = fits ? await writeWhole(rows, last, read) : null
  const shown = lines ?? (await writeHistory(rows, { view, before: '', after }, read))
  const [first] = over
  if (first) built.set(first, { steps: over, cutBlocks, lines })
  const text = section(NAME, shown.text)
  return {
    text,
    ref,
    tokens: tokensOf(text.length, shown.wide),
    isCut,
    whole: async (numbers, tokens) => {
      const lines: string[] = []
      let left = tokens
      for (const number of numbers) {
        const item = rows.find((row, index) => numberOf(row.item, index + 1) === number)?.item
        if (item === undefined) continue
        const whole = writeItem(await readItem(item, read, null), number)
        const size = estimateTokens(whole)
        const room = Math.max(CUT_CHARACTERS, left * 2)
        lines.push(size <= left ? whole : writeItem(await readItem(item, read, room), number))
        left = Math.max(0, left - size)
      }
      return lines.join('\n')
    },
  }
}

/**
 * A history as last built. cutBlocks: of its oldest blocks so many were not shown whole: the next prompt shows no more of them.
 * lines: all items whole, else null.
 */
type Built = { steps: readonly StepRecord[]; cutBlocks: number; lines: Counted | null }

/** By a history's first step: the record of a finished step stays the same object. */
const built = new WeakMap<StepRecord, Built>()

/** The last build, if these steps begin with its steps. */
function lastOf(steps: readonly StepRecord[]): Built | null {
  const [first] = steps
  const last = first && built.get(first)
  return last && beginsWith(steps, last.steps) ? last : null
}

/** All items whole: new ones behind the last text, which is not copied. A copy of 500 items takes 0.6 ms, half as long as sending them. */
async function writeWhole(rows: readonly Row[], last: Built | null, read: ReadText): Promise<Counted> {
  let lines = last?.lines ?? NOTHING
  let place = last?.lines ? last.steps.length : 0
  for (const row of rows.slice(place)) {
    place += 1
    lines = joined(lines, await writeLine(row, numberOf(row.item, place), null, read))
  }
  return lines
}

/** An item, its estimated tokens whole and cut, and as it was written last. */
type Row = {
  item: HistoryItem
  whole: number
  cut: number
  line: (Counted & { number: number; cut: number | null }) | null
}
const newRow = (item: HistoryItem): Row => ({
  item,
  whole: guessTokens(item, null),
  cut: guessTokens(item, CUT_CHARACTERS),
  line: null,
})
/** One for each record, which never changes: all later prompts of its agent show it again, and building it takes 16 µs. */
const rowOf = memo((step: StepRecord): Row => newRow(toItem(step)))

/** A text and its number of wide characters, so that tokens are known without reading it again. */
type Counted = { text: string; wide: number }
const NOTHING: Counted = { text: '', wide: 0 }
const counted = (text: string): Counted => ({ text, wide: countWide(text) })
const joined = (a: Counted, b: Counted): Counted =>
  a.text === '' ? b : { text: `${a.text}\n${b.text}`, wide: a.wide + b.wide }

/** A stored history as it was shown. */
export async function readHistory(name: SectionName, ref: BodyRef, sources: HistorySources): Promise<string> {
  const read = sources.text
  const head = await readHead(ref, read)
  const shown = { view: head.view, before: head.v === 1 ? head.before : '', after: await readAfter(head, read) }
  const rows = (await readItems(head, name, sources)).map(newRow)
  return section(name, (await writeHistory(rows, shown, read)).text)
}

async function writeHistory(
  rows: readonly Row[],
  shown: { view: HistoryView; before: string; after: string },
  read: ReadText,
): Promise<Counted> {
  const { view } = shown
  const [leftFrom, leftTo] = view.left
  const lines: Counted[] = shown.before === '' ? [] : [counted(shown.before)]
  for (let place = 1; place <= rows.length; place++) {
    const row = rows[place - 1]
    if (row === undefined) continue
    const number = numberOf(row.item, place)
    if (place >= leftFrom && place < leftTo) {
      const end = rows[leftTo - 2]
      const to = end === undefined ? leftTo - 1 : numberOf(end.item, leftTo - 1)
      lines.push(counted(`(n ${number} to ${to}: left out)`))
      place = leftTo - 1
      continue
    }
    const cut = cutOf(view, place)
    // Awaiting each of a hundred items would yield a hundred times.
    const isWritten = row.line?.number === number && row.line.cut === cut
    lines.push(isWritten && row.line ? row.line : await writeLine(row, number, cut, read))
  }
  if (shown.after !== '') lines.push(counted(shown.after))
  return lines.reduce(joined, NOTHING)
}

async function writeLine(row: Row, number: number, cut: number | null, read: ReadText): Promise<Counted> {
  row.line = { number, cut, ...counted(writeItem(await readItem(row.item, read, cut), number)) }
  return row.line
}

/** The number of an item: its step's, else its position, from 1. */
const numberOf = (item: HistoryItem, place: number): number => item.number ?? place

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

function sumsOf(rows: readonly Row[]): Sums {
  const sums: { whole: number[]; cut: number[] } = { whole: [0], cut: [0] }
  let [whole, cut] = [0, 0]
  for (const row of rows) {
    whole += row.whole
    cut += row.cut
    sums.whole.push(whole)
    sums.cut.push(cut)
  }
  return sums
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
