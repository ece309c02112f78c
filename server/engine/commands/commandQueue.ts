/** The queue of commands. Commands of people come first, but cannot block agents completely. */
import type { Envelope } from '@/lib/mas/commands/command'
import type { CommitAnswer } from '../port'

/** since: when it was queued, by the committer's clock. */
export type Waiting = { envelope: Envelope; since: number; settle: (answer: CommitAnswer) => void }

/** A waiting outcome of a step is decided after so many commands of people. */
const PEOPLE_IN_A_ROW = 4

export function createCommandQueue() {
  const people: Waiting[] = []
  const system: Waiting[] = []
  /** Commands of people since the last of the system. */
  let peopleInARow = 0

  const queueOf = ({ envelope }: Waiting): Waiting[] => (isSystem(envelope) ? system : people)
  const next = (): Waiting[] =>
    people.length === 0 || (system.length > 0 && peopleInARow >= PEOPLE_IN_A_ROW) ? system : people

  return {
    isEmpty: (): boolean => people.length + system.length === 0,
    put: (waiting: Waiting): void => void queueOf(waiting).push(waiting),
    /** The next command, which stays in the queue. */
    first: (): Waiting | undefined => next()[0],
    /** Remove it. */
    take(): void {
      const queue = next()
      queue.shift()
      peopleInARow = queue === people ? peopleInARow + 1 : 0
    },
    /** Put removed commands back to the front, in order. */
    putBack(waiting: readonly Waiting[]): void {
      for (const one of waiting.toReversed()) queueOf(one).unshift(one)
    },
    /** Remove all except those that the caller keeps. */
    drain(isKept: (envelope: Envelope) => boolean): Waiting[] {
      const gone: Waiting[] = []
      for (const queue of [people, system])
        for (const waiting of queue.splice(0)) (isKept(waiting.envelope) ? queue : gone).push(waiting)
      return gone
    },
  }
}

export type CommandQueue = ReturnType<typeof createCommandQueue>

/** Commands of the program itself. */
export const isSystem = ({ by }: Envelope): boolean => by.startsWith('system:')
