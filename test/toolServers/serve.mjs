import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

export const text = (value) => ({ content: [{ type: 'text', text: value }] })

/** Every server has these two: who it is, and an answer that comes at once. */
const COMMON = {
  pid: { annotations: { readOnlyHint: true }, run: () => text(String(process.pid)) },
  echo: {
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: (args) => text(args.text),
  },
}

/**
 * tools: name → {run(args, extra), isHidden?(), description?, inputSchema?, outputSchema?, annotations?}
 * With a page size the list of tools comes in pages of that many.
 */
export function makeServer(tools, { capabilities = {}, pageSize = 1000 } = {}) {
  const all = { ...COMMON, ...tools }
  const server = new Server(
    { name: 'test', version: '1' },
    { capabilities: { tools: { listChanged: true }, ...capabilities } },
  )
  server.setRequestHandler(ListToolsRequestSchema, (request) => {
    const listed = Object.entries(all)
      .filter(([, { isHidden }]) => !isHidden?.())
      .map(([name, { run, isHidden, ...tool }]) => ({ name, inputSchema: { type: 'object' }, ...tool }))
    const start = Number(request.params?.cursor ?? 0)
    const next = start + pageSize
    return { tools: listed.slice(start, next), ...(next < listed.length ? { nextCursor: String(next) } : {}) }
  })
  server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
    all[request.params.name].run(request.params.arguments ?? {}, extra),
  )
  return server
}

export async function serve(tools, options) {
  const server = makeServer(tools, options)
  await server.connect(new StdioServerTransport())
  return server
}
