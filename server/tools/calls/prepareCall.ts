import { unreadInWords } from '../foreign/unread'
import type { PromptInfo, ServerDescription, ToolCall, ToolFault, ToolInfo } from '../types'
import { checkArguments } from './checkArguments'
import { nearestNames } from './nearestNames'

/** Faults of a list that a refusal names. */
const MOST_LOST = 3

export type Prepared =
  | { kind: 'tool'; info: ToolInfo; arguments: Record<string, unknown> }
  | { kind: 'resource'; uri: string }
  | { kind: 'prompt'; name: string; arguments: Record<string, string> }

/** Validates a call against a server's offer. Throws TOOL_UNKNOWN with the nearest names, TOOL_ARGUMENTS with reasons. */
export async function prepareCall(description: ServerDescription, call: ToolCall): Promise<Preparing> {
  switch (call.kind) {
    case 'tool':
      return prepareTool(description, call)
    case 'resource':
      return prepareResource(description, call)
    case 'prompt':
      return preparePrompt(description, call)
  }
}

type Preparing = { ok: true; prepared: Prepared } | ToolFault

async function prepareTool(description: ServerDescription, call: ToolCall): Promise<Preparing> {
  const info = description.tools.find((tool) => tool.name === call.name)
  if (!info) return unknownName(description, call)
  const checked = await checkArguments(info, call.arguments)
  if (!checked.ok) return { ok: false, code: 'TOOL_ARGUMENTS', message: checked.message }
  return { ok: true, prepared: { kind: 'tool', info, arguments: call.arguments } }
}

function prepareResource(description: ServerDescription, call: ToolCall): Preparing {
  const asked = call.arguments.uri
  const listed = description.resources.find((resource) => resource.name === call.name || resource.uri === call.name)
  // An unlisted uri may match a template of the server, so the server decides.
  const uri =
    typeof asked === 'string' && asked !== '' ? asked : (listed?.uri ?? (isUri(call.name) ? call.name : undefined))
  if (uri === undefined) return unknownName(description, call)
  const open = /\{[^}]*\}/.exec(uri)
  if (open) return { ok: false, code: 'TOOL_ARGUMENTS', message: `uri: fill in ${open[0]} of ${uri}` }
  return { ok: true, prepared: { kind: 'resource', uri } }
}

function preparePrompt(description: ServerDescription, call: ToolCall): Preparing {
  const prompt = description.prompts.find((one) => one.name === call.name)
  if (!prompt) return unknownName(description, call)
  const reasons = promptReasons(prompt, call.arguments)
  if (reasons.length > 0) return { ok: false, code: 'TOOL_ARGUMENTS', message: `${prompt.name}: ${reasons.join('; ')}` }
  // MCP passes prompt arguments as strings.
  const texts = Object.entries(call.arguments).map(([name, value]) => [name, String(value)])
  return { ok: true, prepared: { kind: 'prompt', name: prompt.name, arguments: Object.fromEntries(texts) } }
}

function promptReasons(prompt: PromptInfo, args: Record<string, unknown>): string[] {
  const missing = prompt.arguments
    .filter((arg) => arg.required && !(arg.name in args))
    .map((arg) => `${arg.name} is missing`)
  const notText = Object.entries(args)
    .filter(([, value]) => !['string', 'number', 'boolean'].includes(typeof value))
    .map(([name]) => `${name} must be a text`)
  return [...missing, ...notText]
}

function unknownName(description: ServerDescription, { kind, name }: ToolCall): ToolFault {
  const { server, tools, resources, prompts, unread } = description
  const offered = {
    tool: tools.map((tool) => tool.name),
    resource: resources.flatMap((resource) => [resource.name, resource.uri]),
    prompt: prompts.map((prompt) => prompt.name),
  }
  const nearest = nearestNames(name, offered[kind])
  // It may be among what could not be read.
  const lost = unread.filter(({ at }) => at.startsWith(`${kind}s`)).map((one) => unreadInWords('en', one))
  const known = nearest.length === 0 ? `it has no ${kind}s` : `nearest: ${nearest.join(', ')}`
  const message = `${server} has no ${kind} "${name}" (${[known, ...lost.slice(0, MOST_LOST)].join('; ')})`
  return { ok: false, code: 'TOOL_UNKNOWN', message }
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text)
}
