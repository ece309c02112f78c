/** Stages and their parts. Finished and failed are final. */
import type { AgentId, StageId, TaskId } from '../ids'
import { notOnlyTalk } from '../limits/reduce'
import type { PartState, StageRecord, World } from '../records'
import { changed, changedOr, changedRecord, withKey } from '../reduce/branch'
import type { Reducers } from '../reduce/reducer'
import { isPartOver, isStageOver } from '../statuses'

const changeStage = (world: World, task: TaskId, stage: StageId, change: (old: StageRecord) => StageRecord): World => ({
  ...notOnlyTalk(world, task),
  stages: changed(world.stages, task, (stages) => changedRecord(stages, stage, world.seq, change)),
})

/** An ended part does not change. */
const withPart = (stage: StageRecord, agent: AgentId, state: PartState): StageRecord => {
  const old = stage.parts[agent]
  return old === undefined || isPartOver(old) ? stage : { ...stage, parts: withKey(stage.parts, agent, state) }
}

/** The map with the entry of one agent under the key of another, at the same position. */
const renamed = <Value>(map: Record<AgentId, Value>, from: AgentId, to: AgentId): Record<AgentId, Value> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]))

const needsRenamed = (needs: Record<AgentId, AgentId[]>, from: AgentId, to: AgentId): Record<AgentId, AgentId[]> =>
  Object.fromEntries(
    Object.entries(renamed(needs, from, to)).map(([agent, all]) => [
      agent,
      all.map((one) => (one === from ? to : one)),
    ]),
  )

export const stageReducers = {
  'stage.added': (world, { type: _, v: __, stage: id, after, ...fields }, { at }) => {
    const stage: StageRecord = {
      ...fields,
      id,
      state: 'init',
      partReasons: {},
      summaries: {},
      replacedBy: null,
      reason: null,
      judging: false,
      parts: Object.fromEntries(Object.keys(fields.allocation).map((agent) => [agent, 'idle' as const])),
      createdAt: at,
      startedAt: null,
      endedAt: null,
      changedAt: world.seq,
    }
    return {
      ...world,
      stages: changedOr(world.stages, stage.task, {}, (stages) => withKey(stages, id, stage)),
      tasks: changedRecord(world.tasks, stage.task, world.seq, (task) => {
        const place = after === null ? -1 : task.stageOrder.indexOf(after)
        const at = place < 0 ? task.stageOrder.length : place + 1
        const order = task.stageOrder.filter((one) => one !== id)
        return { ...task, stageOrder: [...order.slice(0, at), id, ...order.slice(at)] }
      }),
    }
  },
  'stage.renamed': (world, { task, stage, name, intention }) =>
    changeStage(world, task, stage, ({ name: _, ...old }) => ({
      ...old,
      ...(name === undefined ? {} : { name }),
      intention,
    })),
  'stage.started': (world, { task, stage }, { at }) =>
    changeStage(world, task, stage, (old) =>
      old.state === 'init' ? { ...old, state: 'running', startedAt: at } : old,
    ),
  'stage.agentStateChanged': (world, { task, stage, agent, state, reason }) =>
    changeStage(world, task, stage, (old) => {
      const next = withPart(old, agent, state)
      return next === old || reason === null ? next : { ...next, partReasons: withKey(next.partReasons, agent, reason) }
    }),
  'stage.completionSubmitted': (world, { task, stage, agent, summary }) =>
    changeStage(world, task, stage, (old) => {
      const next = withPart(old, agent, 'finished')
      return next === old ? old : { ...next, summaries: withKey(next.summaries, agent, summary) }
    }),
  'stage.partHanded': (world, { task, stage, agent, to }) =>
    changeStage(world, task, stage, (old) => {
      const state = old.parts[agent]
      if (state === undefined || isPartOver(state) || old.parts[to] !== undefined) return old
      return {
        ...old,
        allocation: renamed(old.allocation, agent, to),
        parts: renamed(old.parts, agent, to),
        ...(old.needs === undefined ? {} : { needs: needsRenamed(old.needs, agent, to) }),
      }
    }),
  'stage.judging': (world, { task, stage }) => changeStage(world, task, stage, (old) => ({ ...old, judging: true })),
  'stage.finished': (world, { task, stage, state, reason, replacedBy }, { at }) =>
    changeStage(world, task, stage, (old) =>
      isStageOver(old) ? old : { ...old, state, endedAt: at, reason, replacedBy },
    ),
} satisfies Reducers
