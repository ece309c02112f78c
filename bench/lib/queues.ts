/** Time that is counted and not waited for, and what has jobs in it. */

export type Time = {
  now(): number
  after(ms: number, run: () => void): void
  /** Let all happen that happens before then. */
  until(end: number): void
}
/** Takes jobs of so many ms in the order they come. used: ms of work that it has begun */
export type Thread = { run(ms: number, done: () => void): void; used(): number }

type Event = { at: number; n: number; run: () => void }

export function createTime(): Time {
  // A heap: the next event is the first, and each is before the two at twice its place.
  const heap: Event[] = []
  let [now, made] = [0, 0]
  const isBefore = (one: Event, two: Event): boolean => one.at < two.at || (one.at === two.at && one.n < two.n)
  const swap = (one: number, two: number): void => {
    const [a, b] = [heap[one], heap[two]]
    if (a && b) [heap[one], heap[two]] = [b, a]
  }
  const earlier = (one: number, two: number): boolean => {
    const [a, b] = [heap[one], heap[two]]
    return a !== undefined && (b === undefined || isBefore(a, b))
  }
  function take(): Event | undefined {
    swap(0, heap.length - 1)
    const first = heap.pop()
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const next = earlier(right, left) ? right : left
      if (!earlier(next, at)) return first
      swap(next, at)
      at = next
    }
  }
  return {
    now: () => now,
    after(ms, run) {
      made += 1
      heap.push({ at: now + ms, n: made, run })
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1
        if (!earlier(at, above)) return
        swap(at, above)
        at = above
      }
    },
    until(end) {
      while (heap[0] && heap[0].at <= end) {
        const event = take()
        if (!event) return
        now = event.at
        event.run()
      }
      now = end
    },
  }
}

/** A machine with so many cores. */
export function createCores(time: Time, count: number): Thread {
  return createServers(count, (ms, done) => time.after(ms, done))
}

/** One job at a time, each on a core of its machine. */
export const createThread = (cores: Thread): Thread => createServers(1, (ms, done) => cores.run(ms, done))

function createServers(count: number, work: (ms: number, done: () => void) => void): Thread {
  const waiting: { ms: number; done: () => void }[] = []
  let [first, running, used] = [0, 0, 0]
  const next = (): void => {
    const job = waiting[first]
    if (running === count || !job) return
    first += 1
    // What was taken is let go of now and then.
    if (first > 1_000) {
      waiting.splice(0, first)
      first = 0
    }
    running += 1
    used += job.ms
    work(job.ms, () => {
      running -= 1
      job.done()
      next()
    })
  }
  return {
    run(ms, done) {
      waiting.push({ ms, done })
      next()
    },
    used: () => used,
  }
}
