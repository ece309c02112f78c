// An exported name means one thing, so that a search for it leads to one place.
import { codeFiles, isTestFile, withoutComments } from './sources.mjs'

export const name = 'export names: each stands for one thing'

/**
 * Names exported by several files, each with the reason why it is not renamed.
 *
 * @type {Record<string, string>}
 */
export const SHARED = {
  dynamic: 'Next reads it from each page',
  DirectoryList: 'the component draws the list that the wire names so',
  NewBody: 'lib/ makes bodies of texts, the store takes bodies of bytes',
  OutgoingMessage: 'as a model writes it, and as an adapter sends it',
  Decision: 'of a person on a request, and of the engine on a command',
  useOnWords: 'on whom a row of tasks waits, and a row of the tree',
  Endpoint: 'of a peer, and of a model server',
}
const MOST = 30

const EXPORTED =
  /^export (?:declare )?(?:default )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm
const ELSEWHERE = /^(test|e2e|bench|packages\/eval|scripts)\//

/** @returns {string[]} one line per name that several files export without a reason, and per reason without such a name */
export function check(files = codeFiles(), shared = SHARED) {
  const places = new Map()
  for (const { path, text } of files) {
    if (isTestFile(path) || ELSEWHERE.test(path)) continue
    for (const [, exported] of withoutComments(text).matchAll(EXPORTED))
      places.set(exported, (places.get(exported) ?? new Set()).add(path))
  }
  // A lazy part has the name of the component that it loads.
  const several = [...places].filter(([, paths]) => {
    const lazy = [...paths].filter((path) => path.endsWith('/lazy.tsx')).length
    return lazy > 1 || paths.size - lazy > 1
  })
  return [
    ...several
      .filter(([exported]) => shared[exported] === undefined)
      .map(([exported, paths]) => `${exported} is exported by ${[...paths].join(' and ')}`),
    ...Object.keys(shared)
      .filter((exported) => !several.some(([one]) => one === exported))
      .map((exported) => `SHARED in scripts/checks/exportNames.mjs names ${exported}, which one file exports at most`),
    ...(several.length > MOST ? [`${several.length} names are exported by several files; ${MOST} may be`] : []),
  ]
}
