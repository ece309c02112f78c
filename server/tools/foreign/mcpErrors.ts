/** Errors of the MCP client, by what they mean. */
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { fieldsIn, jsonValueOf } from '@/lib/json'

export const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout

export const isClosed = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed

/** The stateless revision says it by 404 too, with the JSON-RPC error as its body. */
export const isMethodMissing = (error: unknown): boolean =>
  error instanceof SdkHttpError
    ? error.status === 404 && fieldsIn(fieldsIn(jsonValueOf(String(error.data.text))).error).code === METHOD_MISSING
    : error instanceof ProtocolError && error.code === METHOD_MISSING

const METHOD_MISSING: number = ProtocolErrorCode.MethodNotFound

/** What the server said, without the words that a client or a server put before it. */
export const saidIn = (error: Error): string => error.message.replace(/^(?:MCP error -?\d+: )+/, '')
