/** What the node that decides does and no other: it runs the agents, fires what is due, lets records leave, and keeps snapshots. */
import type { Entry } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectDue } from '@/lib/mas/selectors/due'
import type { Ephemeral } from '@/lib/wire/views'
import type { Committer } from './committer'
import { createEvictionDue, createEvictor } from './eviction'
import type { EngineParts } from './index'
import { createRunner } from './runner'
import { openSnapshotPace } from './snapshotPace'
import { createTimers, type Schedule } from './timers'
import type { WorldSnapshots } from './worldSnapshots'

type DutiesParts = {
  worlds: WorldSnapshots
  schedule: Schedule
  onText: (note: Ephemeral) => void
}

export type Duties = ReturnType<typeof openDuties>

export function openDuties(parts: EngineParts, committer: Committer, { worlds, schedule, onText }: DutiesParts) {
  const { store, log } = parts
  const runner = createRunner({
    ...parts,
    epoch: committer.epoch,
    world: committer.world,
    commit: committer.commit,
    bodies: store.bodies,
    onText,
    onMistake: (error, what) => log.error({ err: error, what }, 'unexpected error in a step'),
  })
  const background = openBackground(parts, committer, { worlds, schedule })
  return {
    start(): void {
      runner.wakeAll()
      background.start()
    },
    onEntries(entries: Entry[], world: World): void {
      runner.onEntries(entries, world)
      background.onEntries(entries, world)
    },
    textOf: runner.textOf,
    texts: runner.texts,
    saveSnapshot: background.saveSnapshot,
    /** There is little to do. */
    rest(): void {
      runner.forgetTexts()
      background.rest()
    },
    stopTimers: background.stopTimers,
    /** What runs is aborted and waited for. */
    stopRunning: () => runner.stop(),
    /** The newest state is kept for the next start. */
    stopSnapshots: background.stop,
    /** Another node does all of it now. */
    drop(): void {
      background.drop()
      void runner.stop()
    },
  }
}

/** What is done without being asked: what is due, what leaves the world, and the snapshots. */
function openBackground(
  { newId, now, clock, log }: EngineParts,
  committer: Committer,
  { worlds, schedule }: { worlds: WorldSnapshots; schedule: Schedule },
) {
  const leavingDue = createEvictionDue()
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

  return {
    onEntries(entries: Entry[], world: World): void {
      evictor.onEntries(entries, world)
      timers.onEntries()
      snapshots.changed(entries.length)
    },
    start(): void {
      evictor.lookAtAll(committer.world())
      timers.look()
    },
    saveSnapshot: snapshots.save,
    rest: snapshots.rest,
    stopTimers: timers.stop,
    drop(): void {
      timers.stop()
      snapshots.stop()
    },
    async stop(): Promise<void> {
      snapshots.stop()
      if (committer.state().is !== 'ok') return
      // One that is under way holds an older world.
      await worlds.settled()
      await snapshots.save()
    },
  }
}
