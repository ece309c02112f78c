/** Background work of the deciding node: due times, archiving and eviction of records, snapshots. */

import { selectDue } from '@/lib/mas/asks/due'
import type { Entry } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { type Schedule, within } from '../../shared/later'
import type { Committer } from '../commands/committer'
import type { EngineParts } from '../index'
import { openSnapshotPace } from '../snapshots/snapshotPace'
import type { WorldSnapshots } from '../snapshots/worldSnapshots'
import { createEraser } from './eraser'
import { createEvictor, leavingDue } from './eviction'
import { createTimers } from './timers'

/** Saving is not waited for longer at a stop, ms. */
const SAVE_MS = 1_500

export type Duties = ReturnType<typeof openDuties>

export function openDuties(
  { store, named = async () => [], onErased = () => {}, newId, now, clock, log }: EngineParts,
  committer: Committer,
  { worlds, schedule }: { worlds: WorldSnapshots; schedule: Schedule },
) {
  const onMistake = (error: unknown, what: string): void =>
    log.error({ err: error, what }, 'unexpected error in a timer')
  const keepTask = (task: TaskId): Promise<void> =>
    worlds.savePiece(committer.world(), task).catch((error: unknown) => {
      log.warn({ err: error, task, seq: committer.world().seq }, 'the snapshot of a task could not be kept')
    })
  const evictor = createEvictor({ commit: committer.commit, newId, onMistake })
  const timers = createTimers({
    due: (world, now) => [...leavingDue(world, now), ...selectDue(world)],
    world: committer.world,
    async commit(envelope) {
      // A task is saved as it was before it leaves, so that reading it later need not read all its entries.
      if (envelope.command.type === 'archiveTask') await keepTask(envelope.command.task)
      return committer.commit(envelope)
    },
    now,
    schedule,
    onMistake,
  })
  const snapshots = openSnapshotPace({ worlds, world: committer.world, clock, schedule, log })
  const eraser = createEraser({
    store,
    world: committer.world,
    // One that is being saved may be older than the decision.
    save: () => worlds.settled().then(() => worlds.save(committer.world())),
    ...{ named, now, schedule, onErased },
    onTrouble: (error, task) => log.warn({ err: error, task }, 'an erased task could not be erased from the store'),
  })

  return {
    onEntries(entries: Entry[], world: World): void {
      if (entries.some(({ event }) => event.type === 'task.erased')) eraser.look()
      evictor.onEntries(entries, world)
      timers.onEntries()
      snapshots.changed(entries.length)
    },
    start(): void {
      evictor.lookAtAll(committer.world())
      timers.look()
      eraser.look()
    },
    saveSnapshot: snapshots.save,
    /** Load is low. */
    rest: snapshots.rest,
    stopTimers(): void {
      timers.stop()
      eraser.stop()
    },
    /** Another node decides now. */
    drop(): void {
      timers.stop()
      eraser.stop()
      snapshots.stop()
    },
    /** Saves the newest state for the next start, within SAVE_MS: without it that start reads more of the journal. */
    async stop(): Promise<void> {
      snapshots.stop()
      if (committer.state().is !== 'ok') return
      // A running snapshot has an older world.
      await within(SAVE_MS, schedule, worlds.settled().then(snapshots.save))
    },
  }
}
