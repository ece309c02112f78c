/** A server of the stateless revision only. `--ends`: one of an older revision, which ends at a request that it does not know; `--silent`: which never answers one. */
import { inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'
import { serve } from './serve.mjs'

const COLOUR = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }
const said = (text) => ({ content: [{ type: 'text', text }] })
let hasGrown = false

/** All state is in the request: the program may be another one by the time of the answer. */
function make() {
  const server = new McpServer({ name: 'stateless', version: '1' }, { capabilities: { tools: { listChanged: true } } })
  server.registerTool('wishes', {}, (context) =>
    said(JSON.stringify(context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'])),
  )
  server.registerTool('paint', { inputSchema: z.object({ what: z.string() }) }, ({ what }, context) => {
    const { inputResponses, requestState } = context.mcpReq
    const answer = inputResponses?.colour
    if (answer === undefined)
      return inputRequired({
        inputRequests: {
          colour: inputRequired.elicit({ message: `Which colour for the ${what}?`, requestedSchema: COLOUR }),
        },
        requestState: `asked:${what}`,
      })
    return said(`${what} ${answer.action} ${answer.content?.colour ?? '-'} ${requestState()}`)
  })
  server.registerTool('later', {}, (context) =>
    context.mcpReq.requestState() === undefined ? inputRequired({ requestState: 'again' }) : said('came later'),
  )
  server.registerTool('grow', {}, () => {
    hasGrown = true
    grown.enable()
    return said('')
  })
  const grown = server.registerTool('grown', {}, () => said('grown'))
  if (!hasGrown) grown.disable()
  return server
}

if (process.argv.includes('--ends') || process.argv.includes('--silent')) {
  // Before the SDK reads it, each first request is looked at.
  process.stdin.once('data', (data) => {
    if (!String(data).includes('server/discover')) return
    if (process.argv.includes('--ends')) process.exit(3)
  })
  const server = await serve({})
  if (process.argv.includes('--silent')) server.fallbackRequestHandler = () => new Promise(() => {})
} else {
  serveStdio(make, { legacy: 'reject' })
}
