/** Errors of the MCP client, by what they mean. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'

export const isTimeout = (error: unknown): boolean =>
  error instanceof McpError && error.code === ErrorCode.RequestTimeout

export const isMethodMissing = (error: unknown): boolean =>
  error instanceof McpError && error.code === ErrorCode.MethodNotFound

/** What the server said, without the client's words before it. */
export const saidIn = (error: Error): string => error.message.replace(/^(?:MCP error -?\d+: )+/, '')
