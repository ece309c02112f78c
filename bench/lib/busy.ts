/** Work that takes a processor and nothing else, in pieces of the same size in all processes of a run. */
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'

const block = Buffer.alloc(64 * 1024, 'the same in all processes ')

/** Does so much: the time that it takes is what the machine makes of it. */
export function busy(blocks: number): void {
  for (let n = 0; n < blocks; n++) createHash('sha256').update(block).digest()
}

/** How much takes about so many ms where nothing else runs. */
export function blocksFor(ms: number): number {
  const rate = (): number => {
    const from = performance.now()
    busy(200)
    return 200 / (performance.now() - from)
  }
  // The quickest of some: the others were disturbed.
  return Math.max(1, Math.round(Math.max(...Array.from({ length: 10 }, rate)) * ms))
}
