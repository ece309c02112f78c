/**
 * A process with a busy time and a rest: it replaces the objects of a ring again and again, and then waits until pages are given back.
 *
 * in      arguments: `plain` to leave the heap to V8 alone
 * out     a line of JSON, in MiB. busy: the most that lay in the old space; rest: what lies there in the end; total and left: pages of
 *         all spaces at the end of the busy time and of the rest
 */
import { getHeapSpaceStatistics } from 'node:v8'
import { keepHeapSmall, ownHeap } from '@/server/heapSize'
import { schedule, sleep } from '@/server/timers'

const RING = 200_000
const ROUNDS = 12
const LOOK_MS = 250
/** V8 looks 8 s after its last collection. */
const REST_MS = 40_000

if (process.argv[2] !== 'plain')
  // The heap is reported as large, so that the test need not fill one.
  keepHeapSmall({
    ...ownHeap(),
    used: () => Number.POSITIVE_INFINITY,
    onQuiet() {},
    schedule: (run, ms) => schedule(run, ms / 20),
  })

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20)
const oldMib = (): number =>
  mib(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0)
const totalMib = (): number => mib(process.memoryUsage().heapTotal)

const ring: object[] = []
let busy = 0
for (let n = 0; n < RING * ROUNDS; n++) {
  ring[n % RING] = { n, text: `line ${n}`, list: [n] }
  if (n % 5_000 === 0) busy = Math.max(busy, oldMib())
  if (n % 50_000 === 0) await new Promise(setImmediate)
}
const total = totalMib()
const never = new AbortController().signal
for (let ms = 0; ms < REST_MS && totalMib() > total * 0.75; ms += LOOK_MS) await sleep(LOOK_MS, never)
process.stdout.write(`${JSON.stringify({ busy, rest: oldMib(), total, left: totalMib(), ring: ring.length })}\n`)
process.exit(0)
