// Test results list names alone: each is a sentence of at least three words after ids such as `[R12]`, `T-34`.
import { codeFiles, lineAt, withoutComments } from './sources.mjs'

export const name = 'test names: each is a sentence of at least three words'

const TEST = /\.(test|spec)\.tsx?$/
/** Also matches `it.each(…)('name', …)`, `test.skipIf(…)('name', …)`: the name is the first text after the last opening bracket. */
const NAMED =
  /(?<![\w.$])(?:it|test)(?:\.(?:only|concurrent|fails|skip|fixme|slow))*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1\s*,/g
const EACH =
  /(?<=\n[ \t]*\](?: as const)?\)|(?:it|test)\.(?:skipIf|runIf|each)\([^()\n]*\))\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1\s*,/g
const IDS = /^(?:(?:\[[A-Z]+\d+(?:,\s*[A-Z]+\d+)*\]|[A-Z]+-?\d+(?:[-–.]\d+)*)[:,]?\s+)*/

/** @returns {string[]} one line per name that is no sentence */
export function check(files = codeFiles()) {
  return (
    files
      // It contains sample names.
      .filter(({ path }) => TEST.test(path) && path !== 'scripts/checks/reading.test.ts')
      .flatMap(({ path, text }) => {
        const code = withoutComments(text)
        return [NAMED, EACH].flatMap((pattern) =>
          [...code.matchAll(pattern)]
            .filter(({ 2: said, index }) => !isSentence(said) && !isGroup(code, index))
            .map(({ index, 2: said }) => `${path}:${lineAt(code, index)} “${said}” is no sentence`),
        )
      })
  )
}

/** The name of a `describe.each` precedes those of its tests. */
const isGroup = (code, index) =>
  code.slice(0, index).lastIndexOf('describe.each(') >
  Math.max(...['it.each(', 'test.each('].map((one) => code.slice(0, index).lastIndexOf(one)))

/** Two Chinese characters count as a word, as there are no spaces. */
function isSentence(said) {
  const words = said.replace(IDS, '').replace(/%[a-z$]+|\$\{[^}]*\}/g, 'value')
  const han = words.match(/\p{Script=Han}/gu)?.length ?? 0
  return words.split(/\s+/).filter(Boolean).length + Math.floor(han / 2) >= 3
}
