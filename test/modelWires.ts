/**
 * Answers as a server of each provider writes them, from the pages of the vendors:
 * https://developers.openai.com/api/reference/resources/responses/streaming-events (openai),
 * https://developers.openai.com/api/reference/resources/chat (openai-compatible),
 * https://platform.claude.com/docs/en/build-with-claude/streaming (anthropic),
 * https://ai.google.dev/api/generate-content (google), https://docs.ollama.com/api/chat (ollama).
 */
import { SERVER_PROVIDERS, type ServerProvider } from '@/lib/mas/setup/providers'
import { ollamaEnd, ollamaText, openaiChoice, openaiEnd, openaiText } from './modelPeer'

/** Of the words for an ending that all providers have. */
export type EndWord = 'stop' | 'length' | 'filter' | 'calls'

/** id: of the call. args: JSON as the model writes it */
export type WrittenCall = { id: string; name: string; args: string }

export type Written = {
  provider: ServerProvider
  /** Of the question, after the base. */
  path: string
  base: string
  /** Beginning of the stream, if it has one: the other parts also stand without it. */
  text: (text: string) => string
  reasoning: (text: string) => string
  /** Reasoning that must come back, where the provider has such. */
  signed: ((text: string) => string) | null
  call: (call: WrittenCall, at?: number) => string
  refusal: ((text: string) => string) | null
  end: (word?: EndWord) => string
  /** An ending with counts: 100 tokens of the prompt, 60 of them cached where the provider counts that; 20 of the answer. */
  counted: () => string
  /** A report in the middle of the stream. */
  error: (message: string) => string
  /** What the ending says from its first byte on. */
  endMark: string
  /** A piece that breaks off, and something else than an answer. */
  broken: string
  page: string
  /** The body of a refusal with a status. */
  refused: (message: string) => unknown
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const event = (type: string, fields: object = {}): string => `event: ${type}\n${data({ type, ...fields })}`

const openaiRefused = (message: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
})

const chat: Written = {
  provider: 'openai-compatible',
  path: '/chat/completions',
  base: '/v1',
  text: openaiText,
  reasoning: (text) => openaiChoice({ reasoning_content: text }),
  signed: null,
  // Name and arguments come in pieces.
  call: ({ id, name, args }, at = 0) =>
    openaiChoice({ tool_calls: [{ index: at, id, type: 'function', function: { name, arguments: '' } }] }) +
    [args.slice(0, 3), args.slice(3)]
      .map((piece) => openaiChoice({ tool_calls: [{ index: at, function: { arguments: piece } }] }))
      .join(''),
  refusal: (text) => openaiChoice({ refusal: text }),
  end: (word = 'stop') =>
    openaiEnd({ stop: 'stop', length: 'length', filter: 'content_filter', calls: 'tool_calls' }[word]),
  counted: () =>
    openaiEnd('stop', { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } }),
  error: (message) => data({ error: { message } }),
  endMark: '"finish_reason":"stop"',
  broken: 'data: {"choices": [\n\n',
  page: 'data: <html>\n\n',
  refused: openaiRefused,
}

const item = (item: object, at = 0) => ({ output_index: at, item })
const responses: Written = {
  provider: 'openai',
  path: '/responses',
  base: '/v1',
  text: (text) =>
    event('response.created', { response: { id: 'r1', created_at: 1, model: 'peer-1' } }) +
    event('response.output_item.added', item({ type: 'message', id: 'm1' })) +
    event('response.output_text.delta', { item_id: 'm1', delta: text }) +
    event('response.output_item.done', item({ type: 'message', id: 'm1' })),
  reasoning: (text) => reasoningItem(text, null),
  signed: (text) => reasoningItem(text, 'ENCRYPTED'),
  call: ({ id, name, args }) => {
    const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name }
    return (
      event('response.output_item.added', item({ ...call, arguments: '' }, 1)) +
      event('response.function_call_arguments.delta', { item_id: call.id, output_index: 1, delta: args }) +
      event('response.output_item.done', item({ ...call, arguments: args, status: 'completed' }, 1))
    )
  },
  refusal: (text) => event('response.refusal.delta', { item_id: 'm1', delta: text }),
  end: (word = 'stop') => responsesEnd(word, null),
  counted: () =>
    responsesEnd('stop', {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 8 },
    }),
  error: (message) => event('error', { code: 'server_error', message, param: null }),
  endMark: '"type":"response.completed"',
  broken: 'data: {"type": "response.output\n\n',
  page: 'data: <html>\n\n',
  refused: openaiRefused,
}

function reasoningItem(text: string, encrypted: string | null): string {
  const of = { type: 'reasoning', id: 'rs_1', summary: [] }
  return (
    event('response.output_item.added', item({ ...of, encrypted_content: null })) +
    event('response.reasoning_summary_text.delta', { item_id: of.id, summary_index: 0, delta: text }) +
    event('response.output_item.done', item({ ...of, encrypted_content: encrypted }))
  )
}

