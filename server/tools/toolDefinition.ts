/** What a tool is, as one digest: a changed tool is asked about again. */
import { bodyOf } from '@/lib/mas/bodies'
import type { ToolInfo } from './types'

/** The digest of what a server says of a tool: its name, texts, hints and schemas. Another one is another tool to whoever allowed it. */
export const toolDefinition = (info: ToolInfo): string => {
  const { server, name, title, description, inputSchema, outputSchema, readOnly, destructive, idempotent, openWorld } =
    info
  const told = {
    server,
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    readOnly,
    destructive,
    idempotent,
    openWorld,
  }
  return bodyOf(JSON.stringify(told), 'application/json').ref.sha
}
