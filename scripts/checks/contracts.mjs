// Each function that a public edge exports has a comment with its contract, and one that throws says so.
import { codeFiles, isTestFile, lineAt } from './sources.mjs'

export const name = 'contracts: what a public edge exports says what it takes, gives and throws'

/** The decisions, the wire, and the front files of the folders that other parts of the server use. */
const EDGES = [/^lib\/mas\/commands\//, /^lib\/wire\//, /^server\/(store|skills|tools|models|adapters)\/[^/]+$/]
const EXPORTED = /^export (?:async )?(?:function\*? (\w+)|const (\w+) =\s*(?:<[^=]*>)?\s*(?:async )?\()/gm
/** Where the next declaration of a file begins. */
const NEXT = /^(?:\/\*\*|export |const |let |function |async function |class |type |interface )/m

/** @returns {string[]} one line per function without a comment, and per one that throws unsaid */
export function check(files = codeFiles()) {
  return files
    .filter(({ path }) => EDGES.some((edge) => edge.test(path)) && !isTestFile(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORTED)].flatMap((match) => {
        const problem = problemOf(text, match)
        return problem === null
          ? []
          : [`${path}:${lineAt(text, match.index)} exports ${match[1] ?? match[2]}${problem}`]
      }),
    )
}

function problemOf(text, { index }) {
  const before = text.slice(0, index)
  if (!before.endsWith('*/\n')) return ' without a comment: what goes in, what comes out, what it throws'
  const comment = before.slice(before.lastIndexOf('/**'))
  const after = text.slice(index + 1)
  const body = after.slice(0, after.search(NEXT) < 0 ? undefined : after.search(NEXT))
  const throws = /throw new \w*(?:Fault|Error)\b/.test(body)
  return throws && !/throws|faults|refused|rejects/i.test(comment)
    ? ', whose comment does not say that it throws'
    : null
}
