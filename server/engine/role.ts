/** Whether this node decides or follows another: what waits to be decided goes where that is done. */
import { Fault } from '@/lib/faults'
import { isCommandType } from '@/lib/mas/commands'
import type { Envelope } from '@/lib/mas/commands/command'
import type { HandedAnswer, Nodes } from '../nodes'
import type { Lease, LeaseHolder } from '../store'
import type { CommandQueue, Waiting } from './commandQueue'
import { createHandOver, handedAnswer } from './handOver'
import type { CommitAnswer } from './port'

export type RoleParts = {
  /** The way to the other nodes, where `lease` lets one of several decide. */
  nodes?: Nodes
  lease?: Lease
  /** This node begins to decide, or does not any more. */
  onLead?: (leads: boolean) => void
  clock: () => number
  /** Call once after that many ms. out: stop it. */
  schedule?: (run: () => void, ms: number) => () => void
}

type OfCommitter = {
  /** As the journal sees it. */
  now: { leads(): boolean; holder(): LeaseHolder | null; seq(): number }
  queue: CommandQueue
  accept: (envelope: Envelope) => Promise<CommitAnswer>
  /** It is time to look. */
  onHint: () => void
}

type Role = {
  leads(): boolean
  /** The lease was looked at or lost: is the role another one? */
  turn(): void
  /** Has anything happened since the last call, so that the lease has to be looked at? */
  takeHint(): boolean
  isHinted(): boolean
  /** Have it decided: here, or by the node that does. */
  put(waiting: Waiting): void
  /** The world is further. */
  reached(): void
  /** Nobody can say what became of the commands handed over, and those that the caller does not keep are not handed again. */
  refuse(code: 'STORE_BROKEN' | 'STOPPING', isKept: (envelope: Envelope) => boolean): void
  /** Has the lease looked at. */
  look(): void
  /** Listen to the lease and the other nodes. */
  open(): void
  /** Hints count no more. */
  stop(): void
}

/** PostgreSQL needs a moment to see that the session of a process that died is over, ms. */
const LOOK_AGAIN_MS = 50

/** Work that is done once for all nodes, by the one that decides. */
const DUTIES: ReadonlySet<string> = new Set(
  ['timer', 'notify', 'faces', 'start', 'recovery'].map((name) => `system:${name}`),
)

/** Is it the business of the node that decides, and of no other? Runners are at all nodes; any may get a message for an archived task. */
const isDuty = ({ by, command: { type } }: Envelope): boolean =>
  type === 'startStep' || (DUTIES.has(by) && type !== 'wakeTask')

export function createRole(parts: RoleParts, { now, queue, accept, onHint }: OfCommitter): Role {
  const { nodes, lease, clock, schedule = later } = parts
  const handOver = nodes ? createHandOver({ nodes, seq: now.seq, clock, schedule }) : null
  let isLeading = false
  let isHinted = false
  let isStopped = false

  function elsewhere(waiting: Waiting): void {
    if (handOver && !isDuty(waiting.envelope)) handOver.put(waiting)
    // Another node has it to do.
    else waiting.settle({ ok: false, fault: new Fault('STOPPING') })
  }

  async function decideForOther(envelope: Envelope): Promise<HandedAnswer> {
    // What only newer versions know waits for one that decides.
    const canDecide = isLeading && isCommandType(envelope.command.type)
    return canDecide ? handedAnswer(await accept(envelope), now.seq()) : null
  }

  function hint(): void {
    if (isStopped) return
    isHinted = true
    onHint()
  }

  function begin(): void {
    nodes?.connect(null)
    nodes?.serve(decideForOther)
    queue.putBack(handOver?.takeBack() ?? [])
  }

  function end(): void {
    nodes?.serve(null)
    for (const waiting of queue.drain(() => false)) elsewhere(waiting)
    // Who decides now is not known yet.
    isHinted = true
  }

  return {
    leads: () => isLeading,
    turn() {
      const leads = now.leads()
      if (!leads) nodes?.connect(now.holder()?.address ?? null)
      if (leads === isLeading) return
      isLeading = leads
      if (leads) begin()
      else end()
      parts.onLead?.(leads)
    },
    takeHint() {
      const was = isHinted
      isHinted = false
      return was
    },
    isHinted: () => isHinted,
    put(waiting) {
      if (isLeading) queue.put(waiting)
      else elsewhere(waiting)
    },
    reached: () => handOver?.reached(),
    refuse: (code, isKept) => handOver?.refuse(code, isKept),
    look: hint,
    open() {
      lease?.onHint(hint)
      nodes?.onJoined(() => handOver?.again())
      nodes?.onLeft((node) => {
        if (node !== null || isLeading) return
        hint()
        schedule(hint, LOOK_AGAIN_MS)
      })
    },
    stop() {
      isStopped = true
      handOver?.refuse('STOPPING', () => false)
    },
  }
}

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
