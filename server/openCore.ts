/** The engine, what left its world, and the monitor of both. */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { TaskId } from '@/lib/mas/ids'
import { errorMessage } from '@/server/shared/errors'
import { openEngine } from './engine'
import { openTaskChanges } from './engine/moments/changes'
import { openMoments } from './engine/moments/moments'
import { openPointsKeeping } from './engine/moments/pointsKeeping'
import { openOpenedTasks, withOpened } from './engine/snapshots/opened/openedArchives'
import { openRestoredTasks } from './engine/snapshots/restoredTasks'
import { namedUploads } from './maintenance'
import { openMonitor, tryViews } from './monitor'
import type { Abilities } from './openAbilities'
import type { Base } from './openBase'
import { openListeners } from './shared/listeners'
import { keepHeadOften } from './store'
import { schedule, sleep } from './timers'
import { ensureSameWorkspace } from './workspaceMarker'

export type Core = Awaited<ReturnType<typeof openCore>>

export async function openCore(base: Base, { setup, skills, team, models, pool, files, outgoing }: Abilities) {
  const { config, log, metrics, nodes, stopping, store } = base
  const erasings = openListeners<[]>()
  const engine = await openEngine({
    store,
    node: config.node,
    hasFiles: config.hasFiles,
    fileServers: config.tools.flatMap(({ name, root }) => (root === undefined ? [] : [name])),
    ...(nodes ? { nodes } : {}),
    runSkill: skills,
    models: metrics.models.watch(models),
    pool: metrics.tools.watch(pool),
    files,
    outgoing,
    config: team,
    named: namedUploads(store.people),
    onErased: erasings.tell,
    now: store.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log,
    meter: metrics.commits,
    onConfigured: setup.take,
    onBroken: (error) => base.lose(errorMessage(error)),
  })
  engine.onDecision((_, world) => setup.take(world))
  stopping.add('engine', engine.stop)
  keepHeadOften(config.dataFolder, store, engine.onDecision)
  const sayRole = (leads: boolean): void => {
    if (nodes && leads) log.info({ seq: engine.world().seq }, 'this node decides')
    if (nodes && !leads) log.info({ seq: engine.world().seq }, 'another node decides')
  }
  engine.onLead(sayRole)
  sayRole(engine.leads())
  if (nodes && config.hasFiles)
    await ensureSameWorkspace(
      { workspace: config.workspaceFolder, journal: store.journal.id, leads: engine.leads },
      (ms) => sleep(ms, new AbortController().signal),
    )
  const past = openRestoredTasks({
    archive: store.archive,
    snapshots: store.snapshots,
    isLive: (task) => engine.world().tasks[task] !== undefined,
  })
  const onTrouble = (error: unknown, task: TaskId): void =>
    log.warn({ err: error, task, seq: engine.world().seq }, 'the snapshot of a task could not be kept')
  const moments = openMoments({
    archive: store.archive,
    snapshots: store.snapshots,
    clock: () => performance.now(),
    leads: engine.leads,
    isErased: (task) => engine.world().erased[task] !== undefined,
    onTrouble,
  })
  stopping.add('moments', moments.close)
  const points = openPointsKeeping({ moments, onTrouble })
  const taskChanges = openTaskChanges(store)
  engine.onDecision((entries) => {
    points.onEntries(entries)
    for (const { event } of entries) {
      if (event.type === 'task.erased') {
        moments.forget(event.task)
        taskChanges.forget(event.task)
      }
      if (event.type === 'task.changeBegun' || event.type === 'task.erased') past.forget(event.task)
    }
  })
  const opened = openOpenedTasks({ store, tryViews, now: store.now, newId: randomUUID, log })
  const { journal } = store
  const monitor = openMonitor({
    engine,
    past: withOpened(past, opened),
    moments,
    journal: journal.id,
    run: randomUUID(),
    now: store.now,
    schedule,
  })
  stopping.add('monitor', monitor.close)
  return { engine, past, moments, taskChanges, opened, monitor, onErased: erasings.on }
}