function responsesEnd(word: EndWord, usage: object | null): string {
  const reason = { stop: null, calls: null, length: 'max_output_tokens', filter: 'content_filter' }[word]
  const type = reason === null ? 'response.completed' : 'response.incomplete'
  const response = { id: 'r1', model: 'peer-1', incomplete_details: reason === null ? null : { reason }, usage }
  return event(type, { response })
}

const started = event('message_start', {
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'peer-1',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  },
})
const block = (begin: object, ...deltas: object[]): string =>
  started +
  event('content_block_start', { index: 0, content_block: begin }) +
  deltas.map((delta) => event('content_block_delta', { index: 0, delta })).join('') +
  event('content_block_stop', { index: 0 })

const anthropic: Written = {
  provider: 'anthropic',
  path: '/messages',
  base: '/v1',
  text: (text) => block({ type: 'text', text: '' }, { type: 'text_delta', text }),
  reasoning: (text) => block({ type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: text }),
  signed: (text) =>
    block(
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: text },
      { type: 'signature_delta', signature: 'SIGNED' },
    ),
  call: ({ id, name, args }) =>
    block(
      { type: 'tool_use', id, name, input: {} },
      { type: 'input_json_delta', partial_json: args.slice(0, 3) },
      { type: 'input_json_delta', partial_json: args.slice(3) },
    ),
  refusal: null,
  end: (word = 'stop') => anthropicEnd(word, { output_tokens: 0 }),
  counted: () => {
    const usage = { input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10, output_tokens: 20 }
    return anthropicEnd('stop', usage)
  },
  error: (message) => event('error', { error: { type: 'overloaded_error', message } }),
  endMark: '"stop_reason":"end_turn"',
  broken: 'event: content_block_delta\ndata: {"type": "content_block\n\n',
  page: 'data: <html>\n\n',
  refused: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' }),
}

function anthropicEnd(word: EndWord, usage: object): string {
  const reason = { stop: 'end_turn', length: 'max_tokens', filter: 'refusal', calls: 'tool_use' }[word]
  const delta = { stop_reason: reason, stop_sequence: null }
  return event('message_delta', { delta, usage }) + event('message_stop')
}

const parts = (part: object, more: object = {}, usage: object = {}): string =>
  data({
    candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...more }],
    modelVersion: 'peer-1',
    ...usage,
  })
const googleEnd = (word: EndWord, usage: object = {}): string => {
  const finishReason = { stop: 'STOP', calls: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }[word]
  return data({ candidates: [{ finishReason, index: 0 }], modelVersion: 'peer-1', ...usage })
}

const google: Written = {
  provider: 'google',
  path: '/models/peer:streamGenerateContent?alt=sse',
  base: '/v1beta',
  text: (text) => parts({ text }),
  reasoning: (text) => parts({ text, thought: true }),
  signed: (text) => parts({ text, thought: true, thoughtSignature: 'SIGNED' }),
  // The arguments are a value: their numbers are written as the model wrote them.
  call: ({ id, name, args }) =>
    parts({ functionCall: { id, name, args: 'ARGS' }, thoughtSignature: 'SIGNED-CALL' }).replace('"ARGS"', () => args),
  refusal: null,
  end: (word = 'stop') => googleEnd(word),
  counted: () => {
    const usage = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 12,
      thoughtsTokenCount: 8,
    }
    return googleEnd('stop', { usageMetadata: { ...usage, totalTokenCount: 120 } })
  },
  error: (message) => data({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
  endMark: '"finishReason":"STOP"',
  broken: 'data: {"candidates": [\n\n',
  page: 'data: <html>\n\n',
  refused: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
}

const ollama: Written = {
  provider: 'ollama',
  path: '/api/chat',
  base: '',
  text: ollamaText,
  reasoning: (text) => line({ message: { role: 'assistant', content: '', thinking: text }, done: false }),
  signed: null,
  call: ({ name, args }) =>
    line({
      model: 'peer-1',
      message: { role: 'assistant', content: '', tool_calls: [{ function: { name, arguments: 'ARGS' } }] },
      done: false,
    }).replace('"ARGS"', () => args),
  refusal: null,
  end: (word = 'stop') => ollamaEnd(word === 'length' ? 'length' : word === 'filter' ? 'content_filter' : 'stop'),
  counted: () => ollamaEnd('stop', { prompt_eval_count: 100, eval_count: 20 }),
  error: (message) => line({ error: message }),
  endMark: '"done":true',
  broken: '{"message": {"cont\n',
  page: '<html>Welcome</html>\n',
  refused: (message) => ({ error: message }),
}

const WRITTEN: Readonly<Record<ServerProvider, Written>> = {
  openai: responses,
  'openai-compatible': chat,
  anthropic,
  google,
  ollama,
}
export const writtenBy = (provider: ServerProvider): Written => WRITTEN[provider]
export const FORMATS: readonly Written[] = SERVER_PROVIDERS.map(writtenBy)
