/** The engine: committer, runner and recovery around one journal. */
import type { CommandOf, Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectDue } from '@/lib/mas/selectors/due'
import type { Ephemeral } from '@/lib/wire/views'
import type { FileWatch, OutgoingFiles } from '../files'
import type { Models } from '../models/model'
import type { RunSkill } from '../skills/port'
import type { Store } from '../store'
import type { ToolPool } from '../tools'
import { type Committer, createCommitter } from './committer'
import { createEvictionDue, createEvictor } from './eviction'
import type { CommitMeter, Engine } from './port'
import { recoverSteps } from './recovery'
import { createRunner } from './runner'
import { openSnapshotPace } from './snapshotPace'
import { createTimers, type Schedule } from './timers'
import { openWorldSnapshots, type WorldSnapshots } from './worldSnapshots'

/** A start that read more than this keeps a snapshot at once: the next one need not. */
const LONG_TAIL = 5_000

type EngineParts = {
  store: Pick<Store, 'journal' | 'bodies' | 'snapshots' | 'state' | 'onState'>
  node: string
  runSkill: RunSkill
  models: Models
  pool: ToolPool
  /** Compares the workspace before and after calls that may write; absent: nothing is compared. */
  files?: FileWatch
  /** Reads files of the workspace that steps send along; absent: none are sent. */
  outgoing?: OutgoingFiles
  config: CommandOf<'applyConfig'>
  now: () => number
  clock: () => number
  newId: () => string
  /** Call once after that many ms. out: stop it. Default: a timer that keeps no process alive. */
  schedule?: Schedule
  log: { warn(data: object, message: string): void; error(data: object, message: string): void }
  /** The store is lost: the process must say so loudly and stop. */
  onBroken: (error: unknown) => void
  /** The configuration is applied, and nothing has run yet. */
  onConfigured?: (world: World) => void
  /** Counts commands and commits; left out: nothing is counted. */
  meter?: CommitMeter
}

export type RunningEngine = Engine & {
  /** How many steps a gone process had left running. */
  readonly recovered: number
  /** There is little to do: keep what changed, and hold nothing for steps to come that can be read again. */
  rest(): void
  stop(): Promise<void>
}

/** Load, take the journal, apply the configuration, recover, run. */
export async function openEngine(parts: EngineParts): Promise<RunningEngine> {
  const { store, node, newId, log } = parts
  const decisions = new Set<(entries: Entry[], world: World) => void>()
  const ephemerals = new Set<(note: Ephemeral) => void>()
  let isRunning = false
  const schedule = parts.schedule ?? later
  const worlds = openWorldSnapshots(store.snapshots)

  const sendEphemeral = (note: Ephemeral): void => {
    for (const listener of ephemerals) listener(note)
  }

  const committer = createCommitter({
    journal: store.journal,
    health: store,
    node,
    now: parts.now,
    clock: parts.clock,
    ...(parts.meter ? { meter: parts.meter } : {}),
    onEntries(entries, world) {
      if (!isRunning) return
      for (const listener of decisions) listener(entries, world)
      runner.onEntries(entries, world)
      background.onEntries(entries, world)
    },
    onBroken: parts.onBroken,
    onMistake: (error, envelope) =>
      log.error(
        { err: error, command: envelope.id, kind: envelope.command.type, seq: committer.world().seq },
        'a command could not be decided',
      ),
  })

  const runner = createRunner({
    ...parts,
    epoch: committer.epoch,
    world: committer.world,
    commit: committer.commit,
    bodies: store.bodies,
    onText: sendEphemeral,
    onMistake: (error, what) => log.error({ err: error, what }, 'unexpected error in a step'),
  })

  const background = openBackground(parts, committer, { worlds, schedule })

  const mustCommit = async (command: Envelope['command']): Promise<void> => {
    const answer = await committer.commit({ id: newId(), by: 'system:start', command })
    if (!answer.ok) throw answer.fault
  }

  const loaded = await worlds.load()
  await committer.open(loaded)
  const read = committer.world().seq - loaded.seq
  await mustCommit({ type: 'startNode', node, epoch: committer.epoch() })
  await mustCommit(parts.config)
  parts.onConfigured?.(committer.world())
  const recovered = await recoverSteps(committer.world(), parts.pool, committer.commit, newId)
  isRunning = true
  committer.hold()
  runner.wakeAll()
  background.start()
  if (read > LONG_TAIL) void background.saveSnapshot()

  return {
    node,
    recovered,
    world: committer.world,
    commit: committer.commit,
    onDecision: (listener) => added(decisions, listener),
    onEphemeral: (listener) => added(ephemerals, listener),
    sendEphemeral,
    textOf: (step) => runner.textOf(step),
    storeState: committer.state,
    rest() {
      runner.forgetTexts()
      background.rest()
    },
    async stop() {
      background.stopTimers()
      committer.letGo()
      await runner.stop()
      await committer.close()
      await background.stop()
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
    async stop(): Promise<void> {
      snapshots.stop()
      if (committer.state().is !== 'ok') return
      // One that is under way holds an older world.
      await worlds.settled()
      await snapshots.save()
    },
  }
}

/** out: take it out again */
function added<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
