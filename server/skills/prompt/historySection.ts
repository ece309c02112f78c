/** The sections history_step and tool_history. */

import { countWide, estimateTokens, tokensOf } from '@/lib/mas/formats'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { beginsWith, type HistoryRecords, historyMarkOf } from '@/lib/mas/selectors/history'
import type { BodyCache } from '../port'
import {
  type HistoryHead,
  type HistoryView,
  readAfter,
  readChain,
  readHead,
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

export type HistorySection = {
  text: string
  ref: BodyRef
  tokens: number
  /** True when something is not shown whole. */
  isCut: boolean
  /** These items (by number) whole, as far as the tokens reach. */
  whole(numbers: number[], tokens: number): Promise<string>
}

/**
 * Build, write and store a history.
 *
 * in      its steps in order; the tokens that it may take; a line before the items; the line that says how to ask for more
 * out     the section's text and its reference. When the tokens do not reach, the oldest items are cut to previews first and
 *         then left out; steps to come stay whole, and so does the first step (the goal), if it is small
 */
export async function buildHistory(
  name: SectionName,
  { over, coming }: HistoryRecords,
  options: { tokens: number; before: string; more: string; bodies: BodyCache },
): Promise<HistorySection> {
  const read: ReadText = (ref) => options.bodies.text(ref)
  const last = lastOf(name, over)
  const ran = [...(last?.items ?? []), ...over.slice(last?.items.length ?? 0).map(itemOf)]
  const ahead = coming.map(itemOf)
  const items = (): HistoryItem[] => [...ran, ...ahead]
  const ranTokens = wholeTokens(ran.slice(last?.items.length ?? 0), last?.tokens ?? 0)
  const fits = wholeTokens(ahead, ranTokens) <= options.tokens
  const view = fits ? ALL_WHOLE : chooseView(items(), over.length, options.tokens)
  const isCut = view.left[1] > view.left[0] || view.wholeFrom > (view.firstWhole ? 2 : 1)
  const after = isCut ? options.more : ''
  const { before } = options
  const stored = await storeHistory(
    { steps: over, over: ran, coming: ahead, view, before, after, last: last?.stored ?? null },
    name,
    options.bodies,
  )
  const lines = fits ? await goOn(last, ran, read) : null
  const shown =
    lines === null
      ? await writeHistory(name, items(), { view, before, after }, read)
      : inSection(
          name,
          await writeBehind(before === '' ? lines : joined(counted(before), lines), ahead, ran.length, read),
        )
  remember(name, { steps: over, items: ran, tokens: ranTokens, lines, stored })
  return {
    text: shown.text,
    ref: stored.ref,
    tokens: tokensOf(shown.text.length, shown.wide),
    isCut,
    whole: async (numbers, tokens) => {
      const lines: string[] = []
      const all = items()
      let left = tokens
      for (const number of numbers) {
        const item = all[number - 1]
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
 * What is over of a history, as it was built last: a prompt of the same agent shows the same and a few items more.
 * `lines`: all of them whole, joined; null when they were not all shown whole. Never changed, only replaced.
 */
type Built = {
  steps: readonly StepRecord[]
  items: readonly HistoryItem[]
  tokens: number
  lines: Counted | null
  stored: StoredHistory
}

/** By a history's first step: a record that is over stays the same object for as long as it lives. */
const built = new Map<SectionName, WeakMap<StepRecord, Built>>()

function remember(name: SectionName, next: Built): void {
  const own = built.get(name) ?? new WeakMap<StepRecord, Built>()
  built.set(name, own)
  const [first] = next.steps
  if (first) own.set(first, next)
}

/** As built last, when these steps begin with the very same. */
function lastOf(name: SectionName, steps: readonly StepRecord[]): Built | null {
  const [first] = steps
  const last = first ? built.get(name)?.get(first) : undefined
  return last && beginsWith(steps, last.steps) ? last : null
}

const itemOf = (step: StepRecord): HistoryItem => toItem({ step, mark: historyMarkOf(step) })

const wholeTokens = (items: readonly HistoryItem[], before: number): number =>
  items.reduce((sum, item) => sum + sizeOf(item, 'whole'), before)

/** All items whole, in the lines that were written last and those behind them. */
const goOn = (last: Built | null, items: readonly HistoryItem[], read: ReadText): Promise<Counted> =>
  last !== null && last.lines !== null
    ? writeBehind(last.lines, items.slice(last.items.length), last.items.length, read)
    : writeBehind(NOTHING, items, 0, read)

/** These items whole, numbered from there on, behind those lines. Texts are put together without being copied. */
async function writeBehind(
  lines: Counted,
  items: readonly HistoryItem[],
  count: number,
  read: ReadText,
): Promise<Counted> {
  let all = lines
  let number = count
  for (const item of items) {
    number += 1
    all = joined(all, lineOf(item, number, null) ?? (await writeLine(item, number, null, read)))
  }
  return all
}

/** A text and how many of its characters are wide, so that nothing long is read again to know its tokens. */
type Counted = { text: string; wide: number }
const NOTHING: Counted = { text: '', wide: 0 }
const counted = (text: string): Counted => ({ text, wide: countWide(text) })
const joined = (a: Counted, b: Counted): Counted =>
  a.text === '' ? b : b.text === '' ? a : { text: `${a.text}\n${b.text}`, wide: a.wide + b.wide }
const inSection = (name: SectionName, { text, wide }: Counted): Counted => ({ text: section(name, text), wide })

/** A stored history again as it was shown. */
export async function readHistory(name: SectionName, ref: BodyRef, read: ReadText): Promise<string> {
  const head: HistoryHead = await readHead(ref, read)
  const shown = { view: head.view, before: head.before, after: await readAfter(head, read) }
  return (await writeHistory(name, await readChain(head, read), shown, read)).text
}

async function writeHistory(
  name: SectionName,
  items: HistoryItem[],
  shown: { view: HistoryView; before: string; after: string },
  read: ReadText,
): Promise<Counted> {
  const { view } = shown
  const [leftFrom, leftTo] = view.left
  const lines: Counted[] = shown.before === '' ? [] : [counted(shown.before)]
  for (let number = 1; number <= items.length; number++) {
    if (number >= leftFrom && number < leftTo) {
      lines.push(counted(`(n ${leftFrom} to ${leftTo - 1}: left out)`))
      number = leftTo - 1
      continue
    }
    const item = items[number - 1]
    if (item === undefined) continue
    // Looked up without waiting: a history of a hundred items would else give up its turn a hundred times.
    lines.push(lineOf(item, number, cutOf(view, number)) ?? (await writeLine(item, number, cutOf(view, number), read)))
  }
  if (shown.after !== '') lines.push(counted(shown.after))
  const text = lines.map((line) => line.text).join('\n')
  return inSection(name, { text, wide: lines.reduce((sum, line) => sum + line.wide, 0) })
}

type Line = Counted & { number: number; cut: number | null }

/** Items as they were last written: most stay as they are from one prompt of an agent to its next. */
const written = new WeakMap<HistoryItem, Line>()

function lineOf(item: HistoryItem, number: number, cut: number | null): Line | null {
  const line = written.get(item)
  return line?.number === number && line.cut === cut ? line : null
}

async function writeLine(item: HistoryItem, number: number, cut: number | null, read: ReadText): Promise<Line> {
  const line = { number, cut, ...counted(writeItem(await readItem(item, read, cut), number)) }
  written.set(item, line)
  return line
}

function cutOf(view: HistoryView, number: number): number | null {
  if (number >= view.wholeFrom || (number === 1 && view.firstWhole)) return null
  return view.partly?.item === number ? view.partly.characters : CUT_CHARACTERS
}

const ALL_WHOLE: HistoryView = { left: [1, 1], wholeFrom: 1, firstWhole: false, partly: null }

/** Where not everything fits whole: the newest whole, then one in part, the older ones as previews, the oldest left out. */
function chooseView(items: HistoryItem[], overCount: number, tokens: number): HistoryView {
  const whole = (index: number): number => sizeOf(items[index], 'whole')
  const cut = (index: number): number => sizeOf(items[index], 'cut')
  const firstWhole = overCount > 0 && whole(0) <= tokens / 4
  let left = tokens - (firstWhole ? whole(0) : 0)
  for (let index = overCount; index < items.length; index++) left -= whole(index)
  // Half of the room is for previews, newest first; what does not fit into it is left out.
  let forPreviews = Math.max(0, left / 2)
  const first = firstWhole ? 1 : 0
  let shownFrom = overCount
  while (shownFrom > first && cut(shownFrom - 1) <= forPreviews) {
    shownFrom -= 1
    forPreviews -= cut(shownFrom)
    left -= cut(shownFrom)
  }
  let wholeFrom = overCount
  while (wholeFrom > shownFrom && whole(wholeFrom - 1) - cut(wholeFrom - 1) <= left) {
    wholeFrom -= 1
    left -= whole(wholeFrom) - cut(wholeFrom)
  }
  const partly = wholeFrom > shownFrom && left > CUT_CHARACTERS / 2
  return {
    left: [first + 1, shownFrom + 1],
    wholeFrom: wholeFrom + 1,
    firstWhole,
    partly: partly ? { item: wholeFrom, characters: CUT_CHARACTERS + Math.floor(left) } : null,
  }
}

const sizes = new WeakMap<HistoryItem, { whole: number; cut: number }>()

/** Tokens, guessed once for each item. */
function sizeOf(item: HistoryItem | undefined, shown: 'whole' | 'cut'): number {
  if (item === undefined) return 0
  let size = sizes.get(item)
  if (!size) {
    size = { whole: guessTokens(item, null), cut: guessTokens(item, CUT_CHARACTERS) }
    sizes.set(item, size)
  }
  return size[shown]
}
