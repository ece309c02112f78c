/**
 * Addresses in a text without marks around them, as links: a syntax extension of micromark and its tree.
 *
 * An address ends where a reader would end it. GitHub's rule takes everything up to the next space, and Chinese is
 * written without spaces: `见 https://example.com/a，然后继续` would be one address.
 */
import type { Extension as TreeExtension } from 'mdast-util-from-markdown'
import type { Code, Construct, Extension, State, Token, TokenizeContext, Tokenizer } from 'micromark-util-types'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    bareUrl: 'bareUrl'
  }
}

const STARTS = ['https://', 'http://', 'www.']
/** Spaces, controls, hidden characters, brackets of tags, CJK letters and punctuation, quotes and dashes of prose. */
const ENDS =
  /[\s\p{Cc}\p{Cf}\p{DI}<>"`\u2014-\u2015\u2018-\u201F\u2026\u3000-\u303F\uFF00-\uFFEF\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}]/u
/** At the end of an address these belong to the sentence, or are marks of Markdown. */
const TRAILING = /[!'*,.:;_~?|\\]/u
const OPENS = ['(', '[']
const CLOSES = [')', ']']
const LETTER_OR_DIGIT = /[A-Za-z0-9]/

/** micromark gives line ends and tabs as negative numbers, and the halves of a pair by themselves. */
const signOf = (code: Code): string => (code === null || code < 0 ? '\n' : String.fromCharCode(code))
const isEnd = (code: Code): boolean => ENDS.test(signOf(code))

/** Only trailing characters until the end: they are not part of the address. */
const trail: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return function inside(code): State | undefined {
      const sign = signOf(code)
      if (isEnd(code) || sign === ')' || sign === ']') return ok(code)
      if (!TRAILING.test(sign)) return nok(code)
      effects.consume(code)
      return inside
    }
  },
}

const tokenize: Tokenizer = function tokenizeBareUrl(this: TokenizeContext, effects, ok, nok) {
  let begun = ''
  const open = [0, 0]

  return function start(code) {
    effects.enter('bareUrl')
    return beginning(code)
  }

  function beginning(code: Code): State | undefined {
    begun += signOf(code).toLowerCase()
    if (!STARTS.some((start) => start.startsWith(begun))) return nok(code)
    effects.consume(code)
    return STARTS.includes(begun) ? first : beginning
  }

  function first(code: Code): State | undefined {
    return LETTER_OR_DIGIT.test(signOf(code)) || (code !== null && code > 127 && !isEnd(code)) || signOf(code) === '['
      ? path(code)
      : nok(code)
  }

  function path(code: Code): State | undefined {
    const sign = signOf(code)
    if (isEnd(code)) return end(code)
    if (TRAILING.test(sign)) return effects.check(trail, end, consumed)(code)
    const closed = CLOSES.indexOf(sign)
    if (closed >= 0 && open[closed] === 0) return end(code)
    return consumed(code)
  }

  function consumed(code: Code): State {
    const sign = signOf(code)
    const opened = OPENS.indexOf(sign)
    const closed = CLOSES.indexOf(sign)
    if (opened >= 0) open[opened] = (open[opened] ?? 0) + 1
    if (closed >= 0) open[closed] = (open[closed] ?? 0) - 1
    effects.consume(code)
    return path
  }

  function end(code: Code): State | undefined {
    effects.exit('bareUrl')
    return ok(code)
  }
}

const construct: Construct = {
  name: 'bareUrl',
  tokenize,
  previous: (code) => !LETTER_OR_DIGIT.test(signOf(code)),
}

const letters = ['h', 'H', 'w', 'W'].map((letter) => letter.charCodeAt(0))
export const bareUrl: Extension = { text: Object.fromEntries(letters.map((code) => [code, construct])) }

export const bareUrlTree: TreeExtension = {
  enter: {
    bareUrl(token: Token) {
      const text = this.sliceSerialize(token)
      const url = /^www\./i.test(text) ? `https://${text}` : text
      this.enter({ type: 'link', title: null, url, children: [] }, token)
    },
  },
  exit: {
    bareUrl(token: Token) {
      const tail = this.stack.at(-1)
      if (tail?.type === 'link') tail.children = [{ type: 'text', value: this.sliceSerialize(token) }]
      this.exit(token)
    },
  },
}
