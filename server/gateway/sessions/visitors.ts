/** People at the protocol adapters and at the sockets: the same sessions, tokens, Origin and rights as in the console. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { canReadMessage, canReadStep, taskAccessOf } from '@/lib/mas/access/access'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { MessageRecord, StepRecord, World } from '@/lib/mas/records'
import { showedWhoItIs } from '../../net'
import { isOwnOrigin } from '../http/origin'
import { hasScope, tokenIn } from './personalTokens'
import type { Sessions } from './sessions'

/** null: not signed in, a token without the scope "read", no access to the console, or a cross-site request. sightOf: null: nothing of the task may be read */
export async function visitorOf(
  sessions: Pick<Sessions, 'callerOf'>,
  publicUrl: string | null,
  request: IncomingMessage,
) {
  const { origin, host, authorization } = request.headers
  const isToken = tokenIn(request.headers) !== null
  // Another key is that of a peer: no cookie counts beside it.
  if (!isToken && (authorization !== undefined || !isOwnOrigin(origin, host, publicUrl))) return null
  const caller = await sessions.callerOf(request.headers)
  if (caller === null || !hasScope(caller, 'read') || caller.person.access === 'none') return null
  const { person } = caller
  showedWhoItIs(request)
  return {
    person: person.id,
    sightOf(world: World, task: TaskId) {
      const reach = taskAccessOf(world, person, task)
      return (
        reach && {
          message: (message: MessageRecord) => canReadMessage(reach, message),
          step: (step: StepRecord) => canReadStep(reach, step),
        }
      )
    },
  }
}

/** Whose headers open a socket. scopes: of a token; absent: a page in a browser */
export type SocketSession = { person: AgentId; sessionId: string; scopes?: readonly string[] }
export type Credentials = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>

/** null: not signed in, or a token without the scope "read". */
export async function socketSessionOf(
  sessions: Pick<Sessions, 'callerOf'>,
  credentials: Credentials,
): Promise<SocketSession | null> {
  const caller = await sessions.callerOf(credentials)
  if (caller === null || !hasScope(caller, 'read')) return null
  const { person, session } = caller
  return { person: person.id, sessionId: session.id, ...(session.token ? { scopes: session.token.scopes } : {}) }
}
