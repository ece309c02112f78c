/** Shortens a text to a name: its first words, cut between words. Pure. */
import { plainText } from './plainText'

/** Longer texts are cut before they are processed. */
const MOST_READ = 2_000

/** Weights: one word is 8; a Chinese character is 3, so eight of them equal three words. */
const WORD = 8
const HAN = 3
/** So many letters of a long word, such as a path, count as one word. */
const WORD_LETTERS = 16

const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[，。；：！？、]+|[^\s，。；：！？、\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
const IS_HAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const IS_STOP = /^[，。；：！？、]/u
/** Commas and colons end no sentence: the rest of a list may follow. */
const ENDS_SENTENCE = /[;.!?；。！？]$/u
const CLOSING = /[\s,;:.!?，。；：！？、–—-]+$/u
/** Words that must not end a name. */
const SMALL =
  /^(?:an?|and|as|at|by|for|from|in|into|is|its|of|on|or|that|the|then|this|to|which|with|的|和|与|及|或|并|并且|在|把|从|给|对|为|是|以|将)$/iu

type Token = { text: string; from: number; to: number; weight: number }

/**
 * in      a text of any length, Markdown too; how many words the name has at most
 * out     the whole line if it is short enough, else its first sentences if they have at least two words, else its first words
 *         and `…`. Six words equal 16 Chinese characters, four equal 10
 */
export function shortName(text: string, words: number): string {
  const line = plainText(text.slice(0, MOST_READ)).replace(/[.。]$/u, '')
  const tokens = tokensOf(line)
  const room = words * WORD
  let weight = 0
  const fitting = tokens.filter((token) => {
    weight += token.weight
    return weight <= room
  })
  if (fitting.length === tokens.length && text.length <= MOST_READ) return line
  return sentencesOf(line, fitting) ?? wordsOf(line, fitting) ?? cutWord(line, room)
}

function tokensOf(line: string): Token[] {
  return [...line.matchAll(TOKEN)].flatMap(({ 0: run, index }) => {
    if (IS_STOP.test(run)) return [{ text: run, from: index, to: index + run.length, weight: 0 }]
    if (!IS_HAN.test(run)) {
      const weight = /[\p{L}\p{N}]/u.test(run) ? WORD * Math.ceil(run.length / WORD_LETTERS) : 0
      return [{ text: run, from: index, to: index + run.length, weight }]
    }
    const parts = [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(run)]
    return parts.map(({ segment, index: at }) => ({
      text: segment,
      from: index + at,
      to: index + at + segment.length,
      weight: HAN * [...segment].length,
    }))
  })
}

/** The text up to the last end of a sentence among these words. */
function sentencesOf(line: string, tokens: readonly Token[]): string | null {
  const whole = tokens.slice(0, tokens.findLastIndex(({ text }) => ENDS_SENTENCE.test(text)) + 1)
  const weight = whole.reduce((sum, token) => sum + token.weight, 0)
  return weight < 2 * WORD ? null : line.slice(0, whole.at(-1)?.to).replace(CLOSING, '')
}

function wordsOf(line: string, tokens: readonly Token[]): string | null {
  const last = tokens.findLast((token) => token.weight > 0 && !SMALL.test(token.text))
  return last === undefined ? null : `${line.slice(0, last.to).replace(CLOSING, '')}…`
}

/** Cuts a word that is longer than the name may be. */
const cutWord = (line: string, room: number): string =>
  line === '' ? '' : `${[...line].slice(0, (room / WORD) * WORD_LETTERS - 1).join('')}…`
