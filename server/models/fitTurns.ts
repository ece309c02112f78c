import { beginningOf } from '@/lib/mas/bodies'
import { estimateTokens, LAYOUT_TAGS } from '@/lib/mas/formats'
import type { Language } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import type { Turn } from './model'
import { mediaTokens, turnTokens } from './usage'

type FitOptions = {
  budgetTokens: number
  /** Turns at the beginning, beside system turns, that are never dropped: they hold the task itself. */
  keepFirst?: number
  /** Language of the lines that say what was cut. Default: English. */
  language?: Language
}

export type Fitted = {
  turns: Turn[]
  /** false: the parts that may not be cut are too long by themselves. */
  fits: boolean
  leftOutTokens: number
}

/** Tokens of the line that says how many pictures were left out. */
const LINE_TOKENS = 50
/** Shorter texts are not cut. */
const LEAST_TOKENS = 100
/** Sections that are never cut: without them no answer can be parsed. */
const NEVER_CUT = ['rules', 'answer_format']
const LAYOUT_TAG = new RegExp(`(</?(?:${LAYOUT_TAGS.join('|')})\\b[^>]*>)`)

/**
 * out     the same array when it fits already; system turns and the newest message are always included
 * units   estimated tokens (characters / 4, 中文 / 1.5; a picture counts 1,000, of low detail 85)
 */
export function fitTurns(turns: readonly Turn[], options: FitOptions): Fitted {
  const { budgetTokens, keepFirst = 0, language = 'en' } = options
  const before = tokensOf(turns)
  if (before <= budgetTokens) return { turns: [...turns], fits: true, leftOutTokens: 0 }
  const steps: ((turns: Turn[]) => Turn[])[] = [
    (now) => dropMedia(now, budgetTokens, 1, language),
    (now) => dropTurns(now, budgetTokens, keepFirst),
    (now) => cutTexts(now, budgetTokens, language),
    (now) => dropMedia(now, budgetTokens, 0, language),
  ]
  let now: Turn[] = [...turns]
  for (const step of steps) if (tokensOf(now) > budgetTokens) now = step(now)
  const after = tokensOf(now)
  return { turns: now, fits: after <= budgetTokens, leftOutTokens: Math.max(0, before - after) }
}

const tokensOf = (turns: readonly Turn[]): number => turns.reduce((sum, turn) => sum + turnTokens(turn), 0)

/** Drops the oldest pictures and sounds, as many as needed; the newest turn keeps `keeps` of them. A turn that lost some says so. */
function dropMedia(turns: Turn[], budget: number, keeps: number, language: Language): Turn[] {
  let over = tokensOf(turns) - budget
  return turns.map((turn, index) => {
    const may = (turn.media?.length ?? 0) - (index === turns.length - 1 ? keeps : 0)
    if (over <= 0 || !turn.media || may <= 0) return turn
    const { media, ...bare } = turn
    let [count, gained] = [0, -LINE_TOKENS]
    for (const one of media.slice(0, may)) {
      if (gained >= over) break
      gained += mediaTokens(one)
      count += 1
    }
    const left = media.slice(count)
    const dropped = {
      ...bare,
      content: `${turn.content}\n${sayInLanguage(language, 'mediaCut', { n: count })}`,
      ...(left.length > 0 ? { media: left } : {}),
    }
    over -= turnTokens(turn) - turnTokens(dropped)
    return dropped
  })
}

/** Drops the oldest turns first, each answer together with its reply or results; the answer that the newest turn mentions stays. */
function dropTurns(turns: Turn[], budget: number, keepFirst: number): Turn[] {
  const left = [...turns]
  const firstSaid = left.findIndex(({ role }) => role !== 'system')
  if (firstSaid < 0) return left
  const first = firstSaid + keepFirst
  let over = tokensOf(turns) - budget
  while (over > 0) {
    const last = left.length - 1
    const count = lengthOfExchange(left, first)
    if (first + count > last) break
    over -= tokensOf(left.splice(first, count))
  }
  return left
}

/** The turns that are dropped with the one at that place: an answer with its reply, or with the results of its calls. */
function lengthOfExchange(turns: readonly Turn[], at: number): number {
  if (turns[at]?.role !== 'assistant') return 1
  const next = turns.slice(at + 1).findIndex(({ role }) => role !== 'tool')
  return next === 0 ? 2 : next < 0 ? turns.length : next + 1
}

type Piece = { text: string; tokens: number; mayCut: boolean }

/** Cuts the longest texts in the middle until all fit. */
function cutTexts(turns: Turn[], budget: number, language: Language): Turn[] {
  const pieces = turns.map(({ role, content }) => piecesOf(content, role !== 'system'))
  const all = pieces.flat()
  let over = tokensOf(turns) - budget
  while (over > 0) {
    const longest = all.filter(({ mayCut }) => mayCut).sort((one, other) => other.tokens - one.tokens)[0]
    if (!longest || longest.tokens <= LEAST_TOKENS) break
    const text = cutMiddle(longest.text, Math.max(LEAST_TOKENS, longest.tokens - over), language)
    const tokens = estimateTokens(text)
    over -= longest.tokens - tokens
    Object.assign(longest, { text, tokens, mayCut: false })
  }
  return turns.map((turn, index) => ({ ...turn, content: (pieces[index] ?? []).map(({ text }) => text).join('') }))
}

/** Splits a text so that a cut never removes one of the runtime's tags. Foreign text holds no such tags. */
function piecesOf(content: string, mayCut: boolean): Piece[] {
  let tag = ''
  return content.split(LAYOUT_TAG).map((text, index) => {
    const isTag = index % 2 === 1
    if (isTag) tag = /^<([a-z_]+)/.exec(text)?.[1] ?? ''
    return { text, tokens: estimateTokens(text), mayCut: mayCut && !isTag && !NEVER_CUT.includes(tag) }
  })
}

/** Beginning and end of a text, about so many tokens together, with a line between them. */
function cutMiddle(text: string, tokens: number, language: Language): string {
  // Wide characters take more tokens and may be anywhere: start with their share of the whole text, then shrink.
  let kept = Math.floor((text.length * tokens) / estimateTokens(text))
  for (;;) {
    const head = beginningOf(text, Math.ceil(kept / 2))
    const tail = kept < 2 ? '' : text.slice(-Math.floor(kept / 2)).replace(/^[\uDC00-\uDFFF]/, '')
    const cut = sayInLanguage(language, 'middleCut', { n: text.length - head.length - tail.length })
    const short = `${head}\n${cut}\n${tail}`
    if (kept === 0 || estimateTokens(short) <= tokens) return short
    kept = Math.floor(kept * 0.9)
  }
}
