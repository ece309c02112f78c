/**
 * A way to speak to a server by the package of its provider: the package writes the request and reads the pieces of the answer. Between
 * it and the network is our own `fetch`, which is given no key: what a server reports, its endings, its limits of time and what it
 * sends in other shapes are read there, as for every server.
 */
import type {
  LanguageModelV3,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { asJson, fieldsIn, isJsonObject, type JsonObject, jsonValueOf } from '@/lib/json'
import { errorMessage } from '@/server/shared/errors'
import type { FunctionTool } from '../model'
import { ModelError, type ProviderPart } from '../model'
import { cleanSentence, type Ending } from '../response'
import { promptOf, toolsOf } from './prompt'
import type { Piece, Question, Send, StreamFrame, Wire } from './wire'

/** One piece as the package gets it, and what it does not carry over. */
export type Taken = {
  /**
   * Only what the package needs: it refuses the whole piece for one odd field. A whole answer is several pieces. null: the package
   * does not get it.
   */
  pass: Record<string, unknown> | readonly Record<string, unknown>[] | null
  frame?: Omit<StreamFrame, 'ending'>
  ending?: Ending | null
  /** Text behind an ending shows that it was none. */
  hasText?: boolean
}

export interface PackageFormat extends Pick<Wire, 'headers' | 'isPiece' | 'list'> {
  /**
   * The package is loaded with the first call: a start does not wait for it.
   *
   * in      our fetch, and the address that the package may build its path upon
   */
  open(question: Question, of: { baseURL: string; fetch: typeof globalThis.fetch }): Promise<LanguageModelV3>
  options(question: Question): SharedV3ProviderOptions
  /** What the package has no option for; null: nothing. */
  rewrite?(question: Question): ((body: Record<string, unknown>) => Record<string, unknown>) | null
  /** out: reads the pieces of one answer in their order */
  reader(): (piece: Piece) => Taken
  takesText: boolean
  cached?: SharedV3ProviderOptions
  /** `rewrite` writes the schemas of functions: the package, which does not take all of them, sees none. */
  writesSchemas?: true
  /** Reasoning goes back with calls although nothing of it is signed. */
  wantsReasoning?: true
}

/** Only the path that a package appends to it is used. */
const NOWHERE = 'http://model.invalid'

export function byPackage(format: PackageFormat): Wire {
  return {
    headers: format.headers,
    isPiece: format.isPiece,
    list: format.list,
    async *ask(question, send) {
      const exchanged = new Exchanged(format, question, send)
      const parts = new Parts(format.wantsReasoning === true)
      try {
        const model = await format.open(question, { baseURL: NOWHERE, fetch: exchanged.fetch })
        const { stream } = await model.doStream(callOptions(format, question))
        for await (const part of piecesOf(stream)) {
          yield* exchanged.frames()
          const frame = parts.take(part)
          if (frame !== null) yield frame
        }
      } catch (error) {
        throw exchanged.fault ?? (error instanceof ModelError ? error : unwritable(error, exchanged.isSent))
      }
      yield* exchanged.frames()
      if (exchanged.fault !== null) throw exchanged.fault
      if (exchanged.ending === null) return
      if (parts.broken !== null) throw unwritable(parts.broken, true)
      const own = parts.toSendBack()
      yield { ending: exchanged.ending, ...(own === null ? {} : { parts: own }) }
    },
  }
}

function callOptions(format: PackageFormat, question: Question) {
  const { turns, settings, maxTokens, without, answer, functions, choice } = question
  const { provider, model, temperature } = settings
  const form = { provider, model, takesText: format.takesText }
  return {
    prompt: promptOf(turns, format.cached === undefined ? form : { ...form, cached: format.cached }),
    ...(maxTokens === null ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === null || without.has('temperature') ? {} : { temperature }),
    ...(answer === null ? {} : { responseFormat: { type: 'json' as const, name: answer.name, schema: answer.schema } }),
    ...toolsOf(
      format.writesSchemas ? functions.map(withoutSchema) : functions,
      without.has('toolChoice') ? 'auto' : choice,
    ),
    providerOptions: format.options(question),
  }
}

/** What the package asks the network for: one exchange. */
class Exchanged {
  fault: Error | null = null
  ending: Ending | null = null
  isSent = false
  private held: StreamFrame[] = []
  private passed: string[] = []
  private readonly read: (piece: Piece) => Taken

  constructor(
    private readonly format: PackageFormat,
    private readonly question: Question,
    private readonly send: Send,
  ) {
    this.read = format.reader()
  }

  /** What the pieces so far hold that the package does not carry over. */
  frames(): StreamFrame[] {
    return this.held.splice(0)
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    if (this.isSent) throw new ModelError('MODEL_REFUSED', 'the answer wants a second request', false)
    this.isSent = true
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    const pieces = this.send({
      path: pathname,
      query: searchParams,
      headers: headersOf(init?.headers),
      body: this.bodyOf(String(init?.body)),
    })
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const text = await this.next(pieces)
        if (text === null) controller.close()
        else controller.enqueue(ENCODER.encode(text))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  /** The next event for the package; null: nothing follows, or nothing that counts. */
  private async next(pieces: AsyncGenerator<Piece>): Promise<string | null> {
    try {
      for (;;) {
        const ready = this.passed.shift()
        if (ready !== undefined) return ready
        const piece = await pieces.next()
        if (piece.done) return null
        const { pass, frame, ending, hasText = false } = this.read(piece.value)
        if (hasText) this.ending = null
        if (ending) this.ending = ending
        if (frame !== undefined) this.held.push(frame)
        this.passed = [pass ?? []].flat().map((one) => `data: ${JSON.stringify(one)}\n\n`)
      }
    } catch (error) {
      const isOver = this.ending !== null && !(error instanceof ModelError && error.code === 'MODEL_ABORTED')
      if (!isOver) this.fault = error instanceof Error ? error : unwritable(error, true)
      return null
    }
  }

  private bodyOf(written: string): string {
    const { extra } = this.question.settings
    const rewrite = this.format.rewrite?.(this.question) ?? null
    if (Object.keys(extra).length === 0 && rewrite === null) return written
    const own = fieldsIn(jsonValueOf(written))
    return JSON.stringify(merged(extra, rewrite === null ? own : rewrite(own)))
  }
}

const ENCODER = new TextEncoder()

/** Fields of the configuration beside ours, also within an object of ours. */
function merged(extra: Readonly<Record<string, unknown>>, own: Record<string, unknown>): Record<string, unknown> {
  const inner = Object.entries(own).map(([key, value]) => {
    const more = extra[key]
    return [key, isJsonObject(value) && isJsonObject(more) ? { ...more, ...value } : value]
  })
  return { ...extra, ...Object.fromEntries(inner) }
}

/** Those of the package but the keys: ours is added where the request leaves. */
function headersOf(given: ConstructorParameters<typeof Headers>[0]): Record<string, string> {
  const headers = new Headers(given)
  for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'user-agent', 'content-type'])
    headers.delete(name)
  return Object.fromEntries(headers)
}

