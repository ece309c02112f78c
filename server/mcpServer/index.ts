/** What the core needs of the MCP server by which programs act for people, and what it gives to it. */
import { extensionPoint } from '../shared/packages'

/** A call of the HTTP API. path: as in `/api/requests?for=me` */
export type ApiCall = { method: 'GET' | 'POST'; path: string; body?: object }
/** status: of HTTP, refusals too */
export type ApiAnswer = { status: number; mime: string; content: Uint8Array }

/**
 * The token that a request showed.
 *
 * id      of the token's session
 * call    the API, as the token's person: with its scopes, limits, and lines in the audit
 */
export type McpCaller = { id: string; person: string; call(call: ApiCall): Promise<ApiAnswer> }

export type McpServerParts = {
  name: () => string
  version: string
  /** Where people open the pages, without a trailing slash. */
  address: () => string
  /** Called after each durable decision, of this node or another. out: stops it */
  onDecision: (listener: () => void) => () => void
  /** Signs what a client holds between a question and its answer: the same at all nodes, and after a restart. */
  stateKey: () => Promise<Uint8Array>
  newId: () => string
  /** The latest time at which a command that is sent now may be done; epoch ms. */
  deadline: () => number
  log: { warn(data: object, message: string): void }
}

/** Rejects with nothing: what goes wrong is in the answer. */
export type McpServer = { answer(request: Request, caller: McpCaller): Promise<Response> }

/** Filled by packages/mcp-server. */
export const MCP_SERVER = extensionPoint<(parts: McpServerParts) => McpServer>('mcp-server')
