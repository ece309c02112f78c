/** What becomes of commands while the store cannot be written: most are refused, some are held, and after its end all is over. */
import { Fault } from '@/lib/faults'
import type { Envelope } from '@/lib/mas/commands/command'
import { errorMessage } from '@/server/shared/errors'
import { type Store, StoreBrokenError, type StoreState } from '../../store'
import type { CommandQueue } from './commandQueue'

type TroubleParts = {
  health: Pick<Store, 'state' | 'onState'>
  queue: CommandQueue
  /** Nobody can say what became of commands that another node decides; some of them are kept. */
  refuseForwarded: (isKept: (envelope: Envelope) => boolean) => void
  /** Take the journal again and read on. */
  takeAgain: () => Promise<void>
  /** The store can be written again. */
  onBack: () => void
  /** It will not be written any more; nothing is accepted from here on. */
  onBroken: (error: unknown) => void
}

/**
 * Outcomes of what has already happened, which cannot be produced again, and what a node does when it begins to decide or another one
 * goes; no one outside waits for their answer.
 */
const HELD: ReadonlySet<string> = new Set(
  ['runner', 'timer', 'notify', 'adapters', 'start', 'recovery'].map((name) => `system:${name}`),
)

export function createStoreTrouble({ health, queue, onBroken, ...parts }: TroubleParts) {
  let broken: unknown = null
  /** A write failed, and the store has not come back yet. */
  let refusing: StoreBrokenError | null = null
  let isHolding = false

  const mayHold = ({ by, command }: Envelope): boolean => isHolding && HELD.has(by) && command.type !== 'wakeTask'

  /** Refuse all that wait, but for what is held until the store can be written again. */
  function refuseWaiting(): void {
    for (const { settle } of queue.drain(mayHold)) settle({ ok: false, fault: new Fault('STORE_BROKEN') })
    parts.refuseForwarded(mayHold)
  }

  function fail(error: unknown): void {
    broken = error
    isHolding = false
    refuseWaiting()
    onBroken(error)
  }

  function happened(error: unknown): void {
    if (isHolding && error instanceof StoreBrokenError && health.state().is !== 'lost') {
      refusing = error
      refuseWaiting()
    } else fail(error)
  }

  health.onState((state) => {
    if (refusing === null || broken !== null) return
    if (state.is === 'lost') fail(new Error(state.reason))
    else if (state.is === 'ok') parts.onBack()
  })

  return {
    /** Nothing is decided any more in this process. */
    isOver: () => broken !== null,
    isRefusing: () => refusing !== null,
    /** May it be tried again? */
    isBack: () => refusing !== null && health.state().is === 'ok',
    refuses: (envelope: Envelope): boolean =>
      broken !== null || ((refusing !== null || health.state().is === 'refusing') && !mayHold(envelope)),
    /** A write failed. What it wanted may be there or not: who repeats it meets its outcome, under the same command id. */
    happened,
    /** out: whether commands can be decided again */
    async comeBack(): Promise<boolean> {
      if (health.state().is !== 'ok') return false
      try {
        await parts.takeAgain()
        refusing = null
      } catch (error) {
        happened(error)
      }
      return refusing === null && broken === null
    },
    state(): StoreState {
      if (broken !== null) return { is: 'lost', reason: errorMessage(broken) }
      return refusing === null ? health.state() : { is: 'refusing', reason: refusing.message }
    },
    hold(): void {
      isHolding = true
    },
    stopWaiting(): void {
      isHolding = false
      if (refusing !== null) refuseWaiting()
    },
  }
}
