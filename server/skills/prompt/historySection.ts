/**
 * The sections history_step and tool_history.
 *
 * Owns: which items are shown whole, cut or left out for a number of tokens, the text of the section, storing it.
 * Not here: which steps belong to it (lib/mas/selectors/history).
 */

import { estimateTokens } from '@/lib/mas/formats'
import type { BodyRef } from '@/lib/mas/records'
import type { HistoryStep } from '@/lib/mas/selectors/history'
import type { BodyDesk } from '../port'
import { type HistoryHead, type HistoryView, readAfter, readChain, readHead, storeHistory } from './historyChain'
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
  steps: HistoryStep[],
  options: { tokens: number; before: string; more: string; bodies: BodyDesk },
): Promise<HistorySection> {
  const read: ReadText = (ref) => options.bodies.text(ref)
  const over = steps.filter((item) => item.mark !== 'to come').map((item) => ({ step: item.step, item: toItem(item) }))
  const coming = steps.filter((item) => item.mark === 'to come').map(toItem)
  const items = [...over.map(({ item }) => item), ...coming]
  const view = chooseView(items, over.length, options.tokens)
  const isCut = view.left[1] > view.left[0] || view.wholeFrom > (view.firstWhole ? 2 : 1)
  const after = isCut ? options.more : ''
  const ref = await storeHistory({ over, coming, view, before: options.before, after }, name, options.bodies)
  const text = await writeHistory(name, items, { view, before: options.before, after }, read)
  return {
    text,
    ref,
    tokens: estimateTokens(text),
    isCut,
    whole: async (numbers, tokens) => {
      const lines: string[] = []
      let left = tokens
      for (const number of numbers) {
        const item = items[number - 1]
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

/** A stored history again as it was shown. */
export async function readHistory(name: SectionName, ref: BodyRef, read: ReadText): Promise<string> {
  const head: HistoryHead = await readHead(ref, read)
  const shown = { view: head.view, before: head.before, after: await readAfter(head, read) }
  return writeHistory(name, await readChain(head, read), shown, read)
}

async function writeHistory(
  name: SectionName,
  items: HistoryItem[],
  shown: { view: HistoryView; before: string; after: string },
  read: ReadText,
): Promise<string> {
  const { view } = shown
  const [leftFrom, leftTo] = view.left
  const lines: string[] = shown.before === '' ? [] : [shown.before]
  for (let number = 1; number <= items.length; number++) {
    if (number >= leftFrom && number < leftTo) {
      lines.push(`(n ${leftFrom} to ${leftTo - 1}: left out)`)
      number = leftTo - 1
      continue
    }
    const item = items[number - 1]
    if (item === undefined) continue
    // Looked up without waiting: a history of a hundred items would else give up its turn a hundred times.
    lines.push(lineOf(item, number, cutOf(view, number)) ?? (await writeLine(item, number, cutOf(view, number), read)))
  }
  if (shown.after !== '') lines.push(shown.after)
  return section(name, lines.join('\n'))
}

type Line = { number: number; cut: number | null; text: string }

/** Items as they were last written: most stay as they are from one prompt of an agent to its next. */
const written = new WeakMap<HistoryItem, Line>()

function lineOf(item: HistoryItem, number: number, cut: number | null): string | null {
  const line = written.get(item)
  return line?.number === number && line.cut === cut ? line.text : null
}

async function writeLine(item: HistoryItem, number: number, cut: number | null, read: ReadText): Promise<string> {
  const text = writeItem(await readItem(item, read, cut), number)
  written.set(item, { number, cut, text })
  return text
}

function cutOf(view: HistoryView, number: number): number | null {
  if (number >= view.wholeFrom || (number === 1 && view.firstWhole)) return null
  return view.partly?.item === number ? view.partly.characters : CUT_CHARACTERS
}

/** Everything whole if it fits; else the newest whole, then one in part, the older ones as previews, the oldest left out. */
function chooseView(items: HistoryItem[], overCount: number, tokens: number): HistoryView {
  const whole = (index: number): number => sizeOf(items[index], 'whole')
  const cut = (index: number): number => sizeOf(items[index], 'cut')
  const all: HistoryView = { left: [1, 1], wholeFrom: 1, firstWhole: false, partly: null }
  if (fits(items, tokens)) return all
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

function fits(items: HistoryItem[], tokens: number): boolean {
  let sum = 0
  for (let index = items.length - 1; index >= 0; index--) {
    sum += sizeOf(items[index], 'whole')
    if (sum > tokens) return false
  }
  return true
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
