/** The directory of other systems: peers, conversations, their agents, checkpoints, the exchange. */
import * as z from 'zod'
import type { ConversationId, MessageId, PeerId, StageId, TaskId } from '../../mas/ids'
import { peerCommands } from '../../mas/outside/commands/schemas'
import { PROTOCOLS } from '../../mas/outside/peerProtocols'
import { VERDICTS } from '../../mas/outside/records'
import { agentUri, peerLimits, peer as peerSetup } from '../../mas/setup/schemas/peer'
import { unsentReason } from '../../mas/setup/schemas/unsent'
import type { Who } from '../rows'
import { access, commandAnswer, commandHead, count, json, typed, when } from './common'

const queryId = z.string().max(200)
const conversationId = typed<ConversationId>()(z.string())
const messageId = typed<MessageId>()(z.string())
const peerId = typed<PeerId>()(z.string())
const stageId = typed<StageId>()(z.string())
const taskId = typed<TaskId>()(z.string())
const protocol = z.enum(PROTOCOLS)
const who = typed<Who>()(
  z
    .object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(['llm', 'human', 'outside', 'system']),
      role: z.string(),
      manager: z.boolean(),
      access,
    })
    .meta({ id: 'Who' }),
)

const taskLink = z.object({ id: taskId, name: z.string().nullable().describe('null: it left the live world') })
export type TaskLink = z.infer<typeof taskLink>

// ---- what a caller asks for ----

/** GET /api/directory/<list> */
export const listQuery = z.object({
  after: z.string().max(300).optional().describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  peer: queryId.optional(),
  agent: queryId.optional(),
  task: queryId.optional(),
  conversation: queryId.optional(),
  message: queryId.optional(),
  trouble: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .describe('only what was refused, failed or is tried again'),
})
export const checkpointParams = z.object({ id: z.string().min(1).max(1000) })
export const artifactParams = z.object({ id: z.string().min(1).max(1000), name: z.string().min(1).max(200) })
export const artifactQuery = z.object({ from: z.coerce.number().int().nonnegative().default(0) })
export const envelopeParams = z.object({ seq: z.coerce.number().int().nonnegative() })

// ---- rows ----

/** A variable of the environment that an operator named, and whether it held anything when the program started. */
const keyVariable = z.object({ variable: z.string(), isSet: z.boolean() })
export type KeyVariable = z.infer<typeof keyVariable>

const peer = z
  .object({
    id: peerId,
    made: z
      .object({
        by: who,
        sendKey: keyVariable.nullable(),
        signingKey: keyVariable.nullable(),
      })
      .nullable()
      .describe('by whom in the console; null: the configuration names it'),
    uri: z.string(),
    baseUrl: z.string().nullable(),
    may: z.array(protocol),
    actions: z.array(z.string()),
    agents: z.array(who).describe('ours that it may address'),
    allowPrivate: z.boolean(),
    limits: peerLimits,
    removed: z.boolean(),
    addedAt: when,
    seenAt: when.nullable(),
    known: count.describe('its agents that are in the team'),
    open: count.describe('conversations that go on'),
  })
  .meta({ id: 'Peer' })
export type PeerShown = z.infer<typeof peer>

const conversation = z
  .object({
    id: conversationId,
    peer: peerId,
    peerUri: z.string(),
    protocol,
    task: taskLink,
    outsider: who,
    uri: z.string(),
    ours: who,
    shared: z.string().nullable().describe('the id that both systems know'),
    openedBy: z.enum(['us', 'them']),
    callback: z.string().nullable(),
    createdAt: when,
    lastMessageAt: when,
    closedAt: when.nullable(),
    closedBecause: z.string().nullable(),
  })
  .meta({ id: 'Conversation' })
export type ConversationShown = z.infer<typeof conversation>

/** An agent of another system. open: its open conversations; seenAt: when it last sent anything, null: never. */
const registered = z
  .object({
    who,
    uri: z.string(),
    peer: peerId,
    capabilities: z.array(z.string()),
    open: count,
    seenAt: when.nullable(),
    addedAt: when,
    removed: z.boolean(),
  })
  .meta({ id: 'Registered' })
