// Which packages of packages/ are here: the program imports what it finds.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from './paths.mjs'

const LIST = inRoot('server', 'packages.ts')

/** The packages that add something to the program, by name. */
export const packagesHere = () =>
  existsSync(inRoot('packages'))
    ? readdirSync(inRoot('packages'))
        .filter((name) => existsSync(inRoot('packages', name, 'register.ts')))
        .sort()
    : []

/** Writes server/packages.ts where it names others than those that are here. */
export function listPackages() {
  const imports = packagesHere().map((name) => `import '@/packages/${name}/register'\n`)
  const text = `// Written by the build (scripts/lib/packages.mjs): the packages that are here.\n${imports.join('')}`
  if (!existsSync(LIST) || readFileSync(LIST, 'utf8') !== text) writeFileSync(LIST, text)
}
