/** The registry of agents of the envelopeCodec envelope: a peer reads it, or registers an agent of its own. */
import * as z from 'zod/mini'
import type { PeerRecord } from '@/lib/mas/outside/records'
import { parseJson, searchParamsOf, sendJson } from '../http'
import { type Decoded, type PeerCall, receive } from '../receive'
import type { Refusal } from '../refusal'
import type { HttpCall } from '../routes'
import { type RegistryLine, registryOf, uriOfSender } from './callers'
import { envelopeCodec, envelopeRefusal } from './codec'
import type { EnvelopeContext } from './handle'

const Registration = z.looseObject({
  agent_id: z.string().check(z.minLength(1), z.maxLength(512)),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(80))),
  capabilities: z._default(z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(100)), []),
})

type Registration = z.infer<typeof Registration>

function readRegistration(bytes: Buffer): Decoded<Registration> {
  const read = Registration.safeParse(parseJson(bytes))
  if (read.success) return { theirs: null, value: read.data }
  const words = 'agent_id is needed; capabilities is a list of texts.'
  return { theirs: null, refused: envelopeRefusal('invalid_parameters', words) }
}

/** out: answers GET and POST of the registry; a refusal is handed back to be written */
export function openRegistry(context: EnvelopeContext): (call: HttpCall) => Promise<Refusal | null> {
  const isConnected = (uri: string): boolean => context.ways.isConnected('envelope', uri)

  async function answerAgents({ request, response, ...call }: HttpCall): Promise<Refusal | null> {
    const codec = {
      ...envelopeCodec,
      decode: (bytes: Buffer): Decoded<Registration | null> =>
        call.isRead === true ? { theirs: null, value: null } : readRegistration(bytes),
    }
    const wished = searchParamsOf(request).get('capability')
    const rules = {
      async decide(wish: Registration | null, { peer }: PeerCall) {
        if (wish !== null) return { agent: await register(wish, peer) }
        return { agents: registryOf(context, peer, wished, isConnected) }
      },
    }
    const reception = await receive(context, codec, rules, call)
    if ('refused' in reception) return reception.refused
    sendJson(response, call.isRead === true ? 200 : 201, reception.outcome)
    return null
  }

  async function register(
    { agent_id, name, capabilities }: Registration,
    peer: PeerRecord,
  ): Promise<RegistryLine | undefined> {
    const uri = uriOfSender(peer, agent_id)
    if (uri === null) throw envelopeRefusal('forbidden', 'That agent is not of this peer.')
    const command = { type: 'registerOutside' as const, peer: peer.id, uri, name: name ?? null, capabilities }
    const committed = await context.engine.commit({ id: context.newId(), by: 'system:envelope', command })
    if (!committed.ok) throw envelopeRefusal('forbidden', committed.fault.message)
    return registryOf(context, peer, null, isConnected).find((one) => one.uri === uri)
  }

  return answerAgents
}
