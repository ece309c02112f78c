/** All records together. */

import type { NoticeRecord, RequestRecord } from '../asks/records'
import type { FileVersion } from '../files/records'
import type {
  AgentId,
  ConversationId,
  MessageId,
  PeerId,
  RequestId,
  ScheduleId,
  StageId,
  TaskId,
  TemplateId,
} from '../ids'
import type { DeliveryRecord, MessageRecord } from '../messages/records'
import type { CheckpointRecord } from '../outside/checkpointRecords'
import type { ConversationRecord, OutgoingRecord, PeerRecord, TakenRecord } from '../outside/records'
import { EMPTY_SETUP, type Setup } from '../setup/setupRecords'
import type { EffectRecord, EvictedLane, OwnSteps } from '../steps/records'
import type { ErasedRecord, InfoLine, KeptRating, StageRecord, TaskRecord } from '../tasks/records'
import type { ScheduleRecord, TemplateRecord } from '../tasks/templateRecords'
import type { AgentRecord, BudgetRecord, Limits, MemoryNote, TeamRecord, WorkRecord } from '../team/records'

/** since: what left up to this entry is not in `rows`; id: one of RECORD_IDS; seq: of the entry with which it left */
export type LeftRecords = { since: number; rows: readonly { id: string; seq: number }[] }

type ByTask<T> = Record<TaskId, T>
type ByAgent<T> = Record<AgentId, T>
type ByPeer<T> = Record<PeerId, T>

export type World = {
  /** The number of the last reduced entry. */
  seq: number
  at: number
  epoch: number
  /** Running nodes, by name. */
  nodes: Record<string, { startedAt: number; epoch: number }>
  team: TeamRecord
  /** The entry that applied it. */
  teamSeq: number
  /** The values of the file and of the page, by kind and id. */
  setup: Setup
  baseTask: TaskId | null
  agents: ByAgent<AgentRecord>
  work: ByAgent<WorkRecord>
  memory: ByAgent<MemoryNote[]>
  notices: ByAgent<NoticeRecord[]>
  tasks: ByTask<TaskRecord>
  /** Everyone who is or was part of the task, and since which entry. */
  involved: ByTask<Record<AgentId, number>>
  stages: ByTask<Record<StageId, StageRecord>>
  steps: ByTask<ByAgent<OwnSteps>>
  messages: ByTask<Record<MessageId, MessageRecord>>
  deliveries: ByTask<ByAgent<Record<MessageId, DeliveryRecord>>>
  requests: ByTask<Record<RequestId, RequestRecord>>
  /** When a person wants to see a message again that asks nothing, epoch ms. */
  reminders: ByTask<ByAgent<Record<MessageId, number>>>
  requestCounts: ByTask<number>
  stepCounts: ByTask<number>
  /** Of steps that have left, by `<stage or ->/<agent>`. */
  evicted: ByTask<Record<string, EvictedLane>>
  info: ByTask<InfoLine[]>
  effects: ByTask<Record<string, EffectRecord>>
  budgets: ByTask<BudgetRecord>
  /** Messages to be sent to other systems, by message and receiver. */
  outbox: ByTask<Record<string, OutgoingRecord>>
  peers: Record<PeerId, PeerRecord>
  conversations: ByPeer<Record<ConversationId, ConversationRecord>>
  /** The newest envelopes that were taken from each peer, oldest first. */
  taken: ByPeer<TakenRecord[]>
  /** The newest checkpoints of each agent, the latest last. */
  checkpoints: ByAgent<CheckpointRecord[]>
  /** The newest versions of files by path, oldest first, for the paths that changed last. */
  files: Record<string, FileVersion[]>
  templates: Record<TemplateId, TemplateRecord>
  schedules: Record<ScheduleId, ScheduleRecord>
  /** The newest ratings of results, by the person who asked for the task, the newest last. */
  ratings: ByAgent<readonly KeptRating[]>
  /** The same by the template of the request. */
  templateRatings: Record<TemplateId, readonly KeptRating[]>
  /** Tasks that operators erased. */
  erased: Record<TaskId, ErasedRecord>
  /** What has left the records of a task, or of an agent, beside them (reduce/leaving). */
  left: Record<TaskId | AgentId, LeftRecords>
  /** US dollars of the latest day with a cost (UTC), by the key of each limit that they count for (selectors/agents/limits). */
  spent: { day: string; costs: Record<string, number> }
}

export const DEFAULT_LIMITS: Limits = { stepsPerPart: 60, reflectionsPerPart: 5, talkInARow: 12 }

export const emptyWorld: World = {
  seq: 0,
  at: 0,
  epoch: 0,
  nodes: {},
  team: {
    name: '',
    language: 'en',
    limits: DEFAULT_LIMITS,
    startable: [],
    toolGuides: {},
    skillGuides: {},
    models: ['default'],
    rehearsal: true,
  },
  teamSeq: 0,
  setup: EMPTY_SETUP,
  baseTask: null,
  agents: {},
  work: {},
  memory: {},
  notices: {},
  tasks: {},
  involved: {},
  stages: {},
  steps: {},
  messages: {},
  deliveries: {},
  requests: {},
  reminders: {},
  requestCounts: {},
  stepCounts: {},
  evicted: {},
  info: {},
  effects: {},
  budgets: {},
  outbox: {},
  peers: {},
  conversations: {},
  taken: {},
  checkpoints: {},
  files: {},
  templates: {},
  schedules: {},
  ratings: {},
  templateRatings: {},
  erased: {},
  left: {},
  spent: { day: '', costs: {} },
}
