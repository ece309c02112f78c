/**
 * The single lane of decisions: commands are decided in order, appended as one batch, reduced, answered. Where another node decides,
 * they are handed over to it instead. Append, take-over and reading on are in this one lane, so none overlaps another.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fault } from '@/lib/faults'
import type { Envelope } from '@/lib/mas/commands/command'
import type { World } from '@/lib/mas/records'
import type { HandedAnswer, Nodes } from '../nodes'
import { type Store, StoreBrokenError, type StoreState } from '../store'
import { createCommandQueue, isSystem, type Waiting } from './commandQueue'
import { type DecideParts, type Decision, decideBatch } from './decideBatch'
import { createHandOver, handedAnswer } from './handOver'
import { createJournalLease, type LeaseParts } from './journalLease'
import type { CommitAnswer } from './port'

/** Sockets and timers wait for the lane no longer than this, and one batch decided, appended or told. */
const TURN_MS = 10
type CommitterParts = DecideParts &
  LeaseParts & {
    health: Pick<Store, 'state' | 'onState'>
    /** The store will not be written any more; nothing is accepted from here on. */
    onBroken: (error: unknown) => void
    /** The way to the other nodes, where `lease` lets one of several decide. */
    nodes?: Nodes
    /** This node begins to decide, or does not any more. */
    onLead?: (leads: boolean) => void
    /** Call once after that many ms. out: stop it. */
    schedule?: (run: () => void, ms: number) => () => void
  }

export interface Committer {
  world(): World
  epoch(): number
  /** Does this node decide? */
  leads(): boolean
  /** Read on from the given world to the head, and take the lease unless another node has it. */
  open(world: World): Promise<void>
  commit(envelope: Envelope): Promise<CommitAnswer>
  /** ok: commands are taken. */
  state(): StoreState
  /** From now on a store that cannot be written is waited for; before that it is the end. */
  hold(): void
  /** The process stops: no one waits any longer for a store that cannot be written. */
  letGo(): void
  /** Refuse new commands, wait for those taken, and let another node decide. */
  close(): Promise<void>
}

