// A reference may hold a short text itself, without a stored body: its content is read by server/shared/bodyText.ts.
import { codeFiles, isTestFile, lineAt, withoutComments } from './sources.mjs'

export const name = 'bodies: what a reference refers to is read through server/shared/bodyText.ts'

/** Stores and moves; what looks at the reference's own text first; and files and envelopes, which have hashes, no references. */
const BY_HASH = [
  /^(server\/store|packages\/cluster)\//,
  /^server\/shared\/bodyText\.ts$/,
  /^server\/engine\/steps\/bodyCache\.ts$/,
  /^server\/engine\/duties\/namedBodies\.ts$/,
  /^server\/engine\/snapshots\/opened\/openedArchives\.ts$/,
  /^server\/gateway\/records\/taskExport\.ts$/,
  /^server\/gateway\/routes\/tasks\/files\.ts$/,
  /^server\/gateway\/routes\/team\/directory\.ts$/,
]

/** @returns {string[]} one line per other place that asks for a body by a hash */
export function check(files = codeFiles()) {
  return files
    .filter(
      ({ path }) => /^(server|packages)\//.test(path) && !isTestFile(path) && !BY_HASH.some((one) => one.test(path)),
    )
    .flatMap(({ path, text }) => {
      const code = withoutComments(text, { strings: true })
      return [...code.matchAll(/\bbodies\s*\.\s*get\s*\(/g)].map(
        (match) => `${path}:${lineAt(code, match.index)} reads a body by its hash: use bodyContent or bodyText`,
      )
    })
}
