/** Clients of agents of other systems, by their cards. */
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import type { PeerRecord } from '@/lib/mas/outside/records'
import { openOutbound } from '@/server/net'
import type { AdapterContext } from '../adapter'

const LIMIT_MS = 20_000
const ANSWER_BYTES = 20 * 1024 * 1024
const NO_BODY: readonly number[] = [204, 205, 304]

/** The card is read for each: it may have changed. Rejects with what the card or the network says. */
export function theirAgent(
  { keys }: Pick<AdapterContext, 'keys'>,
  peer: PeerRecord & { baseUrl: string },
  signal: AbortSignal,
): Promise<Client> {
  const outbound = openOutbound(peer)
  const own = new URL(peer.baseUrl).origin
  const fetchImpl: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    // Our key is sent to the peer's own address only, whatever its card says.
    const key = new URL(request.url).origin === own ? keys.sendKey(peer.id) : null
    const { status, headers, bytes } = await outbound(request.url, {
      method: request.method === 'GET' ? 'GET' : 'POST',
      headers: { ...Object.fromEntries(request.headers), ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      ...(request.method === 'GET' ? {} : { body: await request.text() }),
      ...{ limitMs: LIMIT_MS, answerBytes: ANSWER_BYTES, signal },
    })
    const type = headers['content-type']
    return new Response(NO_BODY.includes(status) ? null : Buffer.from(bytes), {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  })
  return factory.createFromUrl(`${peer.baseUrl.replace(/\/+$/, '')}/`)
}
