/** RecordTypes as rows of a view, and the part of the world that a page builds from them. */
import type { AgentId, TaskId } from '../mas/ids'
import {
  type AgentRecord,
  type DeliveryRecord,
  emptyWorld,
  type InfoLine,
  type MemoryNote,
  type MessageRecord,
  type RequestRecord,
  type StageRecord,
  type StepRecord,
  type TaskRecord,
  type TeamRecord,
  type WorkRecord,
  type World,
} from '../mas/records'
import { RECORD_IDS } from '../mas/records/recordIds'
import type { AnyRow, Row, RowId } from './rows'

export type RecordTypes = {
  team: TeamRecord
  task: TaskRecord
  stage: StageRecord
  agent: AgentRecord
  work: WorkRecord & { agent: AgentId }
  note: { agent: AgentId; note: MemoryNote }
  step: StepRecord
  message: MessageRecord
  delivery: DeliveryRecord
  request: RequestRecord
  line: { task: TaskId; line: InfoLine }
}
export type RecordName = keyof RecordTypes
export type RecordRowOf<Of extends RecordName> = Row & { kind: 'record'; of: Of; record: RecordTypes[Of] }
export type RecordRow = { [Of in RecordName]: RecordRowOf<Of> }[RecordName]

const ID_OF: { [Of in RecordName]: (record: RecordTypes[Of]) => RowId } = {
  team: RECORD_IDS.team,
  task: ({ id }) => RECORD_IDS.task(id),
  stage: ({ id }) => RECORD_IDS.stage(id),
  agent: ({ id }) => RECORD_IDS.agent(id),
  work: ({ agent }) => RECORD_IDS.work(agent),
  note: ({ agent, note }) => RECORD_IDS.note(agent, note.key),
  step: ({ id }) => RECORD_IDS.step(id),
  message: ({ id }) => RECORD_IDS.message(id),
  delivery: ({ message, receiver }) => RECORD_IDS.delivery(message, receiver),
  request: ({ id }) => RECORD_IDS.request(id),
  line: ({ task, line }) => RECORD_IDS.line(task, line.seq),
}

/** The rows of a view of records have no order of their own. */
export const recordRow = <Of extends RecordName>(of: Of, record: RecordTypes[Of]): RecordRowOf<Of> => ({
  id: recordId(of, record),
  sort: '',
  kind: 'record',
  of,
  record,
})
/** Is it a record, and no row that was made for a screen? */
export const isRecordRow = (row: AnyRow): row is RecordRow => row.kind === 'record'
/** The id of its row. */
export const recordId = <Of extends RecordName>(of: Of, record: RecordTypes[Of]): RowId => ID_OF[of](record)

/** A world that is being changed: maps are copied once, then changed in place. */
function createDraft(before: World) {
  const world = { ...before }
  const copied = new Set<unknown>([world])
  return {
    world,
    /** The map under that key, to be changed. */
    map<Of extends object, Key extends keyof Of>(of: Of, key: Key, empty: Of[Key]): Of[Key] {
      const held = of[key] ?? empty
      if (copied.has(held)) return held
      const copy = { ...held }
      copied.add(copy)
      of[key] = copy
      return copy
    },
  }
}
type Draft = ReturnType<typeof createDraft>

/** Lists by the number of the entry, oldest first. */
const withItem = <Item extends { seq: number }>(list: readonly Item[], item: Item): Item[] =>
  (list.at(-1)?.seq ?? -1) < item.seq
    ? [...list, item]
    : [...list.filter(({ seq }) => seq !== item.seq), item].sort((a, b) => a.seq - b.seq)
const withoutItem = <Item extends { seq: number }>(list: readonly Item[], { seq }: Item): Item[] =>
  list.filter((one) => one.seq !== seq)

type Place<Held> = { put: (draft: Draft, record: Held) => void; remove: (draft: Draft, record: Held) => void }

