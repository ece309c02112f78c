/** Records calls in a folder and plays them back without their model. Stores answers, digests and ids; no prompts, no keys. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonValueOf } from '@/lib/json'
import { sha256 } from '@/server/shared/sha256'
import {
  calledBy,
  type MediaKind,
  type Model,
  type ModelCallOptions,
  ModelError,
  type ModelPiece,
  stopped,
  type Turn,
} from './model'

const callShape = z.object({
  version: z.literal(1),
  agent: z.string(),
  skill: z.string(),
  digest: z.string(),
  shape: z.string(),
  ids: z.array(z.string()),
  pieces: z.array(z.string()),
  modelVersion: z.string(),
  finish: z.enum(['stop', 'length', 'calls']),
  calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
  reasoning: z.string().optional(),
  isObject: z.literal(true).optional(),
  usage: z.object({
    promptTokens: z.number().nullable(),
    completionTokens: z.number().nullable(),
    cachedTokens: z.number().nullish(),
    reasoningTokens: z.number().nullish(),
    estimated: z.boolean(),
    costUsd: z.number().nullable(),
  }),
})
type RecordedCall = z.infer<typeof callShape>

const NOBODY = { agent: '-', skill: '-' }

/** The same model; each complete answer is appended to a file of the folder. Throws errors of the file system at the first answer. */
export const recorded = (model: Model, folder: string): Model =>
  calledBy(model, async function* (turns, options): AsyncGenerator<ModelPiece> {
    const pieces: string[] = []
    for await (const piece of model.call(turns, options)) {
      if (piece.type === 'text') pieces.push(piece.text)
      if (piece.type === 'end')
        keep(folder, model.name, { ...promptMarkOf(turns), ...(options.about ?? NOBODY), pieces, ...piece })
      yield piece
    }
  })

type Kept = PromptMark & { agent: string; skill: string; pieces: string[] } & Extract<ModelPiece, { type: 'end' }>

