// How the words get into the pages: the bundler hands each file of words through here (next.config.ts), in `npm run
// dev` too. What to do with a new word: README.md.
import compile from 'icu-minify/compile'
import { pseudoWords } from './pseudo.mjs'

/** The namespaces that the sign-in page says. A file reached from it that says another fails `npm run check`. */
export const SIGN_IN = ['common', 'error', 'kind', 'login', 'presence']

/** The namespaces that come with their screens and not with the page (components/directory/DirectoryWords.tsx). */
export const LATER = ['directory']

const pick = (words, namespaces) => Object.fromEntries(namespaces.map((namespace) => [namespace, words[namespace]]))

/** What an import may ask for behind the name of the file; without it, all words. */
const ASKED = {
  '?sign-in': (words) => pick(words, SIGN_IN),
  '?console': (words) =>
    pick(
      words,
      Object.keys(words).filter((namespace) => !LATER.includes(namespace)),
    ),
  '?directory': (words) => pick(words, ['directory']),
  '?pseudo': pseudoWords,
}

/**
 * A loader of the bundler: the text of a file of words in, a module out.
 *
 * @this {{ resourceQuery: string }}
 * @param {string} source
 */
export default function forPages(source) {
  const asked = ASKED[this.resourceQuery] ?? ((words) => words)
  return `export default ${JSON.stringify(compiled(asked(JSON.parse(source))))}`
}

/** Texts as what puts the values in reads them: those without an argument stay texts, others become lists of pieces. */
const compiled = (words) =>
  typeof words === 'string'
    ? compile(words)
    : Object.fromEntries(Object.entries(words).map(([key, word]) => [key, compiled(word)]))
