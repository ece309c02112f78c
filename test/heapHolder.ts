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

/** The busy time begins at the first look. */
let isLimited = process.argv[2] === 'plain'
const { setFlag, ...own } = ownHeap()
if (!isLimited)
  // The heap is reported as large, so that the test need not fill one.
  keepHeapSmall({
    ...own,
    used: () => Number.POSITIVE_INFINITY,
    setFlag(flag) {
      setFlag(flag)
      isLimited = true
    },
    onQuiet() {},
    schedule: (run, ms) => schedule(run, ms / 20),
  })

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20)
const oldMib = (): number =>
  mib(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0)
const totalMib = (): number => mib(process.memoryUsage().heapTotal)

const ring: object[] = []
let busy = 0
for (let n = 0, busyFor = 0; busyFor < RING * ROUNDS; n++) {
  if (isLimited) busyFor += 1
  ring[n % RING] = { n, text: `line ${n}`, list: [n] }
  // The limit of the heap is computed anew at a collection: the first half brings one.
  if (busyFor > (RING * ROUNDS) / 2 && n % 5_000 === 0) busy = Math.max(busy, oldMib())
  if (n % 50_000 === 0) await new Promise(setImmediate)
}
const total = totalMib()
const never = new AbortController().signal
for (let ms = 0; ms < REST_MS && totalMib() > total * 0.75; ms += LOOK_MS) await sleep(LOOK_MS, never)
process.stdout.write(`${JSON.stringify({ busy, rest: oldMib(), total, left: totalMib(), ring: ring.length })}\n`)
process.exit(0)
