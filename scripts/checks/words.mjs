// What the project's texts may not contain, and must.
import { existsSync, readFileSync } from 'node:fs'
import { manifestFiles } from '../lib/packages.mjs'
import { inRoot } from '../lib/paths.mjs'
import { lineAt, projectFiles } from './sources.mjs'

export const name = 'words: no machine paths, no registry hosts, no trusted readonly, a reason for each dependency'

// Written in pieces, so that this file does not match itself.
const MACHINE_PATHS = new RegExp(
  String.raw`(?<![\w.)\]}>/~-])/(?:${['work', 'home', 'root', 'Users'].join('|')})/[\w.-]+`,
  'g',
)

/** @returns {string[]} one line per finding */
export function check(files = projectFiles()) {
  return [...machinePaths(files), ...registryHosts(files), ...readonlyDatabases(files), ...undocumentedDependencies()]
}

function machinePaths(files) {
  return files.flatMap(({ path, text }) =>
    text.includes('\0')
      ? []
      : [...text.matchAll(MACHINE_PATHS)].map(
          (match) => `${path}:${lineAt(text, match.index)} names a path of one machine: ${match[0]}`,
        ),
  )
}

function registryHosts(files) {
  const problems = []
  for (const { path, text } of files) {
    if (path === 'package-lock.json' && /"resolved"\s*:\s*"https?:/.test(text))
      problems.push('package-lock.json names the host it was made with ("resolved")')
    if (path === '.npmrc' && /https?:|registry\s*=/.test(text)) problems.push('.npmrc names a registry')
    if (path === '.npmrc' && !/omit-lockfile-registry-resolved\s*=\s*true/.test(text))
      problems.push('.npmrc lacks omit-lockfile-registry-resolved=true')
  }
  return problems
}

/** libsql takes the option and opens the file for writing all the same. */
const READONLY = /\breadonly\s*:\s*(?:true|!0)/gi

function readonlyDatabases(files) {
  return files.flatMap(({ path, text }) =>
    text.includes('libsql') && path !== 'scripts/checks/words.mjs'
      ? [...text.matchAll(READONLY)].map(
          (match) =>
            `${path}:${lineAt(text, match.index)} opens a database with readonly, which libsql ignores: pragma query_only, or openUnchanged`,
        )
      : [],
  )
}

function undocumentedDependencies() {
  const file = inRoot('docs', 'dependencies.md')
  if (!existsSync(file)) return ['docs/dependencies.md is missing']
  const manifests = manifestFiles().map((path) => JSON.parse(readFileSync(path, 'utf8')))
  const named = new Set([...readFileSync(file, 'utf8').matchAll(/^\|\s*`([^`]+)`/gm)].map((match) => match[1]))
  const used = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  )
  return [
    ...used
      .filter((dependency) => !named.has(dependency))
      .map((dependency) => `docs/dependencies.md says nothing about ${dependency}`),
    ...[...named]
      .filter((dependency) => !used.includes(dependency))
      .map((dependency) => `docs/dependencies.md names ${dependency}, which is not a dependency`),
  ]
}
