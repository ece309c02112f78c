/** Our agents ask agents of other systems: a message begins a task there, or answers one that asks. */
import { type Message, Role, SendMessageRequest, type Task } from '@a2a-js/sdk'
import { A2AError, isRestError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { outsideIdOf } from '@/lib/mas/outside/outside'
import { PrivateAddressError } from '@/server/net'
import { errorMessage } from '@/server/shared/errors'
import type { AdapterContext, OutgoingMessage, SendResult } from '../adapter'
import { isPassing, saysOf, sendResult } from '../callPeer'
import type { TheirTasks } from './follow'
import { filePart, partsOf } from './parts'
import { theirAgent } from './theirAgents'

/** Never rejects. */
export async function askTheirs(
  context: AdapterContext,
  tasks: TheirTasks,
  sending: OutgoingMessage,
): Promise<SendResult> {
  const { conversation, peer, signal } = sending
  const { baseUrl } = peer
  const by = 'call' as const
  if (baseUrl === null) return sendResult({ by, why: { code: 'noAddress' } })
  let envelope: string | null = null
  try {
    const client = await theirAgent(context, { ...peer, baseUrl }, signal)
    const open = await tasks.openIn(peer.id, conversation.id)
    const ask = async (taskId: string): Promise<Message | Task> => {
      const request = await requestOf(context, sending, taskId)
      envelope = JSON.stringify(SendMessageRequest.toJSON(request))
      return client.sendMessage(request, { signal })
    }
    // Theirs may have ended since: then the message begins the next one.
    const answer = await ask(open ?? '').catch((error: unknown) => {
      if (open !== null && error instanceof UnsupportedOperationError) return ask('')
      throw error
    })
    await tasks.note(sending, answer)
    return sendResult({ verdict: 'delivered', by, status: 200, envelope, shared: answer.contextId || null })
  } catch (error) {
    return sendResult({ by, envelope, ...failureOf(error) })
  }
}

function failureOf(error: unknown): Pick<SendResult, 'verdict' | 'why' | 'status'> {
  if (error instanceof PrivateAddressError)
    return { verdict: 'failed', status: null, why: { code: 'private', host: error.host } }
  const says = errorMessage(error).slice(0, 300)
  if (!(error instanceof A2AError)) return { verdict: 'retry', status: null, why: { code: 'network', says } }
  const status = isRestError(error) ? error.statusCode : 200
  return {
    verdict: isPassing(status) ? 'retry' : 'failed',
    status,
    why: { code: 'answered', status, says: saysOf(error.reason, says) },
  }
}

async function requestOf(
  { engine, bodies }: AdapterContext,
  { message, outgoing, conversation }: OutgoingMessage,
  taskId: string,
): Promise<SendMessageRequest> {
  const files = await Promise.all(message.attachments.map((file) => filePart(bodies, file)))
  return {
    tenant: '',
    metadata: undefined,
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true },
    message: {
      messageId: outsideIdOf(engine.world(), message, outgoing.agent),
      contextId: conversation.shared ?? '',
      taskId,
      role: Role.ROLE_USER,
      parts: [...(message.text === '' && files.length > 0 ? [] : partsOf(message.text)), ...files],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  }
}
