/** A model that is a person. Calls are kept in memory; after a restart their steps call again under the same ids, so drafts match. */
import type { PersonAnswer, PersonCall, PromptPart } from '../shared/personCall'
import { type Model, type ModelCallOptions, ModelError, type ModelPiece, stopped, type Turn } from './model'

type Question = Pick<PersonCall, 'model' | 'agent' | 'skill' | 'step'> & { turns: readonly Turn[] }
type Waiting = PersonCall & { settle: (answer: PersonAnswer) => void }

export class PersonQueue {
  private readonly waiting = new Map<string, Waiting>()

  /** in: now: epoch ms; onChange: the calls that wait are others now */
  constructor(
    private readonly now: () => number = Date.now,
    private readonly onChange: () => void = () => {},
  ) {}

  /** Waiting calls, the oldest first. */
  list(): PersonCall[] {
    return [...this.waiting.values()].map(({ settle: _settle, ...call }) => call)
  }

  /** End the call with this answer. out: false: the call does not wait here */
  settle(id: string, answer: PersonAnswer): boolean {
    const call = this.waiting.get(id)
    call?.settle(answer)
    return call !== undefined
  }

  /** Wait for a person; rejects when the call is aborted. */
  ask({ turns, ...call }: Question, signal: AbortSignal): Promise<PersonAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(stopped())
      const id = this.freeId({ ...call, turns })
      const leave = (): void => {
        this.waiting.delete(id)
        signal.removeEventListener('abort', stop)
        this.onChange()
      }
      const stop = (): void => {
        leave()
        reject(stopped())
      }
      const settle = (answer: PersonAnswer): void => {
        leave()
        resolve(answer)
      }
      signal.addEventListener('abort', stop, { once: true })
      this.waiting.set(id, { ...call, id, since: this.now(), parts: promptPartsOf(turns), settle })
      this.onChange()
    })
  }

  /** Made of the step and the number of turns, so that the same call has the same id after a restart. */
  private freeId({ step, model, turns }: Question): string {
    const id = `${step ?? model}.${turns.length}`
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? id : `${id}.${count}`
      if (!this.waiting.has(free)) return free
    }
  }
}

/**
 * out     the person's text as one piece; modelVersion names who wrote it; tokens and cost are unknown
 * faults  MODEL_REFUSED with the person's reason; MODEL_ABORTED when the step is aborted. There is no time limit.
 */
export function personModel(name: string, contextTokens: number, queue: PersonQueue): Model {
  return {
    name,
    provider: 'person',
    contextTokens,
    async *call(turns: Turn[], { signal, about, onStart }: ModelCallOptions): AsyncGenerator<ModelPiece> {
      onStart?.()
      const { agent, skill, step } = { agent: '', skill: '', step: null, ...about }
      const answer = await queue.ask({ model: name, agent, skill, step, turns }, signal)
      if ('refused' in answer) {
        throw new ModelError('MODEL_REFUSED', `${answer.by} refused to answer: ${answer.refused}`, false)
      }
      yield { type: 'text', text: answer.text }
      const usage = { promptTokens: null, completionTokens: null, estimated: false, costUsd: null }
      yield { type: 'end', usage, modelVersion: `person: ${answer.by}`, finish: 'stop' }
    },
  }
}

/** The sections of a call's turns; text outside of sections is a part of its own. */
export function promptPartsOf(turns: readonly Turn[]): PromptPart[] {
  return turns.flatMap((turn) => {
    const { content } = turn
    // A person is asked without functions.
    const role = turn.role === 'tool' ? 'user' : turn.role
    const parts = [...content.matchAll(/^<section name="([^"]*)">\n([\s\S]*?)\n<\/section>$/gm)].map(
      ([, name, text]) => ({ role, name: name ?? '', text: text ?? '' }),
    )
    return parts.length > 0 ? parts : [{ role, name: role, text: content }]
  })
}