export function createCommitter(parts: CommitterParts): Committer {
  const { health, clock, onBroken, meter } = parts
  const queue = createCommandQueue()
  const takeTurn = turns(clock)
  const lease = createJournalLease(
    {
      ...parts,
      onEntries(entries, world) {
        parts.onEntries(entries, world)
        handOver?.reached()
      },
    },
    takeTurn,
  )
  const { nodes, schedule = later } = parts
  const handOver = nodes ? createHandOver({ nodes, seq: () => lease.world().seq, clock, schedule }) : null
  let broken: unknown = null
  /** A write failed, and the store has not come back yet. */
  let refusing: StoreBrokenError | null = null
  let isHolding = false
  let isClosing = false
  /** What the rest of the process knows of lease.leads(). */
  let isLeading = false
  /** Another node may have appended, or let the lease go. */
  let isHinted = false
  let lane: Promise<void> | null = null

  function counted(envelope: Envelope, answer: CommitAnswer): CommitAnswer {
    meter?.settled(envelope.command.type, answer.ok ? null : answer.fault.code)
    return answer
  }

  const fail = (error: unknown): void => {
    broken = error
    isHolding = false
    refuseWaiting()
    onBroken(error)
  }

  const mayHold = ({ by, command }: Envelope): boolean => isHolding && HELD.has(by) && command.type !== 'wakeTask'

  /** Refuse all that wait, but for what is held until the store can be written again. */
  function refuseWaiting(): void {
    for (const { settle } of queue.drain(mayHold)) settle({ ok: false, fault: new Fault('STORE_BROKEN') })
    handOver?.refuse('STORE_BROKEN')
  }

  /** Another node decides, or this one does: what waits goes where it is decided. */
  function turn(): void {
    const leads = lease.leads()
    if (!leads) nodes?.connect(lease.holder()?.address ?? null)
    if (leads === isLeading) return
    isLeading = leads
    if (leads) {
      nodes?.connect(null)
      nodes?.serve(decideForOther)
      queue.putBack(handOver?.takeBack() ?? [])
    } else {
      nodes?.serve(null)
      for (const waiting of queue.drain(() => false)) elsewhere(waiting)
      // Who decides now is not known yet.
      isHinted = true
    }
    parts.onLead?.(leads)
  }

  /** What only the node that decides has to do is done by another now. */
  function elsewhere(waiting: Waiting): void {
    if (handOver && !DUTIES.has(waiting.envelope.by)) handOver.put(waiting)
    else waiting.settle({ ok: false, fault: new Fault('STOPPING') })
  }

  async function decideForOther(envelope: Envelope): Promise<HandedAnswer> {
    return isLeading ? handedAnswer(await accept(envelope), lease.world().seq) : null
  }

  const hint = (): void => {
    if (isClosing) return
    isHinted = true
    kick()
  }

  /** What the failed append wanted may be there or not: those who repeat it meet its outcome, under the same command id. */
  function stumble(error: unknown, decisions: Decision[]): void {
    requeue(decisions)
    if (isHolding && error instanceof StoreBrokenError && health.state().is !== 'lost') {
      refusing = error
      refuseWaiting()
    } else fail(error)
  }

  /** out: whether commands can be decided again */
  async function comeBack(): Promise<boolean> {
    if (health.state().is !== 'ok') return false
    try {
      await lease.takeAgain()
      refusing = null
      turn()
    } catch (error) {
      stumble(error, [])
    }
    return refusing === null && broken === null
  }

  health.onState((state) => {
    if (refusing === null || broken !== null) return
    if (state.is === 'lost') fail(new Error(state.reason))
    else if (state.is === 'ok') kick()
  })

  async function runLane(): Promise<void> {
    while (broken === null) {
      if (refusing !== null && !(await comeBack())) return
      turn()
      if (isHinted) {
        isHinted = false
        await lease.look().catch((error: unknown) => stumble(error, []))
        continue
      }
      if (!isLeading || queue.isEmpty()) return
      // A store in this process answers without a turn of the loop: sockets and timers would never come to their own.
      await takeTurn()
      const batch = decideBatch(lease.world(), queue, parts)
      // One large command alone can take long to decide, to append and to tell.
      await takeTurn()
      try {
        requeue(await lease.append(batch))
      } catch (error) {
        stumble(error, batch.decisions)
      }
    }
  }

  const requeue = (decisions: readonly Decision[]): void =>
    queue.putBack(decisions.map(({ waiting }) => ({ ...waiting, since: clock() })))

  /** Run the lane unless it runs; one turn later, so that commands of the same moment share an append. */
  function kick(): void {
    lane ??= Promise.resolve()
      .then(runLane)
      .finally(() => {
        lane = null
        // One that came while the lane was closing, or a store that came back then.
        if (broken !== null) return
        if (refusing === null ? isHinted || (isLeading && !queue.isEmpty()) : health.state().is === 'ok') kick()
      })
  }

  function accept(envelope: Envelope): Promise<CommitAnswer> {
    const refuse = (code: 'STORE_BROKEN' | 'STOPPING' | 'COMMAND_ID_TAKEN'): Promise<CommitAnswer> =>
      Promise.resolve({ ok: false, fault: new Fault(code) })
    if (broken !== null) return refuse('STORE_BROKEN')
    if (isClosing) return refuse('STOPPING')
    // The program's own ids have a colon, and some of them can be computed by anybody.
    if (!isSystem(envelope) && envelope.id.includes(':')) return refuse('COMMAND_ID_TAKEN')
    if (refusing !== null && !mayHold(envelope)) return refuse('STORE_BROKEN')
    return new Promise((settle) => {
      const waiting = { envelope, since: clock(), settle }
      if (!isLeading && refusing === null) return elsewhere(waiting)
      queue.put(waiting)
      if (refusing === null) kick()
    })
  }

  return {
    world: lease.world,
    epoch: lease.epoch,
    leads: () => isLeading,
    async open(world) {
      await lease.open(world)
      parts.lease?.onHint(hint)
      nodes?.onJoined(() => handOver?.again())
      // It may be gone; PostgreSQL needs a moment to see that its session is.
      nodes?.onLeft((node) => {
        if (node !== null || isLeading) return
        hint()
        schedule(hint, LOOK_AGAIN_MS)
      })
      turn()
    },
    commit: (envelope) => accept(envelope).then((answer) => counted(envelope, answer)),
    state() {
      if (broken !== null) return { is: 'lost', reason: broken instanceof Error ? broken.message : String(broken) }
      return refusing === null ? health.state() : { is: 'refusing', reason: refusing.message }
    },
    hold() {
      isHolding = true
    },
    letGo() {
      isHolding = false
      if (refusing !== null) refuseWaiting()
    },
    async close() {
      isClosing = true
      while (lane) await lane
      handOver?.refuse('STOPPING')
      // Without the database there is nothing to give back.
      await lease.release().catch(() => {})
      nodes?.serve(null)
    },
  }
}

/** Outcomes of what has already happened, which cannot be produced again; no one outside waits for their answer. */
const HELD: ReadonlySet<string> = new Set(['system:runner', 'system:timer', 'system:notify', 'system:faces'])

/** Work that is done once for all nodes, by the one that decides. */
const DUTIES: ReadonlySet<string> = new Set([...HELD, 'system:start', 'system:recovery'])
const LOOK_AGAIN_MS = 50

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** out: lets the loop turn, unless it did a moment ago */
function turns(clock: () => number): () => Promise<void> {
  let turnedAt = clock()
  return async () => {
    if (clock() - turnedAt < TURN_MS) return
    await nextTurn()
    turnedAt = clock()
  }
}
