// What differs by kind of member stands in lib/mas/members: the rest of the domain asks there, so that a new kind is one row.
import { codeFiles, isTestFile, lineAt, withoutComments } from './sources.mjs'

export const name = 'member kinds: the domain asks lib/mas/members'

const DOMAIN = /^lib\/mas\/(?!members\/)/
/** Names of kinds of set-up records are those of members, too. */
const OF_SETUP = ['lib/mas/setup/setup.ts']
const ASKS = /\bkind\s*[!=]==\s*'(?:llm|human|outside)'/g

/** @returns {string[]} one line per comparison with a kind of member */
export function check(files = codeFiles()) {
  return files
    .filter(({ path }) => DOMAIN.test(path) && !isTestFile(path) && !OF_SETUP.includes(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(ASKS)].map(
        (match) => `${path}:${lineAt(text, match.index)} compares a kind of member: use its traits or lib/mas/members`,
      ),
    )
}
