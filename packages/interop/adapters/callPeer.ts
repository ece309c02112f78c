/** Sends a message to a peer by one HTTP call, and interprets the answer. */
import type { UnsentReason } from '@/lib/mas/outside/records'
import { NoAnswerError, type OutboundAnswer, openOutbound, PrivateAddressError } from '@/server/net'
import { errorMessage } from '@/server/shared/errors'
import type { AdapterContext, OutgoingMessage, SendResult } from './adapter'
import { SIGNATURE_HEADER } from './signatures'

const LIMIT_MS = 20_000
const SAYS_CHARACTERS = 300
/** Statuses after which a repeat may succeed. */
const PASSING: readonly number[] = [408, 425, 429]
/** in: an HTTP status. out: may another try succeed? */
export const isPassing = (status: number): boolean => status >= 500 || PASSING.includes(status)

/** A refusal's code and message in one line. */
export const saysOf = (code: string | undefined, message: string | undefined): string =>
  [code, message].filter(Boolean).join(': ').slice(0, SAYS_CHARACTERS)

/** A send result; by default nothing was sent. */
export const sendResult = (said: Partial<SendResult>): SendResult => ({
  verdict: 'failed',
  by: 'call',
  status: null,
  why: null,
  envelope: null,
  shared: null,
  closes: false,
  retryAfterMs: null,
  ...said,
})

/** Such a message waits for a connection of its agent: until then it is tried rarely. */
const UNREACHED_MS = 3_600_000

/** The result without a way to the agent: wait if it has spoken in the conversation, or its socket just ended (`isLost`). */
export const unreached = (
  { conversation: { openedBy, shared } }: OutgoingMessage,
  isLost: boolean,
  said: Pick<SendResult, 'by' | 'why' | 'envelope'>,
): SendResult =>
  isLost || openedBy === 'them' || shared !== null
    ? sendResult({ ...said, verdict: 'retry', retryAfterMs: UNREACHED_MS })
    : sendResult({ ...said, verdict: 'failed' })

export type PeerRequest = {
  protocol: keyof typeof SIGNATURE_HEADER
  address: string
  body: string
  answerBytes?: number
  /** The code and message of a refusal, if the answer holds them. */
  refusalIn(answer: OutboundAnswer): { code?: string | undefined; message?: string | undefined }
  /** Its socket just ended. */
  isLost: boolean
}

/**
 * Sign and send a request. Our key is sent to the peer's own address only. Never rejects.
 *
 * out  result: delivered, refused or unreached; answer: null: none came; code: of the refusal
 */
export async function callPeer(
  { keys }: Pick<AdapterContext, 'keys'>,
  sending: OutgoingMessage,
  { protocol, address, body, answerBytes, refusalIn, isLost }: PeerRequest,
): Promise<{ result: SendResult; answer: OutboundAnswer | null; code?: string | undefined }> {
  const { peer, signal } = sending
  const isOwn = peer.baseUrl !== null && new URL(address).origin === new URL(peer.baseUrl).origin
  const key = isOwn ? keys.sendKey(peer.id) : null
  const signature = keys.sign(peer.id, body)
  const headers = {
    'Content-Type': 'application/json',
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    ...(signature === null ? {} : { [SIGNATURE_HEADER[protocol]]: signature }),
  }
  try {
    const limits = { limitMs: LIMIT_MS, ...(answerBytes === undefined ? {} : { answerBytes }) }
    const answer = await openOutbound(peer)(address, { body, headers, signal, ...limits })
    const { status } = answer
    if (status >= 200 && status < 300)
      return { result: sendResult({ verdict: 'delivered', status, envelope: body }), answer }
    const { code, message } = refusalIn(answer)
    const refused = { status, envelope: body, why: { code: 'answered' as const, status, says: saysOf(code, message) } }
    const seconds = Number(answer.headers['retry-after'])
    const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : null
    return {
      result: sendResult(isPassing(status) ? { ...refused, verdict: 'retry', retryAfterMs } : refused),
      answer,
      code,
    }
  } catch (error) {
    const why = whyUnreached(error)
    const said = { by: 'call' as const, why, envelope: body }
    // An address that may not be called counts as none: the agent may connect again.
    const result = why.code === 'private' ? unreached(sending, isLost, said) : sendResult({ ...said, verdict: 'retry' })
    return { result, answer: null }
  }
}

function whyUnreached(error: unknown): UnsentReason {
  if (error instanceof PrivateAddressError) return { code: 'private', host: error.host }
  if (error instanceof NoAnswerError) return { code: 'late', seconds: error.seconds }
  return { code: 'network', says: errorMessage(error).slice(0, SAYS_CHARACTERS) }
}
