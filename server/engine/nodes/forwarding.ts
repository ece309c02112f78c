/**
 * Commands that another node decides: each is kept until its outcome is in this node's own world, and sent again, with the same id, to
 * the node that decides next. So the first outcome counts, and a page never sees a world without its own write.
 */
import { Fault } from '@/lib/faults'
import { asJson } from '@/lib/json'
import type { Envelope } from '@/lib/mas/commands/command'
import type { ForwardedAnswer, Nodes } from '../../nodes'
import type { Schedule } from '../../shared/later'
import type { Waiting } from '../commands/commandQueue'
import type { CommitAnswer } from '../port'

/** Retry delay, for a node that has just taken the lease and is not ready, ms. */
const AGAIN_MS = 50
/**
 * The longest wait for the outcome of a command, ms. Then the sender gets a refusal, and a repeat gets the outcome. Outcomes of
 * steps cannot be repeated, so commands of runners wait without limit.
 */
const LONGEST_MS = 15_000

type ForwardingParts = {
  nodes: Pick<Nodes, 'forward'>
  /** The number of the last entry in this node's world. */
  seq: () => number
  clock: () => number
  schedule: Schedule
}

/** answer: known, but not in this node's world yet. isAsked: sent, without an answer yet. */
type Forwarded = { waiting: Waiting; isAsked: boolean; answer: NonNullable<ForwardedAnswer> | null; since: number }

export function createForwarding({ nodes, seq, clock, schedule }: ForwardingParts) {
  const kept = new Set<Forwarded>()
  let isSoon = false
  let isStopping = false

  function ask(one: Forwarded): void {
    one.isAsked = true
    nodes.forward(one.waiting.envelope).then((answer) => {
      one.isAsked = false
      if (!kept.has(one)) return
      if (answer === null || isNotNow(answer)) return isStopping ? refuseOne(one, 'STOPPING') : soon()
      one.answer = answer
      settle(one)
    })
  }

  function settle(one: Forwarded): void {
    if (one.answer === null || one.answer.seq > seq()) return
    kept.delete(one)
    one.waiting.settle(one.answer.ok ? one.answer : { ok: false, fault: Fault.again(one.answer.fault) })
  }

  function refuseOne(one: Forwarded, code: 'STORE_BROKEN' | 'STOPPING'): void {
    kept.delete(one)
    one.waiting.settle({ ok: false, fault: new Fault(code) })
  }

  function soon(): void {
    if (isSoon) return
    isSoon = true
    schedule(() => {
      isSoon = false
      again()
    }, AGAIN_MS)
  }

  /** Another node decides, or can be reached again: forward all commands without outcome. */
  function again(): void {
    for (const one of [...kept]) {
      if (one.isAsked || one.answer !== null) continue
      if (isOfRunner(one.waiting.envelope) || clock() - one.since < LONGEST_MS) ask(one)
      else refuseOne(one, 'STORE_BROKEN')
    }
  }

  return {
    put(waiting: Waiting): void {
      const one: Forwarded = { waiting, isAsked: false, answer: null, since: clock() }
      kept.add(one)
      ask(one)
    },
    /** The world has new entries: answer the commands in them. */
    reached(): void {
      for (const one of [...kept]) settle(one)
    },
    again,
    /** This node stops: what cannot be forwarded at once is refused from now on. */
    stopWaiting(): void {
      isStopping = true
      for (const one of [...kept]) if (!one.isAsked && one.answer === null) refuseOne(one, 'STOPPING')
    },
    /** This node decides: take back all commands without outcome. */
    takeBack(): Waiting[] {
      const all = [...kept].map(({ waiting }) => waiting)
      kept.clear()
      return all
    },
    /** Their outcomes are unknown; those that the caller does not keep are not sent again. */
    refuse(code: 'STORE_BROKEN' | 'STOPPING', isKept: (envelope: Envelope) => boolean): void {
      for (const one of [...kept]) {
        if (!isKept(one.waiting.envelope)) refuseOne(one, code)
      }
    },
  }
}

const isOfRunner = ({ by }: Envelope): boolean => by === 'system:runner'

/** The deciding node stops, or cannot write: another one will decide, or the same one later. */
const isNotNow = (answer: NonNullable<ForwardedAnswer>): boolean =>
  !answer.ok && (answer.fault.code === 'STOPPING' || answer.fault.code === 'STORE_BROKEN')

/** in: seq: the head of the deciding node at the decision */
export function forwardedAnswer(answer: CommitAnswer, seq: number): NonNullable<ForwardedAnswer> {
  if (answer.ok) return { ok: true, seq: answer.seq, reply: answer.reply }
  const { code, data, message } = answer.fault
  return { ok: false, seq, fault: { code, data: asJson(data), message } }
}
