/** Assigns steps to nodes, and recovers the steps of a node that is gone. Used by the deciding node. */
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import { AGENTS_SERVER } from '@/lib/mas/outside/records'
import type { StepRecord, World } from '@/lib/mas/records'
import type { Nodes } from '../../nodes'
import type { Schedule } from '../../shared/later'
import type { ToolPool } from '../../tools'
import type { Committer } from '../commands/committer'
import type { Runner } from '../steps/runner'
import { attemptKey } from './attemptKey'
import { createDispatcher } from './dispatcher'
import { openPlaces } from './places'
import { recoverSteps, selectOrphans } from './recovery'
import { openWorkers } from './workers'

/** Time for nodes to report their running steps after a takeover, ms: as long as the lease. */
const TO_SAY_MS = 3_000

type PlacementParts = {
  node: string
  nodes?: Nodes
  pool: ToolPool
  newId: () => string
  committer: Committer
  runner: Pick<Runner, 'inHand'>
  /** Tool servers that use the workspace. */
  fileServers: ReadonlySet<string>
  schedule: Schedule
  onMistake: (error: unknown, what: string) => void
}

export function openPlacement(parts: PlacementParts) {
  const { node, nodes, committer, newId, schedule, onMistake } = parts
  const { world, commit } = committer
  const places = openPlaces(node)
  const dispatcher = createDispatcher({
    world,
    commit,
    newId,
    places,
    onMistake,
    needsFiles: (step) => needsFiles(step, parts.fileServers),
  })
  let isStarted = false
  let isOver = false
  /** One recovery at a time: each sees the result of the previous ones. */
  let recovering: Promise<unknown> = Promise.resolve()

  function recover(isOrphan: (step: StepRecord, key: string | null) => boolean): Promise<number> {
    const recovered = recovering.then(async () => {
      if (isOver) return 0
      const orphans = selectOrphans(world()).filter((step) => isOrphan(step, keyOf(step)))
      await recoverSteps(orphans, { world, commit, pool: parts.pool, newId })
      return orphans.length
    })
    recovering = recovered.catch((error: unknown) => onMistake(error, 'the recovery of steps'))
    return recovered
  }
  // `recover` reports a failure itself.
  const recoverAt = (away: string, inHand?: ReadonlySet<string>): void =>
    void recover((step, key) => key !== null && step.attempt?.node === away && inHand?.has(key) !== true).catch(
      () => {},
    )

  const workers = nodes
    ? openWorkers({
        nodes,
        schedule,
        onCame(other, inHand, { isLeaving, hasFiles }) {
          if (isLeaving) places.remove(other)
          recoverAt(other, inHand)
          if (!isLeaving) places.add(other, hasFiles)
        },
        onGone(other) {
          places.remove(other)
          recoverAt(other)
        },
      })
    : null
  const isThere = (at: string): boolean => at === node || workers?.has(at) === true
  const stopWaiting = nodes
    ? schedule(
        () => void recover(({ attempt }, key) => key !== null && !isThere(attempt?.node ?? '')).catch(() => {}),
        TO_SAY_MS,
      )
    : () => {}

  return {
    /** Recover steps of those nodes, which are gone, and steps of this node that it does not run. out: how many */
    recover(gone: readonly string[]): Promise<number> {
      const own = parts.runner.inHand()
      // A single node: all other steps have no process.
      const isGone = (at: string): boolean => nodes === undefined || gone.includes(at)
      return recover(({ attempt }, key) => {
        if (key === null) return true
        return attempt?.node === node ? own?.has(key) !== true : isGone(attempt?.node ?? '')
      })
    },
    /** Start the steps of all agents that have work. */
    start(): void {
      isStarted = true
      for (const agent of Object.keys(world().work) as AgentId[]) places.look(agent, world())
      dispatcher.wakeAll()
    },
    onEntries(entries: Entry[], next: World): void {
      if (!isStarted) return
      places.onEntries(entries, next)
      dispatcher.onEntries(entries, next)
    },
    /** The command with the node for the step that it starts. */
    placed(envelope: Envelope): Envelope {
      const { command } = envelope
      if (command.type !== 'finishStep' || command.goOn === null || command.near === undefined) return envelope
      // The outcome decides which step comes next: if the node depends on it, the step starts after that.
      const at = isStarted && !places.differ() ? places.choose(command.near.agent, command.goOn.node) : null
      if (at === command.goOn.node) return envelope
      return { ...envelope, command: { ...command, goOn: at === null ? null : { node: at, epoch: world().epoch } } }
    },
    /** Another node decides. */
    drop(): void {
      isOver = true
      dispatcher.stop()
      workers?.stop()
      stopWaiting()
    },
  }
}

export type Placement = ReturnType<typeof openPlacement>

/** Whether a step uses the workspace: tool calls in it, and messages that may send its files. */
const needsFiles = ({ type, executor }: StepRecord, servers: ReadonlySet<string>): boolean =>
  type === 'tool' ? servers.has(executor) || executor === AGENTS_SERVER : executor === 'send_message'

/** null: not started, or waiting. */
const keyOf = ({ id, state, attempt }: StepRecord): string | null =>
  state === 'running' && attempt ? attemptKey(id, attempt.number) : null
