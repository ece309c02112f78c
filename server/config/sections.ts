/** Sections of the configuration file that packages add. */
import type { z } from 'zod'
import type { PackageName, PackageSections } from '../shared/packages'

/** agentsIn: places in the section that name agents of the team, by their ids. variablesIn: environment variables that hold its secrets */
type PackageSection<Value> = {
  schema: z.ZodType<Value>
  agentsIn?(section: Value): { path: PropertyKey[]; agent: string }[]
  variablesIn?(section: Value): readonly string[]
}

export type SectionsOfPackage = { [Key in keyof PackageSections]?: PackageSection<PackageSections[Key]> }

const added = new Map<string, PackageSection<unknown>>()

/** in: each section under its key */
export function addSections(sections: SectionsOfPackage): void {
  for (const [key, section] of Object.entries<PackageSection<unknown>>(sections)) added.set(key, section)
}

/** out: the schema of each section, by key; a section that is left out has its defaults */
export const sectionShapes = (): Record<string, z.ZodType> =>
  Object.fromEntries([...added].map(([key, { schema }]) => [key, schema]))

/** in: a checked file. out: its sections of packages */
export const packageSectionsOf = (file: PackageSections): PackageSections =>
  Object.fromEntries([...added.keys()].map((key) => [key, Reflect.get(file, key)])) as unknown as PackageSections

/** in: a checked file. out: the agents that its sections of packages name, and where */
export const agentsInSections = (file: PackageSections): { path: PropertyKey[]; agent: string }[] =>
  [...added].flatMap(([key, { agentsIn }]) =>
    (agentsIn?.(Reflect.get(file, key)) ?? []).map(({ path, agent }) => ({ path: [key, ...path], agent })),
  )

/** in: a checked file. out: the environment variables that its sections of packages name */
export const variablesInSections = (file: PackageSections): string[] =>
  [...added].flatMap(([key, { variablesIn }]) => [...(variablesIn?.(Reflect.get(file, key)) ?? [])])

/** Keys of sections that packages bring, for the sentence that says which one is missing. */
export const PACKAGE_OF_KEY: Readonly<Record<string, PackageName>> = {
  rehearsal: 'rehearsal',
  sign_in: 'oidc',
}
