/** Assembles one answer from what the server sends. */
import type { ClientSettings } from './client'
import { type FunctionCall, ModelError, type ModelPiece, type ProviderParts, type Turn } from './model'
import {
  type AnswerEvent,
  cleanSentence,
  type Ending,
  endingFault,
  errorInText,
  modelErrorOf,
  readEvent,
  type ServerError,
  saysLater,
} from './response'
import type { Headers } from './response/waits'
import { NOT_COUNTED, usageOf } from './usage'
import { type Piece, ReportedError, type StreamFrame, type Wire } from './wires/wire'

/** Characters; a longer answer is cut off, as it may be endless. */
const LONGEST_ANSWER = 4_194_304

type AnswerOf = {
  turns: readonly Turn[]
  settings: ClientSettings
  wire: Pick<Wire, 'isPiece'>
  /** The answer was requested as an object. */
  isObject: boolean
  /** The model may call functions. */
  mayCall: boolean
  secrets: readonly string[]
}

export class Answer {
  private text = ''
  /** Characters of all that has come. */
  private length = 0
  private reasoning = ''
  private refusal = ''
  private ending: Ending | null = null
  private readonly calls: FunctionCall[] = []
  private parts: ProviderParts['parts'] | null = null
  private counted = NOT_COUNTED
  private version: string | null = null
  private fingerprint: string | null = null
  /** Pieces of this format, and the first thing that is none. */
  private frames = 0
  private foreign: string | null = null
  /** The server said that nothing follows. */
  private isDone = false

  /** Of the response. */
  headers: Headers = {}

  constructor(private readonly of: AnswerOf) {}

  get isFinished(): boolean {
    return this.ending !== null
  }

  /** Whether text, reasoning or a call has arrived. */
  get hasBegun(): boolean {
    return this.text !== '' || this.reasoning !== '' || this.calls.length > 0
  }

  /** out: a piece of the wire's format; null: something else; 'done': nothing of interest follows. Throws what the server reports */
  read(event: AnswerEvent): Piece | null | 'done' {
    const read = readEvent(event)
    switch (read.type) {
      case 'done':
        this.isDone = true
        return 'done'
      case 'error':
        throw new ReportedError(read.error)
      case 'unreadable':
        throw this.unreadable(read.text)
      case 'object':
        if (this.of.wire.isPiece(read.value)) {
          this.frames += 1
          return { value: read.value, text: event.data }
        }
        this.foreign ??= event.data
        return null
    }
  }

  /** out: text of the frame; '' when it only shows that the model works; null: neither */
  take(frame: StreamFrame): string | null {
    if (frame.isWhole) this.isDone = true
    const { text = '', reasoning = '', call, parts } = frame
    // A piece behind an ending shows that it was none.
    if (text !== '') this.ending = null
    this.text += text
    this.reasoning += reasoning
    this.length += text.length + reasoning.length
    this.refusal += frame.refusal ?? ''
    const counts = Object.entries(frame.counted ?? {}).filter(([, count]) => count !== null)
    this.counted = { ...this.counted, ...Object.fromEntries(counts) }
    this.version = frame.version || this.version
    this.fingerprint = frame.fingerprint ?? this.fingerprint
    if (parts !== undefined) this.parts = parts
    if (call !== undefined) this.takeCall(call)
    if (this.length > LONGEST_ANSWER) {
      throw new ModelError('MODEL_CUT', 'the answer has no end', false, null, { trouble: 'cut' })
    }
    if (frame.ending) this.endWith(frame.ending)
    const isWorking = reasoning !== '' || call !== undefined || frame.calling !== undefined
    return text === '' && !isWorking ? null : text
  }

  private takeCall(call: FunctionCall): void {
    if (!this.of.mayCall) throw refusedFault(`${UNOFFERED}: ${call.name}(${call.arguments.slice(0, 200)})`)
    this.calls.push(call)
    this.length += call.name.length + call.arguments.length
  }

