/** Work of the deciding node: it assigns steps, recovers those without a process, and runs the duties for all nodes. */
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { Schedule } from '../../shared/later'
import type { Committer } from '../commands/committer'
import { openPlacement, type Placement } from '../dispatch/placement'
import { type Duties, openDuties } from '../duties/duties'
import type { EngineParts } from '../index'
import type { WorldSnapshots } from '../snapshots/worldSnapshots'
import type { Runner } from '../steps/runner'

/** If more entries than this were read since the last snapshot, save one at once, for the next start. */
const LONG_TAIL = 5_000

type LeadingParts = {
  committer: Committer
  runner: Runner
  worlds: WorldSnapshots
  schedule: Schedule
  onMistake: (error: unknown, what: string) => void
  /** The entry of the snapshot with which this process started. */
  loadedSeq: () => number
}

export function openLeading(parts: EngineParts, { committer, runner, worlds, schedule, ...rest }: LeadingParts) {
  const { node, newId } = parts
  let placement: Placement | null = null
  let duties: Duties | null = null
  /** Nodes that reported that they are stopping: they may finish their attempts. */
  const leaving = new Set<string>()
  const unhear = parts.nodes?.onNote((note, from) => {
    if (note.is === 'runs' && note.isLeaving === true) leaving.add(from)
    else if (note.is === 'runs') leaving.delete(from)
  })

  const mustCommit = async (command: Envelope['command']): Promise<void> => {
    const answer = await committer.commit({ id: newId(), by: 'system:start', command })
    if (!answer.ok) throw answer.fault
  }

  async function take(mine: Placement): Promise<number> {
    const before = Object.keys(committer.world().nodes).filter((other) => !leaving.has(other))
    await mustCommit({ type: 'startNode', node, epoch: committer.epoch() })
    await mustCommit(parts.config)
    parts.onConfigured?.(committer.world())
    runner.start()
    const recovered = await mine.recover(before)
    if (placement !== mine) return recovered
    duties = openDuties(parts, committer, { worlds, schedule })
    committer.hold()
    mine.start()
    duties.start()
    if (committer.world().seq - rest.loadedSeq() > LONG_TAIL) void duties.saveSnapshot()
    return recovered
  }

  function end(): void {
    placement?.drop()
    duties?.drop()
    placement = null
    duties = null
  }

  return {
    /** Notes of other nodes are handled from now on. out: takes the journal over; the number of recovered steps */
    begin(): () => Promise<number> {
      end()
      const mine = openPlacement({
        ...parts,
        committer,
        runner,
        schedule,
        onMistake: rest.onMistake,
        fileServers: new Set(parts.fileServers ?? []),
      })
      placement = mine
      return () =>
        take(mine).catch((error: unknown) => {
          // Another node decides, or this one started again: that counts.
          if (placement !== mine) return 0
          throw error
        })
    },
    /** Another node decides now. */
    end,
    onEntries(entries: Entry[], world: World): void {
      placement?.onEntries(entries, world)
      duties?.onEntries(entries, world)
    },
    placed: (envelope: Envelope): Envelope => placement?.placed(envelope) ?? envelope,
    /** Load is low. */
    rest: () => duties?.rest(),
    /** Start nothing any more. out: saves the newest state for the next start */
    stop(): () => Promise<void> {
      unhear?.()
      placement?.drop()
      const own = duties
      own?.stopTimers()
      return async () => own?.stop()
    },
  }
}
