/** The directory of other systems: rows made from the world and the log of envelopes, and pages of them. */
import type * as z from 'zod'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import { peerLimitsOf } from '@/lib/mas/outside/peerLimits'
import type {
  ConversationRecord,
  EnvelopeRecord,
  OutsideIdentity,
  PeerMade,
  PeerRecord,
  TakenRecord,
  Verdict,
} from '@/lib/mas/outside/records'
import type { AgentRecord, World } from '@/lib/mas/records'
import { selectStagePlace } from '@/lib/mas/stages/plan'
import type {
  CheckpointShown,
  ConversationShown,
  DirectoryPage,
  EnvelopeShown,
  PeerShown,
  RegisteredShown,
  TaskLink,
} from '@/lib/wire'
import type { listQuery } from '@/lib/wire/http'
import { whoOf } from '@/lib/wire/who'
import type { Envelopes } from '@/server/store'

/** Filters of a list, all of which must match, and its page. */
type DirectoryQuery = z.output<typeof listQuery>

/** A record and its sort key; keys compare as text, the greatest first. */
type Keyed<Found> = { key: string; found: Found }
const moment = (at: number | null): string => String(at ?? 0).padStart(16, '0')

/** One page; only its own rows are made. after: the key of the last row of the page before. */
function pageOf<Found, Shown>(
  all: Keyed<Found>[],
  { after, limit }: Pick<DirectoryQuery, 'after' | 'limit'>,
  show: (found: Found) => Shown,
): DirectoryPage<Shown> {
  const ordered = all.sort((a, b) => (a.key < b.key ? 1 : -1))
  const from = after === undefined ? 0 : ordered.findIndex(({ key }) => key < after)
  const page = from < 0 ? [] : ordered.slice(from, from + limit)
  const last = page.at(-1)
  const isMore = last !== undefined && from + page.length < ordered.length
  return { rows: page.map(({ found }) => show(found)), total: ordered.length, next: isMore ? last.key : null }
}

const taskLink = (world: World, id: TaskId): TaskLink => ({ id, name: world.tasks[id]?.name ?? null })
const peersOf = (world: World): PeerRecord[] => Object.values(world.peers)
const conversationsOf = (world: World): ConversationRecord[] =>
  Object.values(world.conversations).flatMap((all) => Object.values<ConversationRecord>(all))
type Outsider = AgentRecord & { outside: OutsideIdentity }
const outsidersOf = (world: World): Outsider[] =>
  Object.values<AgentRecord>(world.agents).filter((agent): agent is Outsider => agent.outside !== undefined)
const fits = (wanted: string | undefined, value: string | null): boolean => wanted === undefined || wanted === value

/** Keys as the page may see them: the names of their variables, and whether they are set. */
const madeShown = (world: World, made: PeerMade, isSet: IsSet): PeerShown['made'] => {
  const { by, sendKeyEnv, signingKeyEnv } = made
  const variable = (name: string | null) => (name === null ? null : { variable: name, isSet: isSet(name) })
  return { by: whoOf(world, by), sendKey: variable(sendKeyEnv), signingKey: variable(signingKeyEnv) }
}
/** Does the environment hold the variable of that name? */
type IsSet = (variable: string) => boolean

/** Removed peers come last. */
export function listPeers(world: World, query: DirectoryQuery, isSet: IsSet): DirectoryPage<PeerShown> {
  const open = conversationsOf(world).filter(({ closedAt }) => closedAt === null)
  const outsiders = outsidersOf(world)
  const keyed = peersOf(world)
    .filter(({ id }) => fits(query.peer, id))
    .map((found) => ({ key: `${found.removed ? 0 : 1}:${moment(found.seenAt)}:${found.id}`, found }))
  return pageOf(keyed, query, ({ agents, made, spent: _, ...peer }) => ({
    ...peer,
    limits: peerLimitsOf(peer),
    made: made === undefined ? null : madeShown(world, made, isSet),
    agents: agents.map((agent) => whoOf(world, agent)),
    known: outsiders.filter(({ outside }) => outside.peer === peer.id).length,
    open: open.filter((one) => one.peer === peer.id).length,
  }))
}

/** A page of conversations with other systems, the one with the newest message first. */
export function listConversations(world: World, query: DirectoryQuery): DirectoryPage<ConversationShown> {
  const keyed = conversationsOf(world)
    .filter((one) => fits(query.peer, one.peer) && fits(query.agent, one.agent) && fits(query.task, one.task))
    .map((found) => ({ key: `${moment(found.lastMessageAt)}:${found.id}`, found }))
  return pageOf(keyed, query, ({ task, agent, ours, ...conversation }) => ({
    ...conversation,
    peerUri: world.peers[conversation.peer]?.uri ?? '',
    task: taskLink(world, task),
    outsider: whoOf(world, agent),
    uri: world.agents[agent]?.outside?.uri ?? '',
    ours: whoOf(world, ours),
  }))
}

