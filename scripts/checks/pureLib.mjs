// lib/ behaves equally in the server, in every browser and in replay.
import { inRoot, programOf } from '../lib/paths.mjs'
import { runNode } from '../lib/run.mjs'
import { codeFiles, isTestFile, lineAt, withoutComments } from './sources.mjs'

export const name = 'lib/ is pure: no clock, no randomness, no DOM, no Node'

const IMPURE = [
  [/\bDate\.now\s*\(/g, 'reads the clock: take the time as a parameter'],
  [/\bnew Date\s*\(\s*\)/g, 'reads the clock: take the time as a parameter'],
  [/\bperformance\.now\s*\(/g, 'reads the clock: take the time as a parameter'],
  [/\bMath\.random\s*\(/g, 'is random: take ids and chance as parameters'],
  [/\bcrypto\.(randomUUID|getRandomValues)\s*\(/g, 'is random: take ids and chance as parameters'],
]

/** @returns {Promise<string[]>} one line per finding */
export const check = async () => [...impureWords(codeFiles()), ...(await hostGlobals())]

/** @param {{ path: string, text: string }[]} files @returns {string[]} one line per finding */
export function impureWords(files) {
  const own = files.filter(({ path }) => path.startsWith('lib/') && !isTestFile(path))
  return own.flatMap(({ path, text }) => {
    const code = withoutComments(text, { strings: true })
    return IMPURE.flatMap(([pattern, why]) =>
      [...code.matchAll(pattern)].map((match) => `${path}:${lineAt(code, match.index)} ${match[0].trim()} ${why}`),
    )
  })
}

/** Type-checks without DOM and Node types, so that host APIs are unknown names. */
async function hostGlobals() {
  const { code, output } = await runNode(
    [
      programOf('typescript', 'bin/tsc'),
      '--noEmit',
      '--pretty',
      'false',
      '-p',
      inRoot('scripts', 'checks', 'pureLib.tsconfig.json'),
    ],
    {
      limitMs: 120_000,
      quiet: true,
    },
  )
  if (code === 0) return []
  // Only missing names are reported; other errors are left to the type check.
  return output
    .split('\n')
    .filter((line) => /^lib\//.test(line) && /TS(2304|2552|2580|2584|2591|2868|2307)\b/.test(line))
}
