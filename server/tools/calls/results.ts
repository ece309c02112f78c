import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { Annotations, ToolContent, ToolResult } from '../types'

/** Texts of error results pass through `show`; everything else is unchanged. */
export function fromToolResult(result: CallToolResult, show: (text: string) => string): ToolResult {
  const isError = result.isError === true
  const content = result.content.map(fromBlock)
  return {
    isError,
    content: isError
      ? content.map((block) => (block.type === 'text' ? { ...block, text: show(block.text) } : block))
      : content,
    ...(result.structuredContent === undefined ? {} : { structured: result.structuredContent }),
  }
}

/** Contents of a resource, in order. */
export function fromResource(result: ReadResourceResult): ToolResult {
  return { isError: false, content: result.contents.map(fromContents) }
}

/** A prompt's messages as content in order; their roles are in `structured.roles`. */
export function fromPrompt(result: GetPromptResult): ToolResult {
  return {
    isError: false,
    content: result.messages.map((message) => fromBlock(message.content)),
    structured: { description: result.description, roles: result.messages.map((message) => message.role) },
  }
}

/** An error answer instead of a result means the same to an agent as an error result. */
export function errorResult(text: string): ToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

function fromBlock(block: ContentBlock): ToolContent {
  const noted = notes(block)
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...noted }
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType, ...noted }
    case 'resource':
      return { ...fromContents(block.resource), ...noted }
    case 'resource_link': {
      const { uri, name, title, mimeType, description } = block
      return { type: 'resource_link', uri, name, title, mimeType, description, ...sizeOf(block), ...noted }
    }
  }
}

/** Known annotations of a part; the SDK's loose type allows others, which are left out. */
function notes({ annotations }: ContentBlock): { annotations?: Annotations } {
  if (annotations === undefined) return {}
  const { audience, priority, lastModified } = annotations
  const said = {
    ...(audience === undefined ? {} : { audience }),
    ...(priority === undefined ? {} : { priority }),
    ...(lastModified === undefined ? {} : { lastModified }),
  }
  return Object.keys(said).length === 0 ? {} : { annotations: said }
}

const sizeOf = (block: object): { size?: number } =>
  'size' in block && typeof block.size === 'number' ? { size: block.size } : {}

function fromContents(contents: ReadResourceResult['contents'][number]): ToolContent {
  const body = 'text' in contents ? { text: contents.text } : { blob: contents.blob }
  return { type: 'resource', uri: contents.uri, mimeType: contents.mimeType, ...body }
}
