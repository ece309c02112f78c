/** The role of this node, deciding or following; routes commands accordingly. */
import { Fault } from '@/lib/faults'
import { isCommandType } from '@/lib/mas/commands'
import type { Envelope } from '@/lib/mas/commands/command'
import type { HandedAnswer, Nodes } from '../../nodes'
import { later, type Schedule } from '../../shared/later'
import type { Lease, LeaseHolder } from '../../store'
import type { CommandQueue, Waiting } from '../commands/commandQueue'
import type { CommitAnswer } from '../port'
import { createHandOver, handedAnswer } from './handOver'

export type RoleParts = {
  /** The connections to other nodes, if `lease` lets one of several decide. */
  nodes?: Nodes
  lease?: Lease
  /** This node starts or stops deciding. */
  onLead?: (leads: boolean) => void
  clock: () => number
  schedule?: Schedule
}

type OfCommitter = {
  /** The current role. */
  now: { leads(): boolean; holder(): LeaseHolder | null; seq(): number }
  queue: CommandQueue
  accept: (envelope: Envelope) => Promise<CommitAnswer>
  /** The lease must be checked. */
  onHint: () => void
}

/** PostgreSQL needs a moment to detect the end of a dead process's session, ms. */
const LOOK_AGAIN_MS = 50

/** Work that only the deciding node does, for all nodes. */
const DUTIES: ReadonlySet<string> = new Set(['timer', 'notify', 'start', 'recovery'].map((name) => `system:${name}`))

/** Whether only the deciding node sends this command. Runners and the sockets of peers are at all nodes. */
const isDuty = ({ by, command: { type } }: Envelope): boolean => type === 'startStep' || DUTIES.has(by)

export function createRole(parts: RoleParts, { now, queue, accept, onHint }: OfCommitter) {
  const { nodes, lease, clock, schedule = later } = parts
  const handOver = nodes ? createHandOver({ nodes, seq: now.seq, clock, schedule }) : null
  let isLeading = false
  let isHinted = false
  let isStopped = false

  function elsewhere(waiting: Waiting): void {
    if (handOver && !isDuty(waiting.envelope)) handOver.put(waiting)
    // Another node has to do it.
    else waiting.settle({ ok: false, fault: new Fault('STOPPING') })
  }

  async function decideForOther(envelope: Envelope): Promise<HandedAnswer> {
    // A command that only newer versions know waits until one of them decides.
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
    // The deciding node is not known yet.
    isHinted = true
  }

  return {
    leads: () => isLeading,
    /** The lease was checked or lost: update the role. */
    turn(): void {
      const leads = now.leads()
      if (!leads) nodes?.connect(now.holder()?.address ?? null)
      if (leads === isLeading) return
      isLeading = leads
      if (leads) begin()
      else end()
      parts.onLead?.(leads)
    },
    /** Whether the lease must be checked, because something happened since the last call. */
    takeHint(): boolean {
      const was = isHinted
      isHinted = false
      return was
    },
    isHinted: () => isHinted,
    /** Decide a command here, or forward it to the deciding node. */
    put(waiting: Waiting): void {
      if (isLeading) queue.put(waiting)
      else elsewhere(waiting)
    },
    /** The world has new entries. */
    reached: () => handOver?.reached(),
    /** This node stops: commands that cannot be handed over at once are refused from now on. */
    letGo: () => handOver?.letGo(),
    /** The outcomes of forwarded commands are unknown; those that the caller does not keep are not forwarded again. */
    refuse: (code: 'STORE_BROKEN' | 'STOPPING', isKept: (envelope: Envelope) => boolean) =>
      handOver?.refuse(code, isKept),
    /** Requests a check of the lease. */
    look: hint,
    /** Listen to the lease and the other nodes. */
    open(): void {
      lease?.onHint(hint)
      nodes?.onJoined(() => handOver?.again())
      nodes?.onLeft((node) => {
        if (node !== null || isLeading) return
        hint()
        schedule(hint, LOOK_AGAIN_MS)
      })
    },
    /** Ignore hints from now on. */
    stop(): void {
      isStopped = true
      handOver?.refuse('STOPPING', () => false)
    },
  }
}
