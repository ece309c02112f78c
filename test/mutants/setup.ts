// Runs before each test file: the fault of the run before is not active while this file is loaded (vitest.ts keeps the thread),
// and what the files before it covered is not reported with this file again: over a large folder that takes gigabytes.
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    globalNamespace: string
    mutantActivation: 'static' | 'runtime' | undefined
  }
}

const space: unknown = Reflect.get(globalThis, inject('globalNamespace'))
if (typeof space === 'object' && space !== null) {
  if (inject('mutantActivation') !== 'static') Reflect.set(space, 'activeMutant', undefined)
  // Emptied in place: the loaded sources hold this object.
  const coverage: unknown = Reflect.get(space, 'mutantCoverage')
  if (typeof coverage === 'object' && coverage !== null) Object.assign(coverage, { static: {}, perTest: {} })
}
