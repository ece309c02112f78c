/** Whether a node of several cannot hand commands over. */
import { performance } from 'node:perf_hooks'

/** A node that could not reach the one that decides for so long gets no requests, ms: longer than a takeover takes. */
const CUT_OFF_MS = 5_000

/** in: can this node hand commands over now, or decides itself? out: has it been unable to for CUT_OFF_MS? */
export function watchCutOff(isJoined: () => boolean, clock = (): number => performance.now()): () => boolean {
  /** When it was found so first. */
  let since: number | null = null
  return () => {
    since = isJoined() ? null : (since ?? clock())
    return since !== null && clock() - since >= CUT_OFF_MS
  }
}
