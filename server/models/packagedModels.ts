/** Models that a package brings: answers computed in this process, without a server. */
import type { PackageSections } from '../shared/packages'
import { extensionPoint } from '../shared/packages'
import type { Model, Sleep } from './model'

type PackagedModelParts = {
  name: string
  /** null: what the model has by itself. */
  contextTokens: number | null
  sleep: Sleep
  /** What the configuration says to packages; of one that is left out: its defaults. */
  sections: Partial<PackageSections>
}

/** Filled by packages/rehearsal. */
export const REHEARSAL = extensionPoint<(parts: PackagedModelParts) => Model>('rehearsal')
