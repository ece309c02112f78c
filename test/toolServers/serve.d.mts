import type { Server } from '@modelcontextprotocol/sdk/server/index.js'

type TestTool = {
  run: (args: Record<string, unknown>, extra: unknown) => unknown
  annotations?: Record<string, boolean>
}

export function text(value: string): { content: { type: 'text'; text: string }[] }
export function makeServer(tools: Record<string, TestTool>): Server
