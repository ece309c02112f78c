/**
 * `${workspace}`, `${package:<name>}`, `${env:<NAME>}` and `${stored:<id>}` (a typed-in key) in tool server commands.
 *
 * A package stands for the file of its program, so that a server starts as `node <file>` and needs no network.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type PlaceholderSources = {
  workspace: string
  /** The file of an installed package's program; throws when it is not installed. */
  programOf: (packageName: string) => string
  /** The value of an environment variable; undefined when it is not set. */
  variable: (name: string) => string | undefined
}

const PLACEHOLDER = /\$\{([^}]*)\}/g

/** Fills in the placeholders of one text. out: the text, or the first reason why it cannot be. */
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

/** The names of the variables that a text takes from the environment. */
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
  // The keyring is opened later, and fills it in (server/setup).
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

/** The program file of an installed package, by its package.json: `bin`, or the first of several. Throws an Error where there is none. */
export function packageProgram(packageName: string, from: string = import.meta.url): string {
  const manifestFile = manifestOf(packageName, from)
  const manifest: unknown = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const bin: unknown = typeof manifest === 'object' && manifest !== null && 'bin' in manifest ? manifest.bin : undefined
  const file: unknown = typeof bin === 'object' && bin !== null ? Object.values(bin)[0] : bin
  if (typeof file !== 'string') throw new Error(`${packageName} has no program`)
  return join(dirname(manifestFile), file)
}

/** Looked for in the folders that Node searches; a package may keep its package.json out of its exports. */
function manifestOf(packageName: string, from: string): string {
  const require = createRequire(from)
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const file = join(folder, packageName, 'package.json')
    try {
      readFileSync(file)
      return file
    } catch {
      // Not in this folder; the next one up may have it.
    }
  }
  throw new Error(`${packageName} is not installed`)
}
