/** A model server on a real socket, for tests: it answers as it is told, byte by byte, and says what reached it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { fieldsIn } from '@/lib/json'
import type { TextTurn } from '@/server/models'

export type Asked = { path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }

const partsShape = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .transform((content) => (typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('')))
/** Messages in any format: each has its own words for roles and texts. */
const messageShape = z.looseObject({
  role: z.string().optional(),
  content: partsShape.optional(),
  parts: partsShape.optional(),
})
const questionShape = z.looseObject({
  system: partsShape.optional(),
  systemInstruction: messageShape.optional(),
  messages: z.array(messageShape).optional(),
  contents: z.array(messageShape).optional(),
  input: z.array(messageShape).optional(),
})

/** The texts of a question, in whichever format it came. */
export function askedTurns({ body }: Asked): TextTurn[] {
  const { system, systemInstruction, messages = [], contents = [], input = [] } = questionShape.parse(body)
  const before = system ?? systemInstruction?.parts
  const said = [...messages, ...contents, ...input].map(({ role, content, parts }) => {
    const text = content ?? parts ?? ''
    if (role === 'system' || role === 'developer') return { role: 'system' as const, content: text }
    return {
      role: role === 'assistant' || role === 'model' ? ('assistant' as const) : ('user' as const),
      content: text,
    }
  })
  return [...(before === undefined ? [] : [{ role: 'system' as const, content: before }]), ...said]
}

/** What a question says of the form of its answer, in whichever format it came; undefined: nothing. */
export function askedFormat({ body }: Asked): unknown {
  const { format } = fieldsIn(body.text)
  const { responseJsonSchema } = fieldsIn(body.generationConfig)
  return body.format ?? body.response_format ?? format ?? fieldsIn(body.output_config).format ?? responseJsonSchema
}

const schemaShape = z.looseObject({ properties: z.record(z.string(), z.unknown()) })
/** The schema of a question; null where tags are asked for. */
export function askedSchema(asked: Asked): { properties: Record<string, unknown> } | null {
  const format = fieldsIn(askedFormat(asked))
  const schema = fieldsIn(format.json_schema).schema ?? format.schema ?? format
  return schemaShape.safeParse(schema).data ?? null
}

export type ModelPeer = {
  url: string
  asked: Asked[]
  /** How many answers were left before their end by the other side. */
  left(): number
  /** Resolves at the next answer that is left, or at once when one was. */
  untilLeft(): Promise<void>
  /** Calls that are being answered now, and the most there ever were. */
  now(): number
  most(): number
  close(): Promise<void>
}

export type Answerer = (asked: Asked, response: ServerResponse, number: number) => void | Promise<void>

export async function openModelPeer(answer: Answerer): Promise<ModelPeer> {
  const asked: Asked[] = []
  let left = 0
  let open = 0
  let most = 0
  const waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
      if (response.writableFinished) return
      left += 1
      for (const go of waiting.splice(0)) go()
    })
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>,
    }
    asked.push(one)
    await answer(one, response, asked.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    left: () => left,
    untilLeft: () => (left > 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    now: () => open,
    most: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const json = (value: unknown): string => JSON.stringify(value)

export const openaiText = (text: string): string =>
  `data: ${json({ model: 'peer-1', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`
export const openaiEnd = (finish = 'stop', usage: Record<string, unknown> | null = null): string =>
  [
    `data: ${json({ model: 'peer-1', choices: [{ index: 0, delta: {}, finish_reason: finish }] })}\n\n`,
    usage ? `data: ${json({ model: 'peer-1', choices: [], usage })}\n\n` : '',
    'data: [DONE]\n\n',
  ].join('')
/** One piece of a stream of OpenAI's format. */
export const openaiPiece = (value: unknown): string => `data: ${json(value)}\n\n`
/** A choice with so much of an answer, and its ending if there is one. */
export const openaiChoice = (delta: unknown, finish: unknown = null, more: Record<string, unknown> = {}): string =>
  openaiPiece({ model: 'peer-1', choices: [{ index: 0, delta, finish_reason: finish, ...more }] })
export const ollamaText = (text: string): string =>
  `${json({ model: 'peer-1', message: { role: 'assistant', content: text }, done: false })}\n`
export const ollamaEnd = (reason = 'stop', counts: Record<string, number> = {}): string =>
  `${json({ model: 'peer-1', message: { role: 'assistant', content: '' }, done: true, done_reason: reason, ...counts })}\n`

/** Bytes in pieces of that many: characters, tags and lines are split wherever it falls. */
export function inPieces(response: ServerResponse, text: string, size: number): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size))
}

export const refuse = (
  response: ServerResponse,
  status: number,
  body: unknown = { error: { message: `refused with ${status}` } },
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : json(body))
}
