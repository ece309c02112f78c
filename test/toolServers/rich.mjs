/** A server with every kind of content, all shapes of annotations, resources, prompts, pages, and answers that break the rules. */
import {
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { serve, text } from './serve.mjs'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const TOTAL = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }

let hasGrown = false

const server = await serve(
  {
    everything: {
      description: 'Give every kind of content. It is here for tests.',
      run: () => ({
        content: [
          { type: 'text', text: 'a text' },
          { type: 'image', data: PIXEL, mimeType: 'image/png' },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'notes://1', mimeType: 'text/plain', text: 'a note' } },
          { type: 'resource', resource: { uri: 'notes://2', blob: 'AAAA' } },
          { type: 'resource_link', uri: 'notes://3', name: 'third', description: 'a link' },
        ],
      }),
    },
    total: { outputSchema: TOTAL, run: () => ({ content: [], structuredContent: { total: 7 } }) },
    total_wrong: { outputSchema: TOTAL, run: () => ({ content: [], structuredContent: { total: 'seven' } }) },
    total_missing: { outputSchema: TOTAL, run: () => text('7') },
    fails: {
      run: () => ({
        isError: true,
        content: [{ type: 'text', text: `no such thing: ${process.env.HOST_PATH ?? ''}` }],
      }),
    },
    throws: {
      run: () => {
        throw new McpError(-32603, 'the archive is locked')
      },
    },
    refuses: {
      run: () => {
        throw new McpError(-32602, 'the day lies in the future')
      },
    },
    read_only: { annotations: { readOnlyHint: true }, run: () => text('') },
    additive: { annotations: { destructiveHint: false }, run: () => text('') },
    additive_idempotent: { annotations: { destructiveHint: false, idempotentHint: true }, run: () => text('') },
    destructive: { annotations: { readOnlyHint: false, destructiveHint: true }, run: () => text('') },
    broken_schema: {
      inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } }, required: ['a'] },
      run: () => text('ran'),
    },
    grow: {
      run: async () => {
        hasGrown = true
        await server.sendToolListChanged()
        return text('')
      },
    },
    grown: { isHidden: () => !hasGrown, run: () => text('grown') },
  },
  { capabilities: { resources: {}, prompts: {} }, pageSize: 5 },
)

server.setRequestHandler(ListResourcesRequestSchema, () => ({
  resources: [
    {
      uri: 'notes://1',
      name: 'first',
      title: 'First note',
      mimeType: 'text/plain',
      description: 'The first note. It is short.',
    },
  ],
}))
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: 'notes://{day}', name: 'by day', title: 'A day' }],
}))
server.setRequestHandler(ReadResourceRequestSchema, (request) => ({
  contents: [{ uri: request.params.uri, mimeType: 'text/plain', text: `note at ${request.params.uri}` }],
}))
server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: [
    {
      name: 'summarise',
      title: 'Summary',
      description: 'Summarise a note.',
      arguments: [
        { name: 'day', required: true },
        { name: 'words', description: 'at most' },
      ],
    },
  ],
}))
server.setRequestHandler(GetPromptRequestSchema, (request) => ({
  description: 'a summary',
  messages: [
    {
      role: 'user',
      content: { type: 'text', text: `Summarise ${request.params.arguments.day} in ${request.params.arguments.words}` },
    },
    { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
  ],
}))