export type RegisteredShown = z.infer<typeof registered>

/** stageNumber: which stage of the task it was, from 1; null: none, or its task left the world. */
const checkpoint = z
  .object({
    id: z.string(),
    agent: who,
    agentName: z.string(),
    peer: peerId.nullable(),
    task: taskLink.nullable(),
    stage: stageId.nullable(),
    stageNumber: count.nullable(),
    label: z.string(),
    session: z.string().nullable(),
    at: when,
    seq: count,
  })
  .meta({ id: 'Checkpoint' })
export type CheckpointShown = z.infer<typeof checkpoint>

/** isKept: the envelope itself can be read. */
const envelope = z
  .object({
    seq: count,
    at: when,
    direction: z.enum(['in', 'out']),
    protocol,
    peer: peerId,
    peerUri: z.string(),
    conversation: conversationId.nullable(),
    task: taskLink.nullable(),
    outsider: who.nullable(),
    message: messageId.nullable(),
    theirs: z.string(),
    verdict: z.string().describe(`${VERDICTS.join(', ')}, or the code with which it was refused`),
    status: count.nullable(),
    why: z.string().nullable().describe('in the team’s language, or what its sender was told'),
    reason: unsentReason.nullable().optional().describe('why it did not arrive, of newer lines'),
    by: z.enum(['call', 'callback', 'stream']).nullable(),
    bytes: count,
    sha: z.string(),
    content: z.string().optional().describe('SHA-256 of what its message said, of newer lines'),
    isKept: z.boolean(),
  })
  .meta({ id: 'Envelope' })
export type EnvelopeShown = z.infer<typeof envelope>

// ---- answers ----

const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), total: count, next: z.string().nullable() })
/** One page of a list, what happened last first. next: the cursor of the page after it. */
export type DirectoryPage<Row> = z.infer<ReturnType<typeof pageOf<z.ZodType<Row, Row>>>>

export const peersPage = pageOf(peer)
export const conversationsPage = pageOf(conversation)
export const registryPage = pageOf(registered)
export const checkpointsPage = pageOf(checkpoint)
/** refused: envelopes refused before their sender was known, since the start; they are only counted. */
export const exchangePage = z.object({
  ...pageOf(envelope).shape,
  refused: z.array(z.object({ protocol, code: z.string(), count })),
})
export type ExchangePage = z.infer<typeof exchangePage>

/** GET /api/directory/checkpoints/<id>. metadata null: nothing was said beside the label. */
export const checkpointDetail = z.object({ checkpoint, metadata: json, artifacts: z.array(z.string()) })
export type CheckpointDetail = z.infer<typeof checkpointDetail>

/** A piece of an artifact. next: where the next piece begins; null: this is the last. */
export const artifactPiece = z.object({
  name: z.string(),
  mime: z.string(),
  bytes: count.describe('of the whole'),
  sha: z.string().describe('SHA-256 of the whole, hex'),
  base64: z.string(),
  next: count.nullable(),
})
export type ArtifactPiece = z.infer<typeof artifactPiece>

/** GET /api/directory/exchange/<seq>. text: the envelope as it came, cut when long; null: it was not kept. */
export const envelopeDetail = z.object({ envelope, text: z.string().nullable(), isCut: z.boolean() })
export type EnvelopeDetail = z.infer<typeof envelopeDetail>

// ---- what operators change ----

/** PUT /api/directory/peers/<id>: what it may do, where it is, and the names of the variables of its keys. */
export const putPeer = commandHead.extend(peerSetup.shape)
export type PutPeer = z.input<typeof putPeer>

/** POST /api/directory/peers */
export const postPeer = putPeer.extend({ uri: agentUri })
export type PostPeer = z.input<typeof postPeer>

/** POST /api/directory/peers/<id>/test */
export const postPeerTest = commandHead.extend(peerCommands.testPeer.omit({ peer: true }).shape)

/** key: here and nowhere else; null: an earlier answer to the same command held it. */
export const peerKeyAnswer = commandAnswer.extend({
  key: z.string().nullable().describe('here and nowhere else; null: an earlier answer to the same command held it'),
})
export type PeerKeyAnswer = z.infer<typeof peerKeyAnswer>
