// Runs before each test file: the fault of the run before is not active while this file is loaded (vitest.ts keeps the thread).
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    globalNamespace: string
    mutantActivation: 'static' | 'runtime' | undefined
  }
}

const space: unknown = Reflect.get(globalThis, inject('globalNamespace'))
if (inject('mutantActivation') !== 'static' && typeof space === 'object' && space !== null)
  Reflect.set(space, 'activeMutant', undefined)
