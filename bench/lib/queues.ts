/** Time that is counted and not waited for, and what has jobs in it. */

export type Time = {
  now(): number
  after(ms: number, run: () => void): void
  /** Let all happen that happens before then. */
  until(end: number): void
}
/** Takes jobs of so many ms in the order they come. used: ms of work that it has begun */
export type Thread = { run(ms: number, done: () => void): void; used(): number }

type Event = { at: number; run: () => void }

export function createTime(): Time {
  // The next event is the last one.
  const events: Event[] = []
  let now = 0
  return {
    now: () => now,
    after(ms, run) {
      const at = now + ms
      let [low, high] = [0, events.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((events[middle]?.at ?? 0) > at) low = middle + 1
        else high = middle
      }
      events.splice(low, 0, { at, run })
    },
    until(end) {
      for (let next = events.at(-1); next !== undefined && next.at <= end; next = events.at(-1)) {
        events.pop()
        now = next.at
        next.run()
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
