import { calledBy, type Model, ModelError, type ModelPiece, stopped } from './model'

/** A longer pause is not applied to the whole endpoint: the next call gets the refusal again. */
const LONGEST_PAUSE_MS = 60_000

/** told: its place, as it was told last. */
type Waiter = { go: () => void; onPlace: ((place: number) => void) | undefined; told: number }

/** The queue of one endpoint, first in, first out. width: concurrent calls */
export class Endpoint {
  private running = 0
  private pauses = 0
  private readonly waiting: Waiter[] = []

  constructor(private readonly width: () => number) {}

  /**
   * in      onPlace: gets the place of the call while it waits, from 1
   * out     call it to leave the queue
   * faults  MODEL_ABORTED when the signal comes first
   */
  enter(signal: AbortSignal, onPlace?: (place: number) => void): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(stopped())
      const waiter: Waiter = {
        go: () => {
          signal.removeEventListener('abort', giveUp)
          this.running += 1
          resolve(once(() => this.leave()))
        },
        onPlace,
        told: 0,
      }
      const giveUp = (): void => {
        const at = this.waiting.indexOf(waiter)
        if (at >= 0) this.waiting.splice(at, 1)
        this.tellPlaces()
        reject(stopped())
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.waiting.push(waiter)
      this.next()
    })
  }

  /** No call starts for so many ms; running ones continue. */
  pause(ms: number): void {
    if (ms <= 0 || ms > LONGEST_PAUSE_MS) return
    this.pauses += 1
    const timer = setTimeout(() => {
      this.pauses -= 1
      this.next()
    }, ms)
    // A pause does not delay the end of the process.
    timer.unref()
  }

  private leave(): void {
    this.running -= 1
    this.next()
  }

  private next(): void {
    while (this.pauses === 0 && this.running < this.width()) {
      const waiter = this.waiting.shift()
      if (!waiter) return
      waiter.go()
    }
    this.tellPlaces()
  }

  private tellPlaces(): void {
    for (const [index, waiter] of this.waiting.entries()) {
      if (waiter.told === index + 1) continue
      waiter.told = index + 1
      waiter.onPlace?.(waiter.told)
    }
  }
}

const once = (work: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

/** The same model, with its calls queued at the endpoint. */
export const queuedAt = (model: Model, endpoint: Endpoint): Model =>
  calledBy(model, async function* (turns, options): AsyncGenerator<ModelPiece> {
    const leave = await endpoint.enter(options.signal, options.onPlace)
    try {
      options.onStart?.()
      yield* model.call(turns, options)
    } catch (error) {
      if (error instanceof ModelError && error.code === 'MODEL_RATE_LIMITED') endpoint.pause(error.retryAfterMs ?? 0)
      throw error
    } finally {
      leave()
    }
  })
