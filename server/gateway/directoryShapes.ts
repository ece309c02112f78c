/** What the routes of the directory take and answer, as schemas. */
import * as z from 'zod'
import { PEER_VARIABLE, PROTOCOLS, SIGNATURE_FORMS, VERDICTS } from '@/lib/mas/outsideRecords'
import { commandAnswer, commandHead } from './schemas'

const id = z.string().max(200)
const when = z.number().describe('epoch milliseconds')
const json = z.unknown().meta({ description: 'any JSON value' })
const protocol = z.enum(PROTOCOLS)
const who = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['llm', 'human', 'outside', 'system']),
    role: z.string(),
    manager: z.boolean(),
    access: z.enum(['participant', 'operator', 'developer', 'none']),
  })
  .meta({ id: 'Who' })
const task = z.object({ id: z.string(), name: z.string().nullable().describe('null: it left the live world') })

export const listQuery = z.object({
  after: z.string().max(300).optional().describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  peer: id.optional(),
  agent: id.optional(),
  task: id.optional(),
  conversation: id.optional(),
  message: id.optional(),
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

const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), total: z.number().int(), next: z.string().nullable() })

const keyVariable = z.object({ variable: z.string(), isSet: z.boolean() }).nullable()
const peer = z
  .object({
    id: z.string(),
    made: z
      .object({ by: who, sendKey: keyVariable, signingKey: keyVariable, signature: z.enum(SIGNATURE_FORMS) })
      .nullable()
      .describe('by whom in the console; null: the configuration names it'),
    uri: z.string(),
    baseUrl: z.string().nullable(),
    may: z.array(protocol),
    actions: z.array(z.string()),
    agents: z.array(who).describe('ours that it may address'),
    allowPrivate: z.boolean(),
    removed: z.boolean(),
    addedAt: when,
    seenAt: when.nullable(),
    known: z.number().int().describe('its agents that are in the team'),
    open: z.number().int().describe('conversations that go on'),
  })
  .meta({ id: 'Peer' })
const conversation = z
  .object({
    id: z.string(),
    peer: z.string(),
    peerUri: z.string(),
    protocol,
    task,
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
const registered = z
  .object({
    who,
    uri: z.string(),
    peer: z.string(),
    capabilities: z.array(z.string()),
    open: z.number().int(),
    seenAt: when.nullable(),
    addedAt: when,
    removed: z.boolean(),
  })
  .meta({ id: 'Registered' })
const checkpoint = z
  .object({
    id: z.string(),
    agent: who,
    agentName: z.string(),
    peer: z.string().nullable(),
    task: task.nullable(),
    stage: z.string().nullable(),
    stageNumber: z.number().int().nullable(),
    label: z.string(),
    session: z.string().nullable(),
    at: when,
    seq: z.number().int(),
  })
  .meta({ id: 'Checkpoint' })
const unsent = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['noAddress', 'notConnected', 'noWay', 'toBeFetched']) }),
  z.object({ code: z.literal('answered'), status: z.number().int(), says: z.string() }),
  z.object({ code: z.literal('private'), host: z.string() }),
  z.object({ code: z.literal('late'), seconds: z.number() }),
  z.object({ code: z.literal('network'), says: z.string() }),
])
const envelope = z
  .object({
    seq: z.number().int(),
    at: when,
    direction: z.enum(['in', 'out']),
    protocol,
    peer: z.string(),
    peerUri: z.string(),
    conversation: z.string().nullable(),
    task: task.nullable(),
    outsider: who.nullable(),
    message: z.string().nullable(),
    theirs: z.string(),
    verdict: z.string().describe(`${VERDICTS.join(', ')}, or the code with which it was refused`),
    status: z.number().int().nullable(),
    why: z.string().nullable().describe('in the team’s language, or what its sender was told'),
    reason: unsent.nullable().optional().describe('why it did not arrive, of newer lines'),
    by: z.enum(['call', 'callback', 'stream']).nullable(),
    bytes: z.number().int(),
    sha: z.string(),
    isKept: z.boolean(),
  })
  .meta({ id: 'Envelope' })

export const peersPage = pageOf(peer)
export const conversationsPage = pageOf(conversation)
export const registryPage = pageOf(registered)
export const checkpointsPage = pageOf(checkpoint)
export const exchangePage = z.object({
  ...pageOf(envelope).shape,
  refused: z.array(z.object({ protocol, code: z.string(), count: z.number().int() })),
})
export const checkpointDetail = z.object({ checkpoint, metadata: json, artifacts: z.array(z.string()) })
export const artifactPiece = z.object({
  name: z.string(),
  mime: z.string(),
  bytes: z.number().int().describe('of the whole'),
  sha: z.string().describe('SHA-256 of the whole, hex'),
  base64: z.string(),
  next: z.number().int().nullable(),
})
export const envelopeDetail = z.object({ envelope, text: z.string().nullable(), isCut: z.boolean() })

const agentUri = z
  .string()
  .max(512)
  .regex(/^agent:\/\/[^\s/]+(\/\S*)?$/, 'a URI such as agent://example.org/planner')
const variable = z
  .string()
  .regex(PEER_VARIABLE, 'the name of a variable that begins with CONVENE_PEER_, not the key itself')
  .nullable()
const webAddress = z
  .string()
  .max(1000)
  .refine(isWebAddress, 'an address that begins with http:// or https://, without a name or password in it')
  .nullable()

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

export const putPeer = commandHead.extend({
  baseUrl: webAddress,
  may: z.array(protocol).max(PROTOCOLS.length),
  actions: z.array(z.string().min(1).max(200)).max(100),
  agents: z.array(id).max(500),
  allowPrivate: z.boolean(),
  sendKeyEnv: variable,
  signingKeyEnv: variable,
  signature: z
    .enum(SIGNATURE_FORMS)
    .default('v2')
    .describe('v2: with the time of each attempt; v1: over the body alone, as older systems sign'),
})
export const postPeer = putPeer.extend({ uri: agentUri })
export const postPeerTest = commandHead.extend({ uri: agentUri, text: z.string().min(1).max(2_000) })
export const peerKeyAnswer = commandAnswer.extend({
  key: z.string().nullable().describe('here and nowhere else; null: an earlier answer to the same command held it'),
})
