/** Placeholders in commands of tool servers. A package stands for its program, which starts without network access. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type PlaceholderSources = {
  workspace: string
  /** The program file of an installed package; throws when it is not installed. */
  programOf: (packageName: string) => string
  /** The value of an environment variable; undefined: not set. */
  variable: (name: string) => string | undefined
}

const PLACEHOLDER = /\$\{([^}]*)\}/g

/** Fills in the placeholders of one text. out: the text, or the first problem */
export function fill(
  text: string,
  sources: PlaceholderSources,
): { ok: true; text: string } | { ok: false; why: string; hint: string } {
  let failure: { ok: false; why: string; hint: string } | null = null
  const filled = text.replace(PLACEHOLDER, (whole, inside: string) => {
    const result = meaningOf(inside, sources)
    if (result.ok) return result.text
    failure ??= result
    return whole
  })
  return failure ?? { ok: true, text: filled }
}

/** Names of the environment variables in a text. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].flatMap(([, inside]) =>
    inside?.startsWith('env:') ? [inside.slice('env:'.length)] : [],
  )

function meaningOf(
  inside: string,
  sources: PlaceholderSources,
): { ok: true; text: string } | { ok: false; why: string; hint: string } {
  if (inside === 'workspace') return { ok: true, text: sources.workspace }
  if (inside.startsWith('env:')) return { ok: true, text: sources.variable(inside.slice('env:'.length)) ?? '' }
  // Filled in by server/setup, once the keyring is open.
  if (inside.startsWith('stored:')) return { ok: true, text: `\${${inside}}` }
  if (inside.startsWith('package:')) {
    const packageName = inside.slice('package:'.length)
    try {
      return { ok: true, text: sources.programOf(packageName) }
    } catch {
      return {
        ok: false,
        why: `the package ${packageName} is not installed or has no program`,
        hint: `Install it: npm install ${packageName}`,
      }
    }
  }
  return {
    ok: false,
    why: `\${${inside}} stands for nothing`,
    hint: 'Known: ${workspace}, ${package:<name>}, ${env:<NAME>}',
  }
}

/** The program file of an installed package from its package.json: `bin`, the first of several. Throws when there is none. */
export function packageProgram(packageName: string, from: string = import.meta.url): string {
  const manifestFile = manifestOf(packageName, from)
  const manifest: unknown = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const bin: unknown = typeof manifest === 'object' && manifest !== null && 'bin' in manifest ? manifest.bin : undefined
  const file: unknown = typeof bin === 'object' && bin !== null ? Object.values(bin)[0] : bin
  if (typeof file !== 'string') throw new Error(`${packageName} has no program`)
  return join(dirname(manifestFile), file)
}

/** Searched in Node's folders by path: `exports` may hide package.json. */
function manifestOf(packageName: string, from: string): string {
  const require = createRequire(from)
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const file = join(folder, packageName, 'package.json')
    try {
      readFileSync(file)
      return file
    } catch {
      // Not in this folder: try the next one up.
    }
  }
  throw new Error(`${packageName} is not installed`)
}
