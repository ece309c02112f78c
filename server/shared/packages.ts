/** Packages: parts of the program in packages/<name> that may be left out. The core knows their names, to say which one is missing. */

export const PACKAGES = ['cluster', 'interop', 'mcp-server', 'oidc', 'rehearsal'] as const
export type PackageName = (typeof PACKAGES)[number]

/** The sections that packages add to the configuration file, by key; each package declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: packages add their sections by declaration merging.
export interface PackageSections {}

const here = new Set<PackageName>()
/** out: whether that package registered itself */
export const isHere = (name: PackageName): boolean => here.has(name)
/** Said once, by its registration. */
export const addPackage = (name: PackageName): void => void here.add(name)

/** What was asked for is in a package that is not here. */
export class PackageMissingError extends Error {
  /** in: what: the setting or the act, as the subject of a sentence */
  constructor(what: string, name: PackageName) {
    super(`${what} needs ${missingPackage(name)}`)
    this.name = 'PackageMissingError'
  }
}

/** For sentences that end with it. */
export const missingPackage = (name: PackageName): string =>
  `the package ${name}, which is not here. Put it into packages/${name}, and build again.`

/** An extension point of the core, which one package fills before the program starts. `get` throws PackageMissingError while it is empty. */
export function extensionPoint<Part>(name: PackageName) {
  let part: Part | null = null
  return {
    fill(next: Part): void {
      part = next
    },
    /** in: what: the setting or the act that needs it. faults: PackageMissingError */
    get(what: string): Part {
      if (part === null) throw new PackageMissingError(what, name)
      return part
    },
  }
}
