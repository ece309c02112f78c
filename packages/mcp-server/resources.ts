/** Tasks, results and files as resources. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { taskResult, workStatus } from '@/lib/wire/http'
import type { McpCaller } from '@/server/mcpServer'
import { ApiRefused, ask } from './api'
import { readFile } from './tools'

const SCHEME = 'convene'
const JSON_TYPE = 'application/json'
/** Of the records of GET /api/states, what the list shows. */
const taskStates = z.record(z.string(), z.looseObject({ task_id: z.string(), task_name: z.string() }))

export function addMcpResources(server: McpServer, caller: McpCaller): void {
  const list = async () => {
    const found = await ask(caller, { method: 'GET', path: '/api/states?type=task&limit=200' }, taskStates)
    return {
      resources: Object.values(found).map(({ task_id: id, task_name: name }) => ({
        ...{ uri: `${SCHEME}://tasks/${id}`, name, mimeType: JSON_TYPE },
      })),
    }
  }

  server.registerResource(
    'task',
    new ResourceTemplate(`${SCHEME}://tasks/{id}`, { list }),
    { title: 'A task: its state, what is open, the newest messages', mimeType: JSON_TYPE },
    (uri, { id }) =>
      found(uri, async () => {
        const path = `/api/work/${encodeURIComponent(String(id))}`
        return { mimeType: JSON_TYPE, text: JSON.stringify(await ask(caller, { method: 'GET', path }, workStatus)) }
      }),
  )

  server.registerResource(
    'result',
    new ResourceTemplate(`${SCHEME}://results/{id}`, { list: undefined }),
    { title: 'The result of an ended task', mimeType: JSON_TYPE },
    (uri, { id }) =>
      found(uri, async () => {
        const path = `/api/tasks/${encodeURIComponent(String(id))}/result`
        return { mimeType: JSON_TYPE, text: JSON.stringify(await ask(caller, { method: 'GET', path }, taskResult)) }
      }),
  )

  server.registerResource(
    'file',
    new ResourceTemplate(`${SCHEME}://files/{+path}`, { list: undefined }),
    { title: 'A file of the workspace' },
    (uri, { path }) =>
      found(uri, async () => {
        const { content } = await readFile(caller, decodeURIComponent(String(path)))
        const text = textIn(content)
        return text === null
          ? { mimeType: 'application/octet-stream', blob: Buffer.from(content).toString('base64') }
          : { mimeType: 'text/plain', text }
      }),
  )
}

type Content = { mimeType: string } & ({ text: string } | { blob: string })

/** Throws ResourceNotFoundError for what the person may not read, as for what is not there. */
async function found(uri: URL, read: () => Promise<Content>) {
  try {
    return { contents: [{ uri: uri.href, ...(await read()) }] }
  } catch (error) {
    throw error instanceof ApiRefused ? new ResourceNotFoundError(uri.href, error.message) : error
  }
}

/** null: the bytes are no text. */
function textIn(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}