function keep(folder: string, name: string, kept: Kept): void {
  const call = callShape.parse({ version: 1, ...kept })
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${name}.jsonl`), `${JSON.stringify(call)}\n`, { mode: 0o600 })
}

type PlaybackOptions = {
  name: string
  contextTokens: number
  /** Those of the recorded model: prompts are matched with what they show of pictures and sounds. */
  accepts?: readonly MediaKind[]
  /** Where recorded() wrote. */
  folder: string
}

/**
 * A model that answers from a recording.
 *
 * out     for a prompt: the call of the identical prompt, else the first unused one that differs in ids and times only, else the
 *         next unused one of that agent and skill; ids of the recorded prompt are replaced by those of this one; cost 0
 * faults  MODEL_REFUSED when nothing fits, with what there is, or when the folder holds no recording
 */
export function playback(options: PlaybackOptions): Model {
  let tape: Tape | null = null
  const isNative = (): boolean => {
    try {
      tape ??= new Tape(readCalls(options.folder), options.folder)
      return tape.isNative
    } catch (error) {
      // The call itself says what is wrong with the recording.
      if (error instanceof ModelError) return false
      throw error
    }
  }
  return {
    name: options.name,
    provider: 'recording',
    contextTokens: options.contextTokens,
    accepts: options.accepts ?? [],
    get takesFunctions() {
      return isNative()
    },
    async *call(turns: Turn[], { signal, about = NOBODY, onStart }: ModelCallOptions): AsyncGenerator<ModelPiece> {
      onStart?.()
      tape ??= new Tape(readCalls(options.folder), options.folder)
      const mark = promptMarkOf(turns)
      const call = tape.find(mark, about)
      for (const piece of translated(call.pieces, call.ids, mark.ids)) {
        if (signal.aborted) throw stopped()
        yield { type: 'text', text: piece }
      }
      const modelVersion = `${call.modelVersion} (recorded)`
      const { usage, finish, reasoning, isObject, calls } = call
      const end = { usage: { ...usage, costUsd: 0 }, modelVersion, finish }
      yield {
        type: 'end',
        ...end,
        ...(reasoning === undefined ? {} : { reasoning }),
        ...(isObject ? { isObject } : {}),
        ...(calls === undefined
          ? {}
          : {
              calls: calls.map((one) => ({ ...one, arguments: translateIds(one.arguments, call.ids, mark.ids) })),
            }),
      }
    },
  }
}

/** An id may be split over pieces, so the whole text is translated, then cut at the same places: an id keeps its length. */
function translated(pieces: readonly string[], from: readonly string[], to: readonly string[]): string[] {
  const text = translateIds(pieces.join(''), from, to)
  let at = 0
  return pieces.map((piece) => {
    at += piece.length
    return text.slice(at - piece.length, at)
  })
}

/** The recorded calls. Each is played once, except for an identical prompt. */
class Tape {
  private readonly used = new Set<RecordedCall>()

  constructor(
    private readonly calls: readonly RecordedCall[],
    private readonly folder: string,
  ) {}

  /** Were functions called in it? */
  get isNative(): boolean {
    return this.calls.some(({ calls }) => calls !== undefined)
  }

  find(mark: PromptMark, about: { agent: string; skill: string }): RecordedCall {
    const same = this.calls.filter(({ digest }) => digest === mark.digest)
    const isOwn = (call: RecordedCall): boolean => call.agent === about.agent && call.skill === about.skill
    const found =
      this.firstUnused((call) => call.digest === mark.digest) ??
      same.at(-1) ??
      this.firstUnused((call) => call.shape === mark.shape) ??
      this.firstUnused(isOwn)
    if (!found) throw this.nothing(about, this.calls.filter(isOwn).length)
    this.used.add(found)
    return found
  }

  private firstUnused(fits: (call: RecordedCall) => boolean): RecordedCall | undefined {
    return this.calls.find((call) => !this.used.has(call) && fits(call))
  }

  private nothing({ agent, skill }: { agent: string; skill: string }, count: number): ModelError {
    const why = count === 0 ? 'has no call' : `has only ${count} ${count === 1 ? 'call' : 'calls'}, all played,`
    const message = `the recording in ${this.folder} ${why} of ${agent} for ${skill}; record a run that goes this far`
    return new ModelError('MODEL_REFUSED', message, false)
  }
}

/** The number of calls in a folder. faults: MODEL_REFUSED when it holds none or cannot be read */
export const recordedCalls = (folder: string): number => readCalls(folder).length

/** All recordings of a folder; files in the order of their names. */
function readCalls(folder: string): RecordedCall[] {
  const refuse = (message: string): ModelError => new ModelError('MODEL_REFUSED', message, false)
  let files: string[]
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
  } catch {
    throw refuse(`there is no folder ${folder} to play a recording from`)
  }
  const calls = files.sort().flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line, index) => {
        const call = callShape.safeParse(jsonValueOf(line))
        if (!call.success) throw refuse(`${join(folder, file)}, line ${index + 1}: this is no recorded call`)
        return call.data
      }),
  )
  if (calls.length === 0) throw refuse(`the folder ${folder} holds no recorded call`)
  return calls
}

/** Uuids, and the beginning of one in the handle of a task: they differ in every run. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|task-[0-9a-f]{6}(?![0-9a-z])/gi
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?|\b\d{8}T\d{6}(_\d+)?\b/g

type PromptMark = {
  digest: string
  /** Equal for prompts that differ only in ids and times. */
  shape: string
  /** In the order of their first appearance. */
  ids: string[]
}

/** digest: of the turns; shape: of the turns with each id and time numbered, the same in every run */
function promptMarkOf(turns: readonly Turn[]): PromptMark {
  const text = JSON.stringify(turns.map(markOf))
  const ids = [...new Set((text.match(ID) ?? []).map((id) => id.toLowerCase()))]
  const number = new Map(ids.map((id, index) => [id, index]))
  const shape = text.replace(ID, (id) => `#${number.get(id.toLowerCase())}`).replace(TIME, '#time')
  return { digest: sha256(text), shape: sha256(shape), ids }
}

/** Calls, and the call of a result, are part of a prompt; of those without any the mark is that of their text. */
function markOf(turn: Turn): unknown[] {
  const { role, content, media = [] } = turn
  const plain = [role, content, media]
  if (turn.role === 'tool') return [...plain, turn.call, turn.name]
  return turn.role === 'assistant' && turn.calls ? [...plain, turn.calls] : plain
}

/** Replaces the ids of one run by those of another, in the order of their marks. Others stay; the length does not change. */
function translateIds(text: string, from: readonly string[], to: readonly string[]): string {
  const other = new Map(
    [...new Set(from.map(({ length }) => length))].flatMap((length) => {
      const theirs = to.filter((id) => id.length === length)
      return from.filter((id) => id.length === length).map((id, index) => [id, theirs[index]] as const)
    }),
  )
  return text.replace(ID, (id) => other.get(id.toLowerCase()) ?? id)
}
