/** A tool server as a function: it writes the texts that a test gives, and they are read as those of any server. */
import type { Transport } from '@modelcontextprotocol/client'
import { brokenAnswer, readMessages } from '@/server/tools/transports/messages'
import type { ToolServerConfig } from '@/server/tools/types'

type Asked = { id: number; method: string; params: { cursor?: string; name?: string } }
/** The result of a request; `raw`: the whole text; undefined: method not found; null as `raw`: no answer ever. */
export type RawAnswer = { result: unknown } | { raw: string | null } | undefined

export const WELCOME = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw', version: '1' },
}

/** in: answers `initialize` too, unless it returns undefined for it */
export function rawServer(answer: (asked: Asked) => RawAnswer | Promise<RawAnswer>): ToolServerConfig {
  async function inside(): Promise<Transport> {
    const transport: Transport = {
      start: async () => {},
      close: async () => transport.onclose?.(),
      async send(message) {
        if (!('method' in message) || !('id' in message)) return
        const { id, method } = message
        const asked = { id: Number(id), method, params: { ...message.params } as Asked['params'] }
        const isProbe = method === 'server/discover'
        const given =
          (isProbe ? undefined : await answer(asked)) ?? (method === 'initialize' ? { result: WELCOME } : undefined)
        const head = { jsonrpc: '2.0', id }
        const text =
          given === undefined
            ? JSON.stringify({ ...head, error: { code: -32601, message: 'Method not found' } })
            : 'raw' in given
              ? given.raw
              : JSON.stringify({ ...head, result: given.result })
        for (const read of text === null ? [] : readMessages(text)) {
          if (read.kind === 'message') transport.onmessage?.(read.message)
          else if (read.kind === 'broken') transport.onmessage?.(brokenAnswer(read.id, read.why))
        }
      },
    }
    return transport
  }
  return { name: 'raw', guide: '', confirm: 'never', repeat: [], tools: {}, inside }
}
