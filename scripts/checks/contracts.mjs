// Each exported function of a public edge has a comment with its contract, and one that throws says so.
import { codeFiles, isTestFile, lineAt } from './sources.mjs'

export const name = 'contracts: what a public edge exports says what it takes, gives and throws'

const DECISIONS = /^lib\/mas\/(?:\w+\/)?commands\//
/** Decisions, wire and formats, and the entry files of folders used by other parts of the server. */
const EDGES = [
  DECISIONS,
  /^lib\/(wire|protocols|faults|format|i18n)\//,
  /^packages\/interop\/(protocols\/|adapters\/[^/]+$)/,
  /^server\/(store|skills|tools|models|otherSystems|monitor|notify|net|search|gateway|files|setup|metrics|backup|config|shared)\/[^/]+$/,
]
const EXPORTED = /^export (?:async )?(?:function\*? (\w+)|const (\w+) =\s*(?:<[^=]*>)?\s*(?:async )?\()/gm
/** The start of the next declaration in a file. */
const NEXT = /^(?:\/\*\*|export |const |let |function |async function |class |type |interface )/m

const SAYS_SO = /throws|faults|refused|rejects/i

/** @returns {string[]} one line per function without a comment, and per one that throws, or calls what throws, unsaid */
export function check(files = codeFiles()) {
  const functions = files
    .filter(({ path }) => EDGES.some((edge) => edge.test(path)) && !isTestFile(path))
    .flatMap(({ path, text }) =>
      withoutOverloads([...text.matchAll(EXPORTED)]).map((match) => described(path, text, match)),
    )
  const throwing = functions.filter(({ isDecision, comment }) => isDecision && SAYS_SO.test(comment))
  return functions.flatMap((one) => {
    const problem = problemOf(one, throwing)
    return problem === null ? [] : [`${one.place} exports ${one.name}${problem}`]
  })
}

/** The comment is at the first overload of a function. */
const withoutOverloads = (matches) =>
  matches.filter((match, at) => match[1] === undefined || match[1] !== matches[at - 1]?.[1])

function described(path, text, { index, 1: plain, 2: arrow }) {
  const before = text.slice(0, index)
  const after = text.slice(index + 1)
  const end = after.search(NEXT)
  return {
    place: `${path}:${lineAt(text, index)}`,
    isDecision: DECISIONS.test(path),
    name: plain ?? arrow,
    comment: before.endsWith('*/\n') ? before.slice(before.lastIndexOf('/**')) : '',
    body: after.slice(0, end < 0 ? undefined : end),
    imports: text.slice(0, text.search(/^export /m)),
  }
}

function problemOf({ isDecision, comment, body, imports }, throwing) {
  if (comment === '') return ' without a comment: what goes in, what comes out, what it throws'
  if (SAYS_SO.test(comment)) return null
  if (/throw new \w*(?:Fault|Error)\b/.test(body)) return ', whose comment does not say that it throws'
  const called =
    isDecision && throwing.find(({ name }) => calls(body, name) && new RegExp(`\\b${name}\\b`).test(imports))
  return called ? `, whose comment does not say that it throws what ${called.name} throws` : null
}

const calls = (body, name) => new RegExp(`(?<![\\w.])${name}\\(`).test(body)
