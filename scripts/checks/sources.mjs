// Reads the project's files for the checks.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, extname, relative } from 'node:path'
import { filesBelow } from '../lib/fingerprint.mjs'
import { inRoot, ROOT } from '../lib/paths.mjs'

export const CODE_FOLDERS = [
  'app',
  'components',
  'client',
  'lib',
  'server',
  'packages',
  'messages',
  'prompts',
  'test',
  'e2e',
  'bench',
  'scripts',
]
const CODE = new Set(['.ts', '.tsx', '.mts', '.mjs', '.js', '.jsx'])

/** @returns {{path: string, text: string}[]} every code file, its path relative to the root, with forward slashes */
export function codeFiles() {
  return filesBelow(CODE_FOLDERS, (file) => CODE.has(extname(file))).map(read)
}

/** Every committed or uncommitted file that git does not ignore. Without git (a downloaded archive): everything but build output. */
export function projectFiles() {
  try {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const names = [...new Set(list.toString().split('\0').filter(Boolean))]
    return names.flatMap((name) => {
      try {
        return [read(inRoot(name))]
      } catch {
        return []
      }
    })
  } catch {
    const built = /[\\/](dist|out|workspace|test-results|playwright-report)[\\/]/
    return filesBelow(['.'], (file) => !built.test(file)).map(read)
  }
}

const read = (file) => ({ path: relative(ROOT, file).split('\\').join('/'), text: readFileSync(file, 'utf8') })

/** A test, or a file in a nested test/ folder. */
export const isTestFile = (path) => /\.test\.(ts|tsx)$|.\/test(ing)?(\/|\.ts$)/.test(path)

const IMPORTS = [
  /^[ \t]*(?:import|export)\s[^'"`;]*?\bfrom\s*(['"])([^'"]+)\1/gm,
  /^[ \t]*import\s*(['"])([^'"]+)\1/gm,
  /\b(?:import|require)\(\s*(['"])([^'"]+)\1\s*\)/g,
]

/** @returns {{specifier: string, line: number, isType: boolean, isLate: boolean}[]} imports of a file: static and dynamic, types too */
export function importsOf(text) {
  const code = withoutComments(text)
  return IMPORTS.flatMap((pattern, at) =>
    [...code.matchAll(pattern)].map((match) => ({
      specifier: match[2],
      line: lineAt(code, match.index + match[0].length),
      // `import { type T }` still loads the file.
      isType: /^\s*(?:import|export)\s+type\s/.test(match[0]),
      isLate: at === 2,
    })),
  )
}

/** The project's file of an import, relative to the root and without its extension; undefined for a package. */
export function ownTarget(path, specifier) {
  if (specifier.startsWith('@/')) return specifier.slice(2)
  if (!specifier.startsWith('.')) return undefined
  const parts = dirname(path).split('/')
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.filter((part) => part !== '.').join('/')
}

const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx']

/** The path of an imported file among these; undefined for a package, and for a file that is none of them. */
export function ownFile(path, specifier, paths) {
  const target = ownTarget(path, specifier)
  return target === undefined ? undefined : ENDINGS.map((end) => target + end).find((one) => paths.has(one))
}

export const lineAt = (text, index) => text.slice(0, index).split('\n').length

/** The comments alone; line numbers are preserved. */
export function commentsOf(text) {
  const code = withoutComments(text)
  return [...text].map((character, at) => (code[at] === character && character !== '\n' ? ' ' : character)).join('')
}

/** Blanks out comments, and with `strings` the contents of plain strings; line numbers are preserved. */
export function withoutComments(text, { strings = false } = {}) {
  const blank = (part) => part.replace(/[^\n]/g, ' ')
  const tokens = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g
  return text.replace(tokens, (token) => {
    if (token.startsWith('/')) return blank(token)
    // Templates are kept, because code in ${…} counts.
    return strings && !token.startsWith('`') ? token[0] + blank(token.slice(1, -1)) + token[0] : token
  })
}
