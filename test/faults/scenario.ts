/** What a fault scenario is: real servers, one kind of fault, figures; it throws when something that must hold did not. */

export type Size = 'short' | 'all'

export type Scenario = {
  name: string
  /** What must hold, in one sentence. */
  holds: string
  /** What this machine lacks for it, in words; null: nothing. Left out: it runs everywhere. */
  lacks?(): string | null
  /** in: seed of its random choices. out: figures by name. faults: an Error that names what was lost, with the seed */
  run(size: Size, seed: number): Promise<Record<string, number | string>>
}

/** A small generator with a seed, so that a failing run can be repeated. out: numbers from 0 to below 1 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const pick = <T>(random: () => number, from: readonly T[]): T => {
  const one = from[Math.floor(random() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Wait until that is so, looking 20 times a second. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await pause(50)
  }
}

export function demand(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what)
}
