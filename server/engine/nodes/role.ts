/** The role of this node, deciding or following; routes commands accordingly. */
import { Fault } from '@/lib/faults'
import { isCommandType } from '@/lib/mas/commands'
import type { Envelope } from '@/lib/mas/commands/command'
import type { ForwardedAnswer, Nodes } from '../../nodes'
import { later, type Schedule } from '../../shared/later'
import type { Lease, LeaseHolder } from '../../store'
import type { CommandQueue, Waiting } from '../commands/commandQueue'
import type { CommitAnswer } from '../port'
import { createForwarding, forwardedAnswer } from './forwarding'

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
  onCheckDue: () => void
}

/** PostgreSQL needs a moment to detect the end of a dead process's session, ms. */
const LOOK_AGAIN_MS = 50

/** Work that only the deciding node does, for all nodes. */
const DUTIES: ReadonlySet<string> = new Set(['timer', 'notify', 'start', 'recovery'].map((name) => `system:${name}`))

/** Whether only the deciding node sends this command. Runners and the sockets of peers are at all nodes. */
const isDuty = ({ by, command: { type } }: Envelope): boolean => type === 'startStep' || DUTIES.has(by)

export function createRole(parts: RoleParts, { now, queue, accept, onCheckDue }: OfCommitter) {
  const { nodes, lease, clock, schedule = later } = parts
  const forwarding = nodes ? createForwarding({ nodes, seq: now.seq, clock, schedule }) : null
  let isLeading = false
  let isCheckDue = false
  let isStopped = false

  function elsewhere(waiting: Waiting): void {
    if (forwarding && !isDuty(waiting.envelope)) forwarding.put(waiting)
    // Another node has to do it.
    else waiting.settle({ ok: false, fault: new Fault('STOPPING') })
  }

  async function decideForOther(envelope: Envelope): Promise<ForwardedAnswer> {
    // A command that only newer versions know waits until one of them decides.
    const canDecide = isLeading && isCommandType(envelope.command.type)
    return canDecide ? forwardedAnswer(await accept(envelope), now.seq()) : null
  }

  function requestCheck(): void {
    if (isStopped) return
    isCheckDue = true
    onCheckDue()
  }

  function begin(): void {
    nodes?.connect(null)
    nodes?.serve(decideForOther)
    queue.putBack(forwarding?.takeBack() ?? [])
  }

  function end(): void {
    nodes?.serve(null)
    for (const waiting of queue.drain(() => false)) elsewhere(waiting)
    // The deciding node is not known yet.
    isCheckDue = true
  }

  return {
    leads: () => isLeading,
    /** The lease was checked or lost: update the role. */
    update(): void {
      const leads = now.leads()
      if (!leads) nodes?.connect(now.holder()?.address ?? null)
      if (leads === isLeading) return
      isLeading = leads
      if (leads) begin()
      else end()
      parts.onLead?.(leads)
    },
    /** Whether the lease must be checked, because something happened since the last call. */
    takeCheckDue(): boolean {
      const was = isCheckDue
      isCheckDue = false
      return was
    },
    isCheckDue: () => isCheckDue,
    /** Decide a command here, or forward it to the deciding node. */
    put(waiting: Waiting): void {
      if (isLeading) queue.put(waiting)
      else elsewhere(waiting)
    },
    /** The world has new entries. */
    reached: () => forwarding?.reached(),
    /** This node stops: commands that cannot be forwarded at once are refused from now on. */
    stopWaiting: () => forwarding?.stopWaiting(),
    /** The outcomes of forwarded commands are unknown; those that the caller does not keep are not forwarded again. */
    refuse: (code: 'STORE_BROKEN' | 'STOPPING', isKept: (envelope: Envelope) => boolean) =>
      forwarding?.refuse(code, isKept),
    /** Requests a check of the lease. */
    requestCheck,
    /** Listen to the lease and the other nodes. */
    open(): void {
      lease?.onChange(requestCheck)
      nodes?.onJoined(() => forwarding?.again())
      nodes?.onLeft((node) => {
        if (node !== null || isLeading) return
        requestCheck()
        schedule(requestCheck, LOOK_AGAIN_MS)
      })
    },
    /** Request no check from now on. */
    stop(): void {
      isStopped = true
      forwarding?.refuse('STOPPING', () => false)
    },
  }
}