  private endWith(ending: Ending): void {
    if (this.refusal !== '') throw this.refusedByModel()
    const fault = endingFault(ending)
    if (fault !== null) throw fault
    if (ending.kind === 'toolCall' && this.calls.length === 0) {
      throw this.of.mayCall
        ? cut('the server says that the model calls a function, and sent no call')
        : refusedFault(UNOFFERED)
    }
    this.ending = ending
  }

  /** out: the end piece. Throws ModelError when the answer is not whole */
  end(): ModelPiece {
    const { settings } = this.of
    if (this.refusal !== '') throw this.costOf(this.refusedByModel())
    if (this.ending === null) throw this.costOf(this.unended())
    settings.learned.saysEndings = true
    const isCut = this.ending.kind === 'length'
    // The limit may have cut the last call: none is run.
    const calls = isCut || this.calls.length === 0 ? {} : { calls: this.calls }
    const { provider, model } = settings
    return {
      type: 'end',
      usage: this.usage(),
      modelVersion: this.version ?? model,
      finish: isCut ? 'length' : 'calls' in calls ? 'calls' : 'stop',
      ...calls,
      ...(this.of.isObject ? { isObject: true as const } : {}),
      ...(this.fingerprint === null ? {} : { fingerprint: this.fingerprint }),
      ...(this.parts === null || isCut ? {} : { providerParts: { provider, model, parts: this.parts } }),
      ...this.reasoned(),
    }
  }

  private unended(): ModelError {
    if (this.frames === 0 && this.foreign !== null) return this.wrongFormat(this.foreign)
    if (this.frames === 0) return cut('the server sent an empty answer')
    const { learned } = this.of.settings
    learned.unended += 1
    const isHabit = !learned.saysEndings && (this.isDone || learned.unended > 1)
    if (!isHabit) return cut('the answer broke off before its end')
    const message =
      'this server never says that its answers end (finish_reason), so a part of an answer cannot be told from a whole one'
    return new ModelError('MODEL_CUT', message, learned.unended === 1, null, { trouble: 'neverEnds' })
  }

  private reported(error: ServerError): ModelError {
    const { settings, secrets } = this.of
    const { hasBegun, headers } = this
    return modelErrorOf({ status: null, headers, error, secrets, now: settings.now(), hasBegun })
  }

  private unreadable(text: string): ModelError {
    // The beginning of a JSON text is a part of an answer.
    if (this.frames > 0 || /^[[{]/.test(text)) return cut('the server sent a piece that cannot be read')
    return this.wrongFormat(text)
  }

  private wrongFormat(text: string): ModelError {
    const error = errorInText(text)
    // A proxy answers in its own form while the server behind it cannot.
    if (saysLater(text)) return this.reported(error)
    const said = cleanSentence(error.sentence, this.of.secrets)
    const message = `the server answers in another format${said === '' ? '' : `: ${said}`}`
    return new ModelError('MODEL_REFUSED', message, false, null, {
      trouble: 'wrongFormat',
      ...(said === '' ? {} : { said }),
    })
  }

  private refusedByModel(): ModelError {
    return refusedFault(`the model refuses to answer: ${cleanSentence(this.refusal, this.of.secrets)}`)
  }

  /** Adds the usage to an error: the server accepted the request, so it is paid for. */
  costOf(given: unknown): unknown {
    const error = given instanceof ReportedError ? this.reported(given.report) : given
    if (!(error instanceof ModelError) || error.details.trouble === 'wrongFormat') return error
    if (this.frames === 0) return error
    const { code, message, again, retryAfterMs, details } = error
    return new ModelError(code, message, again, retryAfterMs, { ...details, usage: this.usage(), ...this.reasoned() })
  }

  private usage() {
    const called = this.calls.map(({ name, arguments: args }) => name + args).join('')
    return usageOf(this.counted, this.of.turns, this.text + this.reasoning + called, this.of.settings.price)
  }

  private reasoned(): { reasoning?: string } {
    return this.reasoning === '' ? {} : { reasoning: this.reasoning }
  }
}

const cut = (message: string): ModelError => new ModelError('MODEL_CUT', message, true, null, { trouble: 'cut' })

const UNOFFERED = 'the model wants to call a tool that it was not offered'

const refusedFault = (message: string): ModelError =>
  new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'requestRefused' })
