/** One timer for deadlines, reminders and evictions. Entries make it look again; with nothing due there is no timer. */

import type { Due } from '@/lib/mas/asks/due'
import type { Envelope } from '@/lib/mas/commands/command'
import { makeIds } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { Schedule } from '../../shared/later'
import type { CommitAnswer } from '../port'

type DueOf = (world: World, now: number) => readonly Due[]

type TimersParts = {
  due: DueOf
  world: () => World
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  /** Epoch ms by the store's clock. */
  now: () => number
  schedule: Schedule
  onMistake: (error: unknown, what: string) => void
}

/** Entries that follow each other are looked at together. */
const SOON_MS = 200
/** A machine that slept has a clock that leaps: it is read again this often while something is due later. */
const CLOCK_MS = 10 * 60_000

/** The same due thing is the same command, also after a restart: it is done once (R4). */
export const timerId = ({ at, command }: Due): string =>
  `timer:${makeIds(`${at} ${JSON.stringify(command)}`)<string>()}`

export function createTimers({ due, world, commit, now, schedule, onMistake }: TimersParts) {
  /** Put by this process and still in the list: not put again while its entries are on their way, or when it was refused. */
  let put = new Set<string>()
  let stopTimer: (() => void) | null = null
  let isSoon = false
  let isStopped = false

  function wakeAt(at: number): void {
    stopTimer?.()
    isSoon = false
    stopTimer = schedule(
      () => {
        stopTimer = null
        if (now() >= at) look()
        else wakeAt(at)
      },
      Math.max(0, Math.min(at - now(), CLOCK_MS)),
    )
  }

  /** Look now; after start-up. */
  function look(): void {
    stopTimer?.()
    stopTimer = null
    isSoon = false
    if (isStopped) return
    const still = new Set<string>()
    let next = Number.POSITIVE_INFINITY
    for (const one of due(world(), now())) {
      if (one.at > now()) {
        next = Math.min(next, one.at)
        continue
      }
      const id = timerId(one)
      still.add(id)
      if (put.has(id)) continue
      commit({ id, by: 'system:timer', command: one.command }).catch((error) => onMistake(error, one.command.type))
    }
    put = still
    if (next !== Number.POSITIVE_INFINITY) wakeAt(next)
  }

  return {
    /** Entries were confirmed: look soon, once for all that come in a moment. */
    onEntries(): void {
      if (isSoon || isStopped) return
      stopTimer?.()
      isSoon = true
      stopTimer = schedule(look, SOON_MS)
    },
    look,
    stop(): void {
      isStopped = true
      stopTimer?.()
      stopTimer = null
    },
  }
}
