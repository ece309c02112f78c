import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  ErrorCode,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  McpError,
  PaginatedResultSchema,
  type Prompt,
  type Tool,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { takingTurns } from '@/server/shared/pieces'
import type { PromptInfo, ResourceInfo, ServerDescription, ToolInfo, ToolLog, ToolServerConfig } from '../types'

/** A list with more pages is cut off, as it may be endless. */
const MOST_PAGES = 100
/** Characters of a server's instructions: agents see them, and they cost tokens. */
const LONGEST_INSTRUCTIONS = 4_000

/**
 * Read the complete offer of a server: its capabilities, then the lists that it announces.
 *
 * faults  those of the client. A list that is announced but not implemented (method not found) is empty
 * why     the SDK's listTools forgets the output schemas of all pages but the last, and fails when one of them does not
 *         compile
 */
export async function describeServer(
  client: Client,
  config: ToolServerConfig,
  options: { log: ToolLog; timeLimitMs: number },
): Promise<ServerDescription> {
  const capabilities = client.getServerCapabilities() ?? {}
  const list = <Schema extends z.ZodType<{ nextCursor?: string | undefined }>, Item>(
    isOffered: boolean,
    method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list',
    schema: Schema,
    itemsOf: (page: z.infer<Schema>) => Item[] | Promise<Item[]>,
  ): Promise<Item[]> => {
    const ask = (params: { cursor?: string }) =>
      client.request({ method, params }, schema, { timeout: options.timeLimitMs })
    return isOffered ? allPages(ask, itemsOf) : Promise.resolve([])
  }
  const hasResources = capabilities.resources !== undefined
  const [tools, resources, templates, prompts] = await Promise.all([
    list(capabilities.tools !== undefined, 'tools/list', ToolsPage, toolsOf),
    list(hasResources, 'resources/list', ListResourcesResultSchema, (page) => page.resources),
    list(hasResources, 'resources/templates/list', ListResourceTemplatesResultSchema, (page) =>
      page.resourceTemplates.map(({ uriTemplate, ...template }) => ({ ...template, uri: uriTemplate })),
    ),
    list(capabilities.prompts !== undefined, 'prompts/list', ListPromptsResultSchema, (page) => page.prompts),
  ])
  const described = {
    server: config.name,
    guide: config.guide,
    capabilities: Object.keys(capabilities),
    ...instructionsOf(client),
    tools: tools.map((tool) => toolInfo(tool, config)),
    resources: [...resources, ...templates].map(
      ({ uri, name, title, mimeType, description }): ResourceInfo => ({ uri, name, title, mimeType, description }),
    ),
    prompts: prompts.map(promptInfo),
  }
  const unknown = [...Object.keys(config.tools), ...config.repeat].filter(
    (name) => !tools.some((tool) => tool.name === name),
  )
  if (unknown.length > 0)
    options.log.warn({ server: config.name, tools: unknown }, 'configured tools that the server does not have')
  return described
}

/** A tool with the configured rules. `confirm`: a person is asked first; default: unless it is read-only or non-destructive. */
export function toolInfo(tool: Tool, config: ToolServerConfig): ToolInfo {
  const hints = tool.annotations ?? {}
  const readOnly = hints.readOnlyHint === true
  const destructive = !readOnly && hints.destructiveHint !== false
  const idempotent = hints.idempotentHint === true
  const rule = config.tools[tool.name]?.confirm ?? config.confirm
  return {
    server: config.name,
    name: tool.name,
    title: tool.title ?? hints.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    required: tool.inputSchema.required ?? [],
    readOnly,
    destructive,
    idempotent,
    openWorld: hints.openWorldHint !== false,
    confirm: rule === 'always' || (rule === 'risky' && destructive),
    alwaysConfirms: rule === 'always',
    confirmByHand: rule === 'always' || (rule === 'risky' && !readOnly),
    repeatable: readOnly || idempotent || config.repeat.includes(tool.name),
  }
}

function instructionsOf(client: Client): { instructions?: string } {
  const text = client.getInstructions()?.trim() ?? ''
  if (text === '') return {}
  return { instructions: text.length > LONGEST_INSTRUCTIONS ? `${text.slice(0, LONGEST_INSTRUCTIONS)}…` : text }
}

function promptInfo(prompt: Prompt): PromptInfo {
  return {
    name: prompt.name,
    title: prompt.title,
    description: prompt.description,
    arguments: (prompt.arguments ?? []).map(({ name, required, description }) => ({
      name,
      required: required === true,
      description,
    })),
  }
}

/** Tools of a page are validated one by one: a schema for 20,000 of them takes 0.25 s. */
const ToolsPage = PaginatedResultSchema.extend({ tools: z.array(z.unknown()) })

async function toolsOf({ tools }: z.infer<typeof ToolsPage>): Promise<Tool[]> {
  const turn = takingTurns()
  const read: Tool[] = []
  for (const [at, tool] of tools.entries()) {
    const { data, error } = ToolSchema.safeParse(tool)
    if (error) throw new z.ZodRealError(error.issues.map((issue) => ({ ...issue, path: ['tools', at, ...issue.path] })))
    read.push(data)
    await turn()
  }
  return read
}

async function allPages<Page extends { nextCursor?: string | undefined }, Item>(
  ask: (params: { cursor?: string }) => Promise<Page>,
  itemsOf: (page: Page) => Item[] | Promise<Item[]>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    try {
      const answer = await ask(cursor === undefined ? {} : { cursor })
      for (const item of await itemsOf(answer)) items.push(item)
      if (answer.nextCursor === undefined || answer.nextCursor === cursor) return items
      cursor = answer.nextCursor
    } catch (error) {
      if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return items
      throw error
    }
  }
  return items
}
