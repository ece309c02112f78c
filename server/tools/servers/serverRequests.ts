/** Requests of servers to us: questions to a person, sampling by the agent's model, roots. */
import { pathToFileURL } from 'node:url'
import {
  type Client,
  type ClientCapabilities,
  type CreateMessageResult,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
  type SamplingMessage,
} from '@modelcontextprotocol/client'
import { formContent } from '../calls/inputRequired'
import type { RunningCall, RunningCalls } from '../calls/openCalls'
import type { SamplingRequest, ServerQuestion, ToolLog, ToolServerConfig } from '../types'

/** The capabilities for servers of older revisions: the stateless one has deprecated sampling and roots. Roots only for a server with a configured folder. */
export function capabilitiesFor(config: ToolServerConfig): ClientCapabilities {
  return {
    elicitation: { form: { applyDefaults: true }, url: {} },
    ...(config.sampling === 'never' ? {} : { sampling: {} }),
    ...(config.root === undefined ? {} : { roots: {} }),
  }
}

/** Answers the server's requests; without a running call they are cancelled. Throws for an invalid form. */
export function answerServer(client: Client, config: ToolServerConfig, calls: RunningCalls, log: ToolLog): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }): Promise<ElicitResult> => {
    const question: ServerQuestion =
      params.mode === 'url'
        ? { mode: 'url', message: params.message, url: params.url }
        : { mode: 'form', message: params.message, schema: params.requestedSchema }
    const call = calls.asking()
    if (!call?.asks) {
      log.warn({ server: config.name, reason: reasonFor(call) }, 'a question of a tool server was cancelled')
      return { action: 'cancel' }
    }
    const { asks } = call
    const answer = await onBehalf(call, signal, (both) => asks.question(question, both))
    // Form fields are validated before they are stored; the SDK adds the schema's defaults.
    return answer.action === 'accept' && question.mode === 'form'
      ? { action: 'accept', content: formContent(answer.content ?? {}) }
      : { action: answer.action }
  })

  if (config.sampling !== 'never') {
    client.setRequestHandler(
      'sampling/createMessage',
      async ({ params }, { mcpReq: { signal } }): Promise<CreateMessageResult> => {
        const call = calls.asking()
        if (!call?.asks) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, reasonFor(call))
        const { asks } = call
        const wish: SamplingRequest = {
          system: params.systemPrompt ?? null,
          messages: params.messages.map((message) => ({ role: message.role, text: textOf(message.content) })),
          maxTokens: params.maxTokens,
          asksFirst: config.sampling !== 'always',
        }
        const answer = await onBehalf(call, signal, (both) => asks.sample(wish, both))
        // -1: MCP's code for a rejection by the user.
        if (!answer.ok) throw new ProtocolError(-1, answer.reason)
        return {
          role: 'assistant',
          content: { type: 'text', text: answer.text },
          model: answer.model,
          stopReason: answer.stop,
        }
      },
    )
  }

  const { root } = config
  if (root !== undefined) {
    client.setRequestHandler('roots/list', () => ({
      roots: [{ uri: pathToFileURL(root).href, name: 'workspace' }],
    }))
  }

  client.setNotificationHandler('notifications/message', ({ params }) => {
    log.debug({ server: config.name, level: params.level, data: params.data }, 'tool server said')
  })
}

/** Stops the call's clock while a person or a model is asked; ends with the question or with the call. */
async function onBehalf<T>(
  call: RunningCall,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const resume = call.deadline.pause()
  try {
    return await ask(AbortSignal.any([signal, call.signal]))
  } finally {
    resume()
  }
}

const reasonFor = (call: RunningCall | null): string =>
  call === null
    ? 'a tool server asked something, and it cannot be told which of its calls that belongs to'
    : 'a tool server asked something during a call that answers no questions'

function textOf(content: SamplingMessage['content']): string {
  return [content]
    .flat()
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text
        case 'image':
        case 'audio':
          return `[${part.type} ${part.mimeType}, not shown]`
        case 'tool_use':
          return `[call of ${part.name}]`
        case 'tool_result':
          return '[result of a call]'
        default:
          return part satisfies never
      }
    })
    .join('\n\n')
}
