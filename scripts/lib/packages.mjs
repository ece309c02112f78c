// Which packages of packages/ are here: the program imports what it finds.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from './paths.mjs'

const LIST = inRoot('server', 'packages.ts')

const foldersHere = () => (existsSync(inRoot('packages')) ? readdirSync(inRoot('packages')).sort() : [])

/** Writes server/packages.ts where it names others than those that are here. */
export function listPackages() {
  const here = foldersHere().filter((name) => existsSync(inRoot('packages', name, 'register.ts')))
  const imports = here.map((name) => `import '@/packages/${name}/register'\n`)
  const text = `// Written by the build (scripts/lib/packages.mjs): the packages that are here.\n${imports.join('')}`
  if (!existsSync(LIST) || readFileSync(LIST, 'utf8') !== text) writeFileSync(LIST, text)
}

/** The source of a program that people start by its name: of the core or of a package; undefined: it is of a package that is not here. */
export const programSource = (name) =>
  [
    inRoot('scripts', `${name}.ts`),
    ...foldersHere().map((folder) => inRoot('packages', folder, 'programs', `${name}.ts`)),
  ].find((file) => existsSync(file))

/** The package.json of the program and of each package that is here. */
export const manifestFiles = () =>
  [inRoot('package.json'), ...foldersHere().map((folder) => inRoot('packages', folder, 'package.json'))].filter(
    (file) => existsSync(file),
  )
