/** The commands that wait to be decided. People go first, but people who never pause hold no agent back. */
import type { Envelope } from '@/lib/mas/commands/command'
import type { CommitAnswer } from './port'

/** since: when it was put into the queue, by the committer's clock. */
export type Waiting = { envelope: Envelope; since: number; settle: (answer: CommitAnswer) => void }

export type CommandQueue = {
  isEmpty(): boolean
  put(waiting: Waiting): void
  /** The one to be decided now, which stays. */
  first(): Waiting | undefined
  /** Take that one out. */
  take(): void
  /** These were taken out and come first again, in their order. */
  putBack(waiting: readonly Waiting[]): void
  /** Take out all but those that the caller keeps. */
  drain(isKept: (envelope: Envelope) => boolean): Waiting[]
}

/** An outcome that waits is decided after so many commands of people, however many of them wait. */
const PEOPLE_IN_A_ROW = 4

export function createCommandQueue(): CommandQueue {
  const people: Waiting[] = []
  const system: Waiting[] = []
  /** Commands of people since the last of the system. */
  let peopleInARow = 0

  const queueOf = ({ envelope }: Waiting): Waiting[] => (isSystem(envelope) ? system : people)
  const next = (): Waiting[] =>
    people.length === 0 || (system.length > 0 && peopleInARow >= PEOPLE_IN_A_ROW) ? system : people

  return {
    isEmpty: () => people.length + system.length === 0,
    put: (waiting) => void queueOf(waiting).push(waiting),
    first: () => next()[0],
    take() {
      const queue = next()
      queue.shift()
      peopleInARow = queue === people ? peopleInARow + 1 : 0
    },
    putBack(waiting) {
      for (const one of waiting.toReversed()) queueOf(one).unshift(one)
    },
    drain(isKept) {
      const gone: Waiting[] = []
      for (const queue of [people, system])
        for (const waiting of queue.splice(0)) (isKept(waiting.envelope) ? queue : gone).push(waiting)
      return gone
    },
  }
}

/** Of the program itself. */
export const isSystem = ({ by }: Envelope): boolean => by.startsWith('system:')