/** Of the package's own errors: before the request it cannot write it, after that it cannot read the answer. */
function unwritable(error: unknown, isSent: boolean): ModelError {
  const said = cleanSentence(errorMessage(error), [])
  return isSent
    ? new ModelError('MODEL_CUT', 'the server sent a piece that cannot be read', true, null, { trouble: 'cut' })
    : new ModelError('MODEL_REFUSED', `the request cannot be written for this server: ${said}`, false, null, {
        trouble: 'requestRefused',
      })
}

async function* piecesOf(stream: ReadableStream<LanguageModelV3StreamPart>): AsyncGenerator<LanguageModelV3StreamPart> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: the exchange ends its own connection, and reports a fault itself.
    reader.cancel().catch(() => {})
  }
}

/** The parts of one answer, in the order in which they began. */
class Parts {
  /** What the package says that it cannot read. */
  broken: unknown = null
  private readonly parts: ProviderPart[] = []
  private readonly open = new Map<string, Extract<ProviderPart, { type: 'text' | 'reasoning' }>>()

  /** wantsReasoning: of an answer with calls, also when nothing of it is signed */
  constructor(private readonly wantsReasoning: boolean) {}

  take(part: LanguageModelV3StreamPart): StreamFrame | null {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata)
        return null
      case 'text-delta':
      case 'reasoning-delta': {
        const type = part.type === 'text-delta' ? 'text' : 'reasoning'
        this.add(type, part.id, part.delta, part.providerMetadata)
        return part.delta === '' ? null : { [type]: part.delta }
      }
      case 'text-end':
      case 'reasoning-end':
        this.add(part.type === 'text-end' ? 'text' : 'reasoning', part.id, '', part.providerMetadata)
        return null
      case 'tool-input-start':
        return { calling: `${part.toolName} ` }
      case 'tool-input-delta':
        return { calling: part.delta }
      case 'tool-call': {
        const call = { id: part.toolCallId, name: part.toolName, arguments: part.input }
        this.parts.push(withMetadata({ type: 'call', ...call }, part.providerMetadata))
        return { call }
      }
      case 'response-metadata':
        return part.modelId === undefined ? null : { version: part.modelId }
      case 'error':
        this.broken ??= part.error ?? 'an error without a reason'
        return null
      // Tokens are counted by the formats: a count that cannot be read must not break the answer.
      case 'finish':
      case 'stream-start':
      case 'tool-input-end':
      case 'tool-approval-request':
      case 'tool-result':
      case 'file':
      case 'source':
      case 'raw':
        return null
    }
  }

  /** null: the provider wants nothing back. */
  toSendBack(): readonly ProviderPart[] | null {
    const isSigned = this.parts.some(({ type, metadata }) => type !== 'text' && metadata !== undefined)
    const has = (type: ProviderPart['type']): boolean => this.parts.some((part) => part.type === type)
    return isSigned || (this.wantsReasoning && has('reasoning') && has('call')) ? this.parts : null
  }

  private begin(type: 'text' | 'reasoning', id: string, metadata: SharedV3ProviderMetadata | undefined): void {
    const part = withMetadata({ type, text: '' }, metadata)
    this.parts.push(part)
    this.open.set(`${type} ${id}`, part)
  }

  private add(type: 'text' | 'reasoning', id: string, text: string, metadata?: SharedV3ProviderMetadata): void {
    const part = this.open.get(`${type} ${id}`)
    if (part === undefined) return
    part.text += text
    if (metadata !== undefined) part.metadata = joined(part.metadata, metadata)
  }
}

function withMetadata<Part extends ProviderPart>(part: Part, metadata: SharedV3ProviderMetadata | undefined): Part {
  return metadata === undefined ? part : { ...part, metadata: joined(undefined, metadata) }
}

/** A signature comes after the beginning of its part. */
function joined(before: JsonObject | undefined, after: SharedV3ProviderMetadata): JsonObject {
  const now = fieldsIn(asJson(after))
  const all = Object.entries(now).map(([key, value]) => [key, { ...fieldsIn(before?.[key]), ...fieldsIn(value) }])
  return { ...before, ...Object.fromEntries(all) }
}

const withoutSchema = (one: FunctionTool): FunctionTool => ({ ...one, schema: { type: 'object', properties: {} } })
