/** GET /map/content: one artifact of a checkpoint over HTTP, for clients that take no chunks on the socket. */
import type { ServerResponse } from 'node:http'
import type { PeerRecord } from '@/lib/mas/outside/records'
import { sha256 } from '@/server/shared/sha256'
import type { AdapterContext } from '../adapter'
import { searchParamsOf } from '../http'
import { type Codec, type PeerCall, receive } from '../receive'
import { HTTP_CODES, HTTP_STATUSES, type Refusal, type RefusalTable, refuser } from '../refusal'
import { answerRoutes, type HttpCall } from '../routes'
import { artifactsOf, findVisible, textOf } from './checkpoints'

export const CONTENT_PATH = '/map/content'

/** It holds no key: as for every call, the key is in `Authorization`. */
export const contentUrl = (address: string, checkpoint: string, artifact: string): string =>
  `${address}${CONTENT_PATH}?${new URLSearchParams({ checkpoint, artifact })}`

const refuse = refuser(HTTP_STATUSES)
const CONTENT: { protocol: 'map'; refusals: RefusalTable } = {
  protocol: 'map',
  refusals: { codes: HTTP_CODES, statuses: HTTP_STATUSES },
}

/** out: answers requests to CONTENT_PATH */
export function openContent(context: AdapterContext, isEnabled: () => boolean): ReturnType<typeof answerRoutes> {
  async function give(query: URLSearchParams, peer: PeerRecord, response: ServerResponse): Promise<void> {
    const record = isEnabled() ? findVisible(context.engine.world(), peer, query.get('checkpoint') ?? '') : null
    const artifact = record === null ? undefined : artifactsOf(context, record).get(query.get('artifact') ?? '')
    if (artifact === undefined) throw refuse('not_found', 'There is no such artifact.')
    const value = await artifact()
    const bytes = Buffer.from(textOf(value))
    response.writeHead(200, {
      'Content-Type': `${typeof value === 'string' ? 'text/plain' : 'application/json'}; charset=utf-8`,
      'Content-Length': String(bytes.length),
      // The hash that the last chunk of the stream holds too.
      ETag: `"${sha256(bytes)}"`,
      'Content-Disposition': 'attachment',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    })
    response.end(bytes)
  }

  async function answer(http: HttpCall): Promise<Refusal | null> {
    const codec: Codec<URLSearchParams> = {
      ...CONTENT,
      decode: () => ({ theirs: null, value: searchParamsOf(http.request) }),
    }
    const rules = { decide: (query: URLSearchParams, { peer }: PeerCall) => give(query, peer, http.response) }
    const reception = await receive(context, codec, rules, http)
    return 'refused' in reception ? reception.refused : null
  }

  return answerRoutes(context, { ...CONTENT, routes: [{ path: CONTENT_PATH, method: 'GET', answer }] })
}
