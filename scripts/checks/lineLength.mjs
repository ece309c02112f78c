// Lines of code and comments have at most 140 columns. Texts do not count: a sentence in one piece is easier to read and search.
import { codeFiles } from './sources.mjs'

export const name = 'line length: no line of code or comment over 140 columns'

const MOST = 140
/** Matches comments, plain texts, templates; all but comments count as empty. */
const TEXTS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g
const PATTERN_LINE = /^\s*\/(?![/*]).*\/[a-z]*,?$/

/** @returns {string[]} one line per line that is too long */
export function check(files = codeFiles()) {
  return files
    .filter(({ path }) => !path.startsWith('messages/'))
    .flatMap(({ path, text }) =>
      text
        .replace(TEXTS, (found) => (found.startsWith('/') ? found : found.replace(/[^\n]/g, '')))
        .split('\n')
        .flatMap((line, at) =>
          line.length > MOST && !PATTERN_LINE.test(line) ? [`${path}:${at + 1} has ${line.length} columns`] : [],
        ),
    )
}
