import { type Client, ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { fieldsIn } from '@/lib/json'
import { isClosed, saidIn } from '../foreign/mcpErrors'
import type { Unread } from '../foreign/unread'
import {
  ANSWER_BROKEN,
  DROPPED_FOR_SIZE,
  LONGEST_CALL_MS,
  LONGEST_TIMER_MS,
  MOST_PROGRESS,
  timeInWords,
} from '../limits'
import { CALLER_KEY } from '../servers/agentsServer'
import { type ServerConnection, SIGN_IN_NEEDED } from '../servers/serverLink'
import { isConnectionFault, isSessionGone, isSignInNeeded } from '../transports/remoteTransport'
import type {
  InputRequired,
  ToolCallOptions,
  ToolFaultCode,
  ToolInfo,
  ToolOutcome,
  ToolProgress,
  ToolResult,
} from '../types'
import { askServer } from './askServer'
import { checkStructured } from './checkArguments'
import { Deadline } from './deadline'
import { inputRequiredIn, repeatParams } from './inputRequired'
import { paramHeaders } from './paramHeaders'
import type { Prepared } from './prepareCall'
import { errorResult, fromPrompt, fromResource, fromToolResult } from './results'

type RunOptions = Pick<ToolCallOptions, 'signal' | 'asks' | 'answers' | 'group' | 'caller' | 'onProgress'> & {
  server: string
  timeLimitMs: number
  /** Upper bound when the call reports progress. */
  longestMs: number | undefined
  /** Rewrites host paths as relative ones. */
  show: (text: string) => string
}

/** The outcome of a call, and its connection: `silent`: time limit, `lost`: it failed, `forgotten`: unknown session. */
type CallEnd = { outcome: ToolOutcome; connection: 'kept' | 'silent' | 'lost' | 'forgotten' }

/** Abort reason of a server's question: its call has ended. */
export const CALL_OVER = new Error('the call is over')

/** Abort reason of a call that reached its time limit. */
const TIME_LIMIT = new Error('the time limit of the call has passed')

/**
 * out     the result; a JSON-RPC error from the server is an error result, since the agent can react to it
 * faults  TOOL_TIME_LIMIT and TOOL_ABORTED (the server is told to stop), TOOL_TOO_LARGE, TOOL_TRANSPORT, TOOL_ARGUMENTS when
 *         the server rejects what our check accepted
 */
export async function runCall(connection: ServerConnection, prepared: Prepared, options: RunOptions): Promise<CallEnd> {
  // The SDK never removes its listener from a signal, and the caller's may live long: each call gets its own.
  const control = new AbortController()
  const deadline = new Deadline({
    limitMs: options.timeLimitMs,
    longestMs: options.longestMs ?? LONGEST_CALL_MS,
    onOver: () => control.abort(TIME_LIMIT),
  })
  const onAbort = () => control.abort(options.signal?.reason)
  if (options.signal?.aborted) onAbort()
  options.signal?.addEventListener('abort', onAbort, { once: true })
  // Ends open questions together with the call.
  const over = new AbortController()
  const call = { asks: options.asks, group: options.group, deadline, signal: over.signal }
  const told: ToolProgress[] = []
  const onProgress = (progress: ToolProgress): void => {
    deadline.touch()
    told.push(progress)
    if (told.length > MOST_PROGRESS) told.shift()
    options.onProgress?.(progress)
  }
  try {
    const result = await connection.calls.during(call, () =>
      send(connection, prepared, { ...options, signal: control.signal, onProgress }),
    )
    if (!('content' in result)) return { outcome: inputNeeded(result, prepared, options), connection: 'kept' }
    const whole = told.length === 0 ? result : { ...result, progress: told }
    return { outcome: { ok: true, result: whole }, connection: 'kept' }
  } catch (error) {
    const lastOutput = connection.child?.lastOutput
    const outcome = outcomeOf(error, control.signal, prepared, { ...options, lastOutput })
    return {
      outcome,
      connection: control.signal.aborted ? afterAbort(control.signal) : afterFault(error, connection.client),
    }
  } finally {
    deadline.end()
    over.abort(CALL_OVER)
    options.signal?.removeEventListener('abort', onAbort)
  }
}

type Sending = Pick<RunOptions, 'show' | 'caller' | 'answers'> & {
  signal: AbortSignal
  onProgress: (progress: ToolProgress) => void
}

async function send(
  { client, isInside }: ServerConnection,
  prepared: Prepared,
  { signal, onProgress, show, caller, answers }: Sending,
): Promise<ToolResult | InputRequired> {
  const request = { signal, timeout: LONGEST_TIMER_MS, onprogress: onProgress }
  const given = answers === undefined ? {} : repeatParams(answers)
  const asked = async (method: 'tools/call' | 'resources/read' | 'prompts/get', params: object, headers = {}) => {
    const answer = await askServer(client, method, { ...params, ...given }, { ...request, headers })
    const input = inputRequiredIn(answer)
    if (typeof input === 'string') throw new SdkError(SdkErrorCode.InvalidResult, input)
    return { answer, input }
  }
  switch (prepared.kind) {
    case 'tool': {
      const { info } = prepared
      // client.callTool would use the schemas of the last page of tools only.
      const toldWho = isInside && caller !== undefined ? { _meta: { [CALLER_KEY]: caller } } : {}
      const params = { name: info.name, arguments: prepared.arguments, ...toldWho }
      const isStateless = client.getProtocolEra() === 'modern'
      const headers = isStateless ? paramHeaders(info.inputSchema, prepared.arguments) : {}
      const { answer, input } = await asked('tools/call', params, headers)
      return input ?? withCheck(fromToolResult(answer, show), info)
    }
    case 'resource': {
      const { answer, input } = await asked('resources/read', { uri: prepared.uri })
      return input ?? fromResource(answer)
    }
    case 'prompt': {
      const { answer, input } = await asked('prompts/get', { name: prepared.name, arguments: prepared.arguments })
      return input ?? fromPrompt(answer)
    }
  }
}

const inputNeeded = (input: InputRequired, prepared: Prepared, { server }: RunOptions): ToolOutcome => ({
  ok: false,
  code: 'TOOL_INPUT_REQUIRED',
  message: `${server} needs input from people before it answers ${nameOf(prepared)}`,
  input,
})

/** A result that its tool announced otherwise is noted, and kept: its texts may be all that the agent needs. */
async function withCheck(result: ToolResult, info: ToolInfo): Promise<ToolResult> {
  // A number that was kept as a text does not fit its schema any more.
  if (result.isError || result.unread?.some(({ why }) => why === 'number')) return result
  const trouble = await troubleOf(info, result.structured)
  return trouble === null ? result : { ...result, unread: [...(result.unread ?? []), trouble] }
}

async function troubleOf(info: ToolInfo, structured: unknown): Promise<Unread | null> {
  if (info.outputSchema === undefined) return null
  const at = 'structuredContent'
  if (structured === undefined) return { why: 'noStructured', at, found: '' }
  const checked = await checkStructured(info, structured)
  return checked.ok ? null : { why: 'unfit', at, found: checked.message }
}

function afterAbort(signal: AbortSignal): CallEnd['connection'] {
  return signal.reason === TIME_LIMIT ? 'silent' : 'kept'
}

function afterFault(error: unknown, client: Client): CallEnd['connection'] {
  if (isSessionGone(error, client)) return 'forgotten'
  if (isSignInNeeded(error)) return 'lost'
  return isConnectionFault(error) ? 'lost' : 'kept'
}

type FaultOptions = RunOptions & { lastOutput: string | undefined }

function outcomeOf(error: unknown, signal: AbortSignal, prepared: Prepared, options: FaultOptions): ToolOutcome {
  const { server } = options
  const name = nameOf(prepared)
  const fault = (code: ToolFaultCode, message: string): ToolOutcome => ({
    ok: false,
    code,
    message: options.show(code === 'TOOL_ARGUMENTS' ? message : message + doubt(prepared)),
  })
  if (signal.aborted) {
    return signal.reason === TIME_LIMIT
      ? fault(
          'TOOL_TIME_LIMIT',
          `${server} did not answer ${name} within ${timeInWords(options.timeLimitMs)}; it was told to stop`,
        )
      : fault('TOOL_ABORTED', `${name} was cancelled${reasonInWords(signal.reason)}`)
  }
  if (isClosed(error)) {
    return fault(
      'TOOL_TRANSPORT',
      `${server} went away during ${name}${options.lastOutput ? `: ${options.lastOutput}` : ''}`,
    )
  }
  if (error instanceof ProtocolError) {
    const said = saidIn(error)
    switch (error.code) {
      case DROPPED_FOR_SIZE:
        return fault('TOOL_TOO_LARGE', `${server} ${said} to ${name}; ask for a smaller part`)
      case ANSWER_BROKEN:
        return fault('TOOL_TRANSPORT', `${server} did not answer ${name}: ${said}`)
      case ProtocolErrorCode.InvalidParams:
        return fault('TOOL_ARGUMENTS', `${name}: ${said}`)
      case ProtocolErrorCode.UrlElicitationRequired:
        return { ok: true, result: errorResult(options.show([said, ...pagesIn(error.data)].join('\n'))) }
      default:
        return { ok: true, result: errorResult(options.show(said)) }
    }
  }
  if (error instanceof SdkError && NOT_MCP.includes(error.code))
    return fault('TOOL_TRANSPORT', `${server} did not answer ${name} as MCP has it: ${error.message}`)
  if (isSignInNeeded(error)) return { ok: false, code: 'TOOL_TRANSPORT', message: `${server}: ${SIGN_IN_NEEDED}` }
  return fault('TOOL_TRANSPORT', `${server} could not be reached for ${name}: ${causeInWords(error)}`)
}

const NOT_MCP: readonly SdkErrorCode[] = [SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType]

/** The pages that a person must open before the call can run. */
function pagesIn(data: unknown): string[] {
  const { elicitations } = fieldsIn(data)
  return (Array.isArray(elicitations) ? elicitations : []).flatMap((one: unknown) => {
    const { url } = fieldsIn(one)
    return typeof url === 'string' ? [url] : []
  })
}

/** The effect of a sent request is unknown, unless the tool is read-only. */
function doubt(prepared: Prepared): string {
  return prepared.kind === 'tool' && !prepared.info.readOnly ? ' (it may have taken effect)' : ''
}

function nameOf(prepared: Prepared): string {
  switch (prepared.kind) {
    case 'tool':
      return prepared.info.name
    case 'resource':
      return prepared.uri
    case 'prompt':
      return prepared.name
  }
}

/** `: by Ana`; the default reason of an AbortController says nothing. */
export function reasonInWords(reason: unknown): string {
  if (typeof reason === 'string') return `: ${reason}`
  return reason instanceof Error && reason.name !== 'AbortError' ? `: ${reason.message}` : ''
}

function causeInWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
