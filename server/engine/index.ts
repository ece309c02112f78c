/**
 * Front door of the engine: builds the committer, the runner and recovery around one journal, starts and stops them.
 */

import type { CommandOf, Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { Ephemeral } from '@/lib/wire/views'
import type { Models } from '../models/model'
import type { RunSkill } from '../skills/port'
import type { Store } from '../store'
import type { ToolPool } from '../tools'
import { createCommitter } from './committer'
import type { Engine } from './port'
import { loadWorld, recoverSteps, saveWorld } from './recovery'
import { createRunner } from './runner'

/** A snapshot is kept after this many entries, so that a restart reads a short tail; not sooner than this after the last. */
const SNAPSHOT_ENTRIES = 5_000
const SNAPSHOT_MS = 60_000

export type EngineParts = {
  store: Pick<Store, 'journal' | 'bodies' | 'snapshots'>
  node: string
  runSkill: RunSkill
  models: Models
  pool: ToolPool
  config: CommandOf<'applyConfig'>
  now: () => number
  clock: () => number
  newId: () => string
  log: { warn(data: object, message: string): void; error(data: object, message: string): void }
  /** The store broke: the process must say so loudly and stop. */
  onBroken: (error: unknown) => void
}

export type RunningEngine = Engine & {
  /** How many steps a gone process had left running. */
  readonly recovered: number
  stop(): Promise<void>
}

/** Load, take the journal, apply the configuration, recover, run. */
export async function openEngine(parts: EngineParts): Promise<RunningEngine> {
  const { store, node, newId, log } = parts
  const decisions = new Set<(entries: Entry[], world: World) => void>()
  const ephemerals = new Set<(note: Ephemeral) => void>()
  let broken: string | null = null
  let isRunning = false
  let unsaved = 0
  let savedAt = parts.clock()

  const sendEphemeral = (note: Ephemeral): void => {
    for (const listener of ephemerals) listener(note)
  }

  const committer = createCommitter({
    journal: store.journal,
    node,
    now: parts.now,
    clock: parts.clock,
    onEntries(entries, world) {
      if (!isRunning) return
      for (const listener of decisions) listener(entries, world)
      runner.onEntries(entries, world)
      unsaved += entries.length
      if (unsaved >= SNAPSHOT_ENTRIES && parts.clock() - savedAt >= SNAPSHOT_MS) void snapshot()
    },
    onBroken(error) {
      broken = error instanceof Error ? error.message : String(error)
      parts.onBroken(error)
    },
    onMistake: (error, envelope) =>
      log.error({ err: error, command: envelope.command.type }, 'a command could not be decided'),
  })

  const runner = createRunner({
    node,
    epoch: committer.epoch,
    world: committer.world,
    commit: (envelope) => committer.commit(envelope),
    runSkill: parts.runSkill,
    models: parts.models,
    pool: parts.pool,
    bodies: store.bodies,
    now: parts.now,
    clock: parts.clock,
    newId,
    onText: sendEphemeral,
    onMistake: (error, what) => log.error({ err: error, what }, 'a step failed by a mistake of ours'),
  })

  async function snapshot(): Promise<void> {
    unsaved = 0
    savedAt = parts.clock()
    try {
      await saveWorld(store.snapshots, committer.world())
      await store.snapshots.prune(parts.now())
    } catch (error) {
      // A snapshot only shortens the next start; the journal has everything.
      log.warn({ err: error }, 'the snapshot could not be kept')
    }
  }

  const mustCommit = async (command: Envelope['command']): Promise<void> => {
    const answer = await committer.commit({ id: newId(), by: 'system:start', command })
    if (!answer.ok) throw answer.fault
  }

  const loaded = await loadWorld(store.snapshots)
  await committer.open(loaded)
  const read = committer.world().seq - loaded.seq
  await mustCommit({ type: 'startNode', node, epoch: committer.epoch() })
  await mustCommit(parts.config)
  const recovered = await recoverSteps(committer.world(), parts.pool, (envelope) => committer.commit(envelope), newId)
  if (read > SNAPSHOT_ENTRIES) await snapshot()
  isRunning = true
  runner.wakeAll()

  return {
    node,
    recovered,
    world: committer.world,
    commit: (envelope) => committer.commit(envelope),
    onDecision(listener) {
      decisions.add(listener)
      return () => decisions.delete(listener)
    },
    onEphemeral(listener) {
      ephemerals.add(listener)
      return () => ephemerals.delete(listener)
    },
    sendEphemeral,
    textOf: (step) => runner.textOf(step),
    broken: () => broken,
    async stop() {
      await runner.stop()
      await committer.close()
      if (broken === null) await snapshot()
    },
  }
}
