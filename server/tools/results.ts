/** Owns: what the SDK hands back, in the words of this folder. Used by: runCall.ts. */
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { ToolContent, ToolResult } from './types'

/** The texts of an error result pass through `show`; all else is kept to the letter. */
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

export function fromResource(result: ReadResourceResult): ToolResult {
  return { isError: false, content: result.contents.map(fromContents) }
}

/** A prompt's messages become content in their order; who speaks in each is in `structured.roles`. */
export function fromPrompt(result: GetPromptResult): ToolResult {
  return {
    isError: false,
    content: result.messages.map((message) => fromBlock(message.content)),
    structured: { description: result.description, roles: result.messages.map((message) => message.role) },
  }
}

/** The server answered with an error instead of a result: for the agent that is the same news as an error result. */
export function errorResult(text: string): ToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

function fromBlock(block: ContentBlock): ToolContent {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType }
    case 'resource':
      return fromContents(block.resource)
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: block.uri,
        name: block.name,
        mimeType: block.mimeType,
        description: block.description,
      }
  }
}

function fromContents(contents: ReadResourceResult['contents'][number]): ToolContent {
  const body = 'text' in contents ? { text: contents.text } : { blob: contents.blob }
  return { type: 'resource', uri: contents.uri, mimeType: contents.mimeType, ...body }
}