const messagePlace: Place<MessageRecord> = {
  put: ({ world, map }, message) => {
    map(map(world, 'messages', {}), message.task, {})[message.id] = message
  },
  remove: ({ world, map }, { task, id }) => {
    delete map(map(world, 'messages', {}), task, {})[id]
  },
}

const PLACES: { [Of in RecordName]: Place<RecordTypes[Of]> } = {
  team: {
    put: ({ world }, team) => {
      world.team = team
    },
    remove: ({ world }) => {
      world.team = emptyWorld.team
    },
  },
  task: {
    put: ({ world, map }, task) => {
      map(world, 'tasks', {})[task.id] = task
      if (task.base) world.baseTask = task.id
    },
    remove: ({ world, map }, { id }) => {
      delete map(world, 'tasks', {})[id]
    },
  },
  stage: {
    put: ({ world, map }, stage) => {
      map(map(world, 'stages', {}), stage.task, {})[stage.id] = stage
    },
    remove: ({ world, map }, { task, id }) => {
      delete map(map(world, 'stages', {}), task, {})[id]
    },
  },
  agent: {
    put: ({ world, map }, agent) => {
      map(world, 'agents', {})[agent.id] = agent
    },
    remove: ({ world, map }, { id }) => {
      delete map(world, 'agents', {})[id]
    },
  },
  work: {
    put: ({ world, map }, { agent, ...work }) => {
      map(world, 'work', {})[agent] = work
    },
    remove: ({ world, map }, { agent }) => {
      delete map(world, 'work', {})[agent]
    },
  },
  note: {
    put: ({ world, map }, { agent, note }) => {
      const all = map(world, 'memory', {})
      all[agent] = withItem(all[agent] ?? [], note)
    },
    remove: ({ world, map }, { agent, note }) => {
      const all = map(world, 'memory', {})
      all[agent] = withoutItem(all[agent] ?? [], note)
    },
  },
  step: {
    put: ({ world, map }, step) => {
      map(map(map(world, 'steps', {}), step.task, {}), step.agent, {})[step.id] = step
    },
    remove: ({ world, map }, { task, agent, id }) => {
      delete map(map(map(world, 'steps', {}), task, {}), agent, {})[id]
    },
  },
  message: messagePlace,
  delivery: {
    put: ({ world, map }, delivery) => {
      map(map(map(world, 'deliveries', {}), delivery.task, {}), delivery.receiver, {})[delivery.message] = delivery
    },
    remove: ({ world, map }, { task, receiver, message }) => {
      delete map(map(map(world, 'deliveries', {}), task, {}), receiver, {})[message]
    },
  },
  request: {
    put: ({ world, map }, request) => {
      map(map(world, 'requests', {}), request.task, {})[request.id] = request
    },
    remove: ({ world, map }, { task, id }) => {
      delete map(map(world, 'requests', {}), task, {})[id]
    },
  },
  line: {
    put: ({ world, map }, { task, line }) => {
      const all = map(world, 'info', {})
      all[task] = withItem(all[task] ?? [], line)
    },
    remove: ({ world, map }, { task, line }) => {
      const all = map(world, 'info', {})
      all[task] = withoutItem(all[task] ?? [], line)
    },
  },
}

function put<Of extends RecordName>(draft: Draft, { of, record }: RecordRowOf<Of>): void {
  const place: Place<RecordTypes[Of]> = PLACES[of]
  place.put(draft, record)
}
function remove<Of extends RecordName>(draft: Draft, { of, record }: RecordRowOf<Of>): void {
  const place: Place<RecordTypes[Of]> = PLACES[of]
  place.remove(draft, record)
}

/**
 * The world with these records put in and those removed; branches without any of them keep their identity.
 *
 * in      set: new or changed; gone: as they were put in
 */
export function withRecords(world: World, set: readonly RecordRow[], gone: readonly RecordRow[]): World {
  if (set.length === 0 && gone.length === 0) return world
  const draft = createDraft(world)
  for (const row of gone) remove(draft, row)
  for (const row of set) put(draft, row)
  return draft.world
}
