/**
 * The single queue of decisions: commands are decided in order, appended as one batch, reduced, answered. If another node decides,
 * they are forwarded to it instead. Append, takeover and reading run in this one loop, so they never overlap.
 *
 *              lease.check(): another node holds it                  a write fails
 *   following ◄───────────────────────────────────── deciding ───────────────────────► refusing
 *       │  the lease is free: take the journal            ▲  │ FENCED, stepDown()          │ the store answers again:
 *       └─────────────────────────────────────────────────┘  └──► following                │ take the journal, read on
 *   commands are forwarded; their             commands are decided;  ◄─────────────────────┘
 *   outcomes come with the journal            MOVED, UNANSWERED: take the journal again     commands are refused, outcomes of steps wait;
 *                                                                                           a lost store ends the process
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fault } from '@/lib/faults'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import { later, type Schedule } from '../../shared/later'
import { takingTurns } from '../../shared/pieces'
import type { Store } from '../../store'
import { createJournalLease, type LeaseParts } from '../nodes/journalLease'
import { createRole, type RoleParts } from '../nodes/role'
import type { CommitAnswer } from '../port'
import { createCommandQueue, isSystem } from './commandQueue'
import { type DecideParts, type Decision, decideBatch } from './decideBatch'
import { createStoreTrouble } from './storeTrouble'

/** The longest wait for what other nodes have acknowledged, ms: then this node answers with what it has read. */
const CATCH_UP_MS = 1_000
type CommitterParts = DecideParts &
  LeaseParts &
  RoleParts & {
    health: Pick<Store, 'state' | 'onState'>
    /** The store is lost; nothing is accepted from now on. */
    onBroken: (error: unknown) => void
    /** Sets the node for the step that a command starts. Default: unchanged. */
    placed?: (envelope: Envelope) => Envelope
  }

export function createCommitter(parts: CommitterParts) {
  const { health, clock, onBroken, meter, placed = (envelope) => envelope } = parts
  const queue = createCommandQueue()
  const onEntries = (entries: Entry[], world: World): void => {
    parts.onEntries(entries, world)
    role.reached()
  }
  const lease = createJournalLease({ ...parts, onEntries }, takingTurns(clock))
  const now = { ...lease, seq: () => lease.world().seq }
  const role = createRole(parts, { now, queue, accept, onCheckDue: () => loop.wake() })
  const trouble = createStoreTrouble({
    health,
    queue,
    refuseForwarded: (isKept) => role.refuse('STORE_BROKEN', isKept),
    takeAgain: lease.takeAgain,
    onBack: () => loop.wake(),
    onBroken,
  })
  let isClosing = false
  const catchUp = createCatchUp(parts.schedule ?? later)
  const hasWork = (): boolean => role.leads() && !queue.isEmpty()
  const loop = createLoop(decideAll, () => {
    if (trouble.isOver()) return false
    return trouble.isRefusing() ? trouble.isBack() : role.isCheckDue() || hasWork()
  })

  async function decideAll(): Promise<void> {
    while (!trouble.isOver()) {
      if (trouble.isRefusing() && !(await trouble.comeBack())) return
      role.update()
      if (role.takeCheckDue()) await catchUp.by(lease.check().catch(trouble.happened))
      else if (hasWork()) await decideSome()
      else return
    }
  }

  async function decideSome(): Promise<void> {
    // Commands of the same moment share an append. And a store in this process answers within the same turn of the event
    // loop: sockets and timers would never run.
    await nextTurn()
    const takeTurn = takingTurns(clock)
    const batch = decideBatch(lease.world(), queue, parts)
    // A single large command can take long to decide, append and publish.
    await takeTurn()
    try {
      requeue(await lease.append(batch))
    } catch (error) {
      requeue(batch.decisions)
      trouble.happened(error)
    }
  }

  const requeue = (decisions: readonly Decision[]): void =>
    queue.putBack(decisions.map(({ waiting }) => ({ ...waiting, since: clock() })))

  /** out: why it is not accepted */
  function refusalOf(envelope: Envelope): 'STORE_BROKEN' | 'STOPPING' | 'COMMAND_ID_TAKEN' | null {
    if (trouble.isOver()) return 'STORE_BROKEN'
    if (isClosing) return 'STOPPING'
    // Ids of the program have a colon, and some of them can be guessed.
    if (!isSystem(envelope) && envelope.id.includes(':')) return 'COMMAND_ID_TAKEN'
    return trouble.refuses(envelope) ? 'STORE_BROKEN' : null
  }

  async function accept(envelope: Envelope): Promise<CommitAnswer> {
    const code = refusalOf(envelope)
    if (code !== null) return { ok: false, fault: new Fault(code) }
    return new Promise((settle) => {
      role.put({ envelope: role.leads() ? placed(envelope) : envelope, since: clock(), settle })
      if (!trouble.isRefusing() && hasWork()) loop.wake()
    })
  }

  return {
    world: lease.world,
    epoch: lease.epoch,
    /** Whether this node decides. */
    leads: role.leads,
    /** Read from the given world to the head, and take the lease unless another node has it. */
    async open(world: World): Promise<void> {
      await lease.open(world)
      role.open()
      role.update()
    },
    /** Resolves when the world has all that was acknowledged before the call, at any node. */
    caughtUp(): Promise<void> {
      if (role.leads() || isClosing || trouble.isOver() || trouble.isRefusing()) return Promise.resolve()
      role.requestCheck()
      return catchUp.next()
    },
    async commit(envelope: Envelope): Promise<CommitAnswer> {
      const answer = await accept(envelope)
      meter?.settled(envelope.command.type, answer.ok ? null : answer.fault.code)
      return answer
    },
    /** ok: commands are accepted. */
    state: trouble.state,
    /** From now on a failed store is waited for; before, it ends the process. */
    hold: trouble.hold,
    /** The process stops: do not wait for a failed store any more. */
    stopWaiting(): void {
      trouble.stopWaiting()
      role.stopWaiting()
    },
    /** Another node decides from now on, and this one follows; no command is refused. */
    stepDown(): void {
      lease.stepDown()
      role.requestCheck()
    },
    /** Refuse new commands, wait for accepted ones, and let another node decide. */
    async close(): Promise<void> {
      isClosing = true
      role.stop()
      await loop.idle()
      // Without the database the lease cannot be released.
      await lease.release().catch(() => {})
      parts.nodes?.serve(null)
    },
  }
}

export type Committer = ReturnType<typeof createCommitter>

/** Those who wait until the journal was read. */
function createCatchUp(schedule: Schedule) {
  let waiting: (() => void)[] = []
  return {
    /** Resolves at the end of the next reading that begins, or after CATCH_UP_MS. */
    next: (): Promise<void> =>
      new Promise((resolve) => {
        const stop = schedule(resolve, CATCH_UP_MS)
        waiting.push(() => {
          stop()
          resolve()
        })
      }),
    /** A reading has just begun: all who wait now wait for its end. */
    async by(reading: Promise<void>): Promise<void> {
      const asked = waiting
      waiting = []
      await reading
      for (const go of asked) go()
    },
  }
}

/** One run of `work` at a time. in: isMore: whether another run is needed */
function createLoop(work: () => Promise<void>, isMore: () => boolean): { wake(): void; idle(): Promise<void> } {
  let running: Promise<void> | null = null
  /** Run unless running. */
  function wake(): void {
    running ??= Promise.resolve()
      .then(work)
      .finally(() => {
        running = null
        // A command arrived while it was ending, or the store recovered.
        if (isMore()) wake()
      })
  }
  return {
    wake,
    async idle() {
      while (running) await running
    },
  }
}
