// The bundler's loader for message files (next.config.ts): picks namespaces and compiles ICU texts. How to add texts: README.md.
import compile from 'icu-minify/compile'
import { pseudoWords } from './pseudo.mjs'

/** The namespaces of the sign-in page. A file reached from it that uses another fails `npm run check`. */
export const SIGN_IN = ['common', 'error', 'kind', 'login', 'presence']

/** The namespaces that come with the first screen that says them (components/ui/laterWords.ts). */
export const LATER = [
  'agents',
  'audit',
  'budgets',
  'byHand',
  'channels',
  'diff',
  'direct',
  'directory',
  'export',
  'files',
  'form',
  'gallery',
  'help',
  'inspector',
  'moment',
  'numbers',
  'people',
  'plan',
  'result',
  'search',
  'settings',
  'setup',
  'tasks',
  'teamFile',
  'templates',
  'timeline',
  'tools',
  'triage',
  'trial',
  'waits',
]

const pick = (words, namespaces) => Object.fromEntries(namespaces.map((namespace) => [namespace, words[namespace]]))

/** The query of an import; without one, all texts. */
const QUERIES = {
  '?sign-in': (words) => pick(words, SIGN_IN),
  '?console': (words) =>
    pick(
      words,
      Object.keys(words).filter((namespace) => !LATER.includes(namespace)),
    ),
  '?later': (words) => pick(words, LATER),
  '?pseudo': pseudoWords,
}

/**
 * in: a message file's text. out: a module
 *
 * @this {{ resourceQuery: string }}
 * @param {string} source
 */
export default function forPages(source) {
  const select = QUERIES[this.resourceQuery] ?? ((words) => words)
  return `export default ${JSON.stringify(compiled(select(JSON.parse(source))))}`
}

/** Texts as use-intl's formatter takes them: without arguments a string, else a list of pieces. */
const compiled = (words) =>
  typeof words === 'string'
    ? compile(words)
    : Object.fromEntries(Object.entries(words).map(([key, word]) => [key, compiled(word)]))
