/** Which other nodes run steps: each says it to the node that decides, again and again, with what it has in hand. */
import type { NodeNote, Nodes } from '../nodes'
import type { Schedule } from './timers'

/** How often a node says that it runs steps, ms. */
export const SAY_MS = 1_000
/** One that said nothing for so many of those times is gone. A node that stood still itself counts one. */
const SILENT_TIMES = 3

type Said = Extract<NodeNote, { is: 'runs' }>

export type Workers = {
  has(node: string): boolean
  stop(): void
}

type WorkersParts = {
  nodes: Nodes
  schedule: Schedule
  /** It runs steps from now on; those begun at it that are not in its hand have no process. */
  onCame: (node: string, inHand: ReadonlySet<string>) => void
  onGone: (node: string) => void
}

export function openWorkers({ nodes, schedule, onCame, onGone }: WorkersParts): Workers {
  /** process: of that node, as it names it itself */
  const known = new Map<string, { process: string; silent: number }>()

  function heard(from: string, { process, inHand }: Said): void {
    const before = known.get(from)
    known.set(from, { process, silent: 0 })
    if (before?.process === process) return
    if (before) onGone(from)
    onCame(from, new Set(inHand))
  }

  function gone(node: string): void {
    if (known.delete(node)) onGone(node)
  }

  function count(): void {
    for (const [node, worker] of known) {
      worker.silent += 1
      if (worker.silent > SILENT_TIMES) gone(node)
    }
  }

  const stops = [
    nodes.onNote((note, from) => {
      if (note.is === 'runs') heard(from, note)
    }),
    nodes.onLeft((node) => {
      if (node !== null) gone(node)
    }),
    repeat(count, schedule),
  ]
  return {
    has: (node) => known.has(node),
    stop() {
      for (const stop of stops) stop()
    },
  }
}

type SayingParts = {
  nodes: Nodes
  /** Names this process among all that had this node's name. */
  process: string
  /** null: it runs none. */
  inHand: () => ReadonlySet<string> | null
  schedule: Schedule
}

/** Says that this node runs steps, to whichever node it is connected to. */
export function sayWork({ nodes, process, inHand, schedule }: SayingParts): { say(): void; stop(): void } {
  const say = (): void => {
    const own = inHand()
    if (own !== null) nodes.tell({ is: 'runs', process, inHand: [...own] })
  }
  const stops = [nodes.onJoined(say), repeat(say, schedule)]
  return {
    say,
    stop() {
      for (const stop of stops) stop()
    },
  }
}

function repeat(run: () => void, schedule: Schedule): () => void {
  let stop = schedule(tick, SAY_MS)
  function tick(): void {
    stop = schedule(tick, SAY_MS)
    run()
  }
  return () => stop()
}
