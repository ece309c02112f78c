/** Assembles one answer from what the server sends. */
import type { ClientSettings, StreamFrame, WireFormat } from './client'
import { ModelError, type ModelPiece, type Turn } from './model'
import {
  type AnswerEvent,
  cleanSentence,
  type Ending,
  endingFault,
  errorInText,
  modelErrorOf,
  readEvent,
  type ServerError,
} from './response'
import type { Headers } from './response/waits'
import { NOT_COUNTED, usageOf } from './usage'

/** Characters; a longer answer is cut off, as it may be endless. */
const LONGEST_ANSWER = 4_194_304

type AnswerOf = {
  turns: readonly Turn[]
  settings: ClientSettings
  format: WireFormat
  /** The answer was requested as an object. */
  isObject: boolean
  headers: Headers
  secrets: readonly string[]
}

export class Answer {
  private text = ''
  private reasoning = ''
  private refusal = ''
  private finish: 'stop' | 'length' | null = null
  private counted = NOT_COUNTED
  private version: string | null = null
  private fingerprint: string | null = null
  /** Pieces of this format, and the first thing that is none. */
  private frames = 0
  private foreign: string | null = null
  /** The server said that nothing follows. */
  private isDone = false

  constructor(private readonly of: AnswerOf) {}

  get isFinished(): boolean {
    return this.finish !== null
  }

  /** Whether text or reasoning has arrived. */
  get hasBegun(): boolean {
    return this.text !== '' || this.reasoning !== ''
  }

  /** out: text of the piece; '' when it only shows that the model works; null: neither; 'done': nothing of interest follows */
  take(event: AnswerEvent): { text: string | null } | 'done' {
    const read = readEvent(event)
    switch (read.type) {
      case 'done':
        this.isDone = true
        return 'done'
      case 'error':
        throw this.reported(read.error)
      case 'unreadable':
        throw this.unreadable(read.text)
      case 'object': {
        const frame = this.of.format.read(read.value)
        if (frame === null) {
          this.foreign ??= event.data
          return { text: null }
        }
        this.frames += 1
        return { text: this.takeFrame(frame) }
      }
    }
  }

  private takeFrame(frame: StreamFrame): string | null {
    if (frame.error) throw this.reported(frame.error)
    if (frame.refused !== undefined) throw refusedFault(frame.refused)
    if (frame.whole !== undefined) this.isDone = true
    const text = frame.text || this.restOf(frame.whole ?? '')
    const reasoning = frame.reasoning ?? ''
    // A piece behind an ending shows that it was none.
    if (text !== '') this.finish = null
    this.text += text
    this.reasoning += reasoning
    this.refusal += frame.refusal ?? ''
    const counts = Object.entries(frame.counted ?? {}).filter(([, count]) => count !== null)
    this.counted = { ...this.counted, ...Object.fromEntries(counts) }
    this.version = frame.version || this.version
    this.fingerprint = frame.fingerprint ?? this.fingerprint
    if (this.text.length + this.reasoning.length > LONGEST_ANSWER) {
      throw new ModelError('MODEL_CUT', 'the answer has no end', false, null, { trouble: 'cut' })
    }
    if (frame.ending) this.endWith(frame.ending)
    return text === '' && reasoning === '' ? null : text
  }

  /** The whole text so far, as some servers repeat it: only what is new of it. */
  private restOf(whole: string): string {
    return whole.startsWith(this.text) ? whole.slice(this.text.length) : ''
  }

  private endWith(ending: Ending): void {
    if (this.refusal !== '') throw this.refusedByModel()
    const fault = endingFault(ending)
    if (fault !== null) throw fault
    this.finish = ending.kind === 'length' ? 'length' : 'stop'
  }

  /** out: the end piece. Throws ModelError when the answer is not whole */
  end(): ModelPiece {
    const { settings } = this.of
    if (this.refusal !== '') throw this.costOf(this.refusedByModel())
    if (this.finish === null) throw this.costOf(this.unended())
    settings.learned.saysEndings = true
    const asked = {
      ...(this.of.isObject ? { isObject: true as const } : {}),
      ...(this.fingerprint === null ? {} : { fingerprint: this.fingerprint }),
    }
    const modelVersion = this.version ?? settings.model
    return { type: 'end', usage: this.usage(), modelVersion, finish: this.finish, ...asked, ...this.reasoned() }
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
    const { settings, headers, secrets } = this.of
    const { hasBegun } = this
    return modelErrorOf({ status: null, headers, error, secrets, now: settings.now(), hasBegun })
  }

  private unreadable(text: string): ModelError {
    // The beginning of a JSON text is a part of an answer.
    if (this.frames > 0 || /^[[{]/.test(text)) return cut('the server sent a piece that cannot be read')
    return this.wrongFormat(text)
  }

  private wrongFormat(text: string): ModelError {
    const said = cleanSentence(errorInText(text).sentence, this.of.secrets)
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
  costOf(error: unknown): unknown {
    if (!(error instanceof ModelError) || error.details.trouble === 'wrongFormat') return error
    if (this.frames === 0) return error
    const { code, message, again, retryAfterMs, details } = error
    return new ModelError(code, message, again, retryAfterMs, { ...details, usage: this.usage(), ...this.reasoned() })
  }

  private usage() {
    return usageOf(this.counted, this.of.turns, this.text + this.reasoning, this.of.settings.price)
  }

  private reasoned(): { reasoning?: string } {
    return this.reasoning === '' ? {} : { reasoning: this.reasoning }
  }
}

const cut = (message: string): ModelError => new ModelError('MODEL_CUT', message, true, null, { trouble: 'cut' })

const refusedFault = (message: string): ModelError =>
  new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'requestRefused' })