/** When an outside agent last sent anything that was taken: a message, a checkpoint. */
function lastSeen(world: World): (agent: AgentId) => number | null {
  const newest = new Map<AgentId, number>()
  const see = (agent: AgentId | null, at: number): void => {
    if (agent !== null) newest.set(agent, Math.max(at, newest.get(agent) ?? 0))
  }
  for (const all of Object.values<TakenRecord[]>(world.taken)) for (const { outsider, at } of all) see(outsider, at)
  for (const all of Object.values<CheckpointRecord[]>(world.checkpoints)) {
    for (const { peer, agent, at } of all) if (peer !== null) see(agent, at)
  }
  return (agent) => newest.get(agent) ?? null
}

/** A page of agents of other systems that are in the team. */
export function listRegistry(world: World, query: DirectoryQuery): DirectoryPage<RegisteredShown> {
  const seenAt = lastSeen(world)
  const open = conversationsOf(world).filter(({ closedAt }) => closedAt === null)
  const keyed = outsidersOf(world)
    .filter(({ outside }) => fits(query.peer, outside.peer))
    .map((found) => ({ key: `${found.removed ? 0 : 1}:${moment(seenAt(found.id))}:${found.id}`, found }))
  return pageOf(keyed, query, ({ id, outside, createdAt, removed }) => ({
    who: whoOf(world, id),
    uri: outside.uri,
    peer: outside.peer,
    capabilities: outside.capabilities ?? [],
    open: open.filter(({ agent }) => agent === id).length,
    seenAt: seenAt(id),
    addedAt: createdAt,
    removed,
  }))
}

/** in: world: names the agent, the task and the number of the stage, as far as it still holds them */
export function checkpointShown(world: World, record: CheckpointRecord): CheckpointShown {
  const { agent, task, metadata: _, milestone, ...checkpoint } = record
  const number = task === null ? 0 : selectStagePlace(world, task, record.stage).number
  return {
    ...checkpoint,
    // Another system's agent may give none; it is then called by its id.
    label: record.label === '' ? record.id : record.label,
    agent: whoOf(world, agent),
    task: task === null ? null : taskLink(world, task),
    stageNumber: number === 0 || milestone ? null : number,
  }
}

/** A page of checkpoints of all agents. */
export function listCheckpoints(world: World, query: DirectoryQuery): DirectoryPage<CheckpointShown> {
  const keyed = Object.values(world.checkpoints)
    .flatMap((all: CheckpointRecord[]) => all)
    .filter((one) => fits(query.peer, one.peer) && fits(query.agent, one.agent) && fits(query.task, one.task))
    .map((found) => ({ key: `${moment(found.at)}:${moment(found.seq)}`, found }))
  return pageOf(keyed, query, (found) => checkpointShown(world, found))
}

/** Verdicts of envelopes that succeeded; the filter `trouble` shows the others. */
const WELL = ['taken', 'repeat', 'answered', 'in_progress', 'delivered'] as const satisfies readonly Verdict[]

export function envelopeShown(world: World, record: EnvelopeRecord): EnvelopeShown {
  const { id: _, number, outsider, task, body, ...envelope } = record
  return {
    ...envelope,
    seq: number,
    peerUri: world.peers[record.peer]?.uri ?? '',
    outsider: outsider === null ? null : whoOf(world, outsider),
    task: task === null ? null : taskLink(world, task),
    isKept: body !== null,
  }
}

/** A page of envelopes, in and out, with their verdicts. after: the number of the last one of the page before */
export async function listExchange(
  world: World,
  envelopes: Pick<Envelopes, 'page'>,
  { after, limit, peer, agent, task, conversation, message, trouble }: DirectoryQuery,
): Promise<DirectoryPage<EnvelopeShown>> {
  const named = { peer, outsider: agent, task, conversation, message }
  const filter = { ...definedOf(named), ...(trouble ? { verdictsLeft: WELL } : {}) }
  // What is no number of a row has none before it.
  const before = after === undefined ? {} : { before: /^\d{1,15}$/.test(after) ? Number(after) : 0 }
  const found = await envelopes.page(filter, { limit: limit + 1, ...before })
  const page = found.envelopes.slice(0, limit)
  const next = found.envelopes.length > limit ? (page.at(-1)?.number ?? null) : null
  return {
    rows: page.map((one) => envelopeShown(world, one)),
    total: found.total,
    next: next === null ? null : String(next),
  }
}

const definedOf = <Key extends string>(record: Record<Key, string | undefined>): Partial<Record<Key, string>> => {
  const given: Partial<Record<Key, string>> = {}
  for (const key in record) if (record[key] !== undefined) given[key] = record[key]
  return given
}
