/** The other nodes that run steps: each regularly reports its running attempts to the deciding node. */
import type { NodeNote, Nodes } from '../../nodes'
import type { Schedule } from '../../shared/later'

/** Interval of the reports, ms. */
export const SAY_MS = 1_000
/** A node without so many reports in a row is gone. If this process itself hung, that counts as one. */
const SILENT_TIMES = 3

type Said = Extract<NodeNote, { is: 'runs' }>

type WorkersParts = {
  nodes: Nodes
  schedule: Schedule
  /** A node reports that it runs steps, or only finishes its attempts; other steps assigned to it have no process. */
  onCame: (node: string, inHand: ReadonlySet<string>, more: { isLeaving: boolean; hasFiles: boolean }) => void
  onGone: (node: string) => void
}

export function openWorkers({ nodes, schedule, onCame, onGone }: WorkersParts) {
  /** process: the identity of that node's process */
  const known = new Map<string, { process: string; silent: number; isLeaving: boolean }>()

  function heard(from: string, { process, inHand, isLeaving = false, lacksFiles = false }: Said): void {
    const before = known.get(from)
    known.set(from, { process, silent: 0, isLeaving })
    if (before?.process === process && before.isLeaving === isLeaving) return
    if (before && before.process !== process) onGone(from)
    onCame(from, new Set(inHand), { isLeaving, hasFiles: !lacksFiles })
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
    has: (node: string) => known.has(node),
    stop(): void {
      for (const stop of stops) stop()
    },
  }
}

type SayingParts = {
  nodes: Nodes
  /** Identifies this process among all that had this node's name. */
  process: string
  /** null: nothing to report. */
  inHand: (isLeaving: boolean) => ReadonlySet<string> | null
  hasFiles: boolean
  schedule: Schedule
}

/** Reports that this node runs steps to the node that it is connected to. */
export function sayWork({ nodes, process, inHand, hasFiles, schedule }: SayingParts) {
  let isLeaving = false
  const say = (): void => {
    const own = inHand(isLeaving)
    const more = { ...(isLeaving ? { isLeaving } : {}), ...(hasFiles ? {} : { lacksFiles: true }) }
    if (own !== null) nodes.tell({ is: 'runs', process, inHand: [...own], ...more })
  }
  const stops = [nodes.onJoined(say), repeat(say, schedule)]
  return {
    say,
    /** It is stopping and starts no more steps. */
    leave(): void {
      isLeaving = true
      say()
    },
    stop(): void {
      for (const stop of stops) stop()
    },
  }
}

export type Saying = ReturnType<typeof sayWork>

function repeat(run: () => void, schedule: Schedule): () => void {
  let stop = schedule(tick, SAY_MS)
  function tick(): void {
    stop = schedule(tick, SAY_MS)
    run()
  }
  return () => stop()
}
