/** The engine: committer, runner and the duties of the deciding node, on one journal. */
import type { CommandOf } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { FileWatch, OutgoingFiles } from '../files'
import type { Models } from '../models/model'
import type { Nodes } from '../nodes'
import type { Schedule } from '../shared/later'
import { later } from '../shared/later'
import { openListeners } from '../shared/listeners'
import type { RunSkill } from '../skills/port'
import type { Store } from '../store'
import type { ToolPool } from '../tools'
import { createCommitter } from './commands/committer'
import { sayWork } from './dispatch/workers'
import { drain } from './nodes/drain'
import { openEphemerals } from './nodes/ephemerals'
import { openLeading } from './nodes/leading'
import type { CommitMeter, Engine } from './port'
import { openWorldSnapshots } from './snapshots/worldSnapshots'
import { createRunner } from './steps/runner'

/** How often a follower checks whether the team exists, ms. */
const LOOK_MS = 50
export type EngineParts = {
  store: Pick<Store, 'journal' | 'archive' | 'bodies' | 'snapshots' | 'envelopes' | 'state' | 'onState' | 'lease'>
  /** The connections to other nodes, if the store has a lease. */
  nodes?: Nodes
  node: string
  /** Whether this node has the workspace. One without it never decides. Default: true. */
  hasFiles?: boolean
  /** Tool servers that use the workspace: their calls run at nodes that have it. */
  fileServers?: readonly string[]
  runSkill: RunSkill
  models: Models
  pool: ToolPool
  /** Compares the workspace before and after calls that may write. Optional. */
  files?: FileWatch
  /** Reads files of the workspace that steps send. Absent: none are sent. */
  outgoing?: OutgoingFiles
  config: CommandOf<'applyConfig'>
  now: () => number
  clock: () => number
  newId: () => string
  /** Call once after that many ms. out: stop it. Default: a timer that keeps no process alive. */
  schedule?: Schedule
  log: { warn(data: object, message: string): void; error(data: object, message: string): void }
  /** The store is lost: the process must report it and stop. */
  onBroken: (error: unknown) => void
  /** The configuration is applied, and nothing has run yet. */
  onConfigured?: (world: World) => void
  /** Bodies that people's own rows name. Default: none. */
  named?: (world: World, now: number) => Promise<string[]>
  /** An erased task was erased from the store, and the search index emptied. */
  onErased?: () => void
  /** Counts commands and commits. Optional. */
  meter?: CommitMeter
}

export type RunningEngine = Engine & {
  /** The number of running steps that an earlier process left. */
  readonly recovered: number
  /** Load is low: save changes, and drop data from memory that can be read again. */
  rest(): void
  /** With other nodes: let them decide and start no more steps. Resolves when running ones have ended, or after DRAIN_MS. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** Load and read on; then take the journal, apply the configuration, recover and run, or follow the deciding node. */
export async function openEngine(parts: EngineParts): Promise<RunningEngine> {
  const { store, node, newId, log, nodes } = parts
  const decisions = openListeners<[entries: Entry[], world: World]>()
  const leaders = openListeners<[leads: boolean]>()
  const ephemerals = openEphemerals(nodes)
  const schedule = parts.schedule ?? later
  const worlds = openWorldSnapshots(store.snapshots)
  let isOpen = false
  /** The entry of the snapshot with which this process started. */
  let loadedSeq = 0
  /** Becoming the deciding node takes time; one at a time. */
  let turning: Promise<number> = Promise.resolve(0)

  const committer = createCommitter({
    journal: store.journal,
    ...(store.lease && nodes ? { lease: store.lease, nodes } : {}),
    health: store,
    node,
    follows: parts.hasFiles === false,
    now: parts.now,
    clock: parts.clock,
    schedule,
    ...(parts.meter ? { meter: parts.meter } : {}),
    onEntries(entries, world) {
      decisions.tell(entries, world)
      runner.onEntries(entries, world)
      leading.onEntries(entries, world)
      ephemerals.onEntries(world)
    },
    placed: (envelope) => leading.placed(envelope),
    onLead(leads) {
      if (leads) turning = turning.catch(() => 0).then(leading.begin())
      else leading.end()
      turning.catch((error: unknown) => {
        // A failed start is reported elsewhere; a node that no longer decides starts nothing.
        if (isOpen && committer.leads()) parts.onBroken(error)
      })
      leaders.tell(leads)
    },
    onBroken: parts.onBroken,
    onMistake: (error, envelope) =>
      log.error(
        { err: error, command: envelope.id, kind: envelope.command.type, seq: committer.world().seq },
        'a command could not be decided',
      ),
  })

  const onMistake = (error: unknown, what: string): void =>
    log.error({ err: error, what }, 'unexpected error in a step')
  const runner = createRunner({
    ...parts,
    world: committer.world,
    commit: committer.commit,
    bodies: store.bodies,
    takesTurns: nodes !== undefined,
    onNote: ephemerals.send,
    onMistake,
  })
  decisions.on((entries) => entries.some(isErased) && runner.forgetStored())
  const inHand = (isLeaving: boolean): ReadonlySet<string> | null =>
    committer.leads() && !isLeaving ? null : runner.inHand()
  const work = nodes ? sayWork({ nodes, process: newId(), inHand, hasFiles: parts.hasFiles ?? true, schedule }) : null

  const leading = openLeading(parts, { committer, runner, worlds, schedule, onMistake, loadedSeq: () => loadedSeq })

  const loaded = await worlds.load()
  loadedSeq = loaded.seq
  await committer.open(loaded)
  if (!committer.leads()) {
    committer.hold()
    // The first node is still creating the team.
    while (!committer.leads() && isEmpty(committer.world()))
      await new Promise<void>((resolve) => void schedule(resolve, LOOK_MS))
    parts.onConfigured?.(committer.world())
    if (!committer.leads()) runner.start()
    work?.say()
  }
  const recovered = await turning
  isOpen = true
  const unjoin = nodes?.onJoined(() => {
    for (const note of runner.notes()) nodes.tell({ is: 'ephemeral', note })
  })

  return {
    node,
    recovered,
    world: committer.world,
    commit: committer.commit,
    caughtUp: committer.caughtUp,
    leads: committer.leads,
    onLead: leaders.on,
    onDecision: decisions.on,
    onEphemeral: ephemerals.on,
    sendEphemeral: ephemerals.send,
    textOf: (step) => runner.textOf(step) ?? ephemerals.textOf(step),
    doingOf: (step) => runner.doingOf(step) ?? ephemerals.doingOf(step),
    storeState: committer.state,
    rest() {
      runner.forgetTexts()
      leading.rest()
    },
    drain: async () => (nodes && work ? drain({ nodes, work, runner, committer, schedule }) : undefined),
    async stop() {
      unjoin?.()
      work?.stop()
      const keep = leading.stop()
      committer.stopWaiting()
      await runner.stop()
      await committer.close()
      await keep()
    },
  }
}

const isErased = ({ event }: Entry): boolean => event.type === 'task.erased'

const isEmpty = ({ agents }: World): boolean => Object.keys(agents).length === 0

export { DRAIN_MS } from './nodes/drain'
