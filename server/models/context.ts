import { type FitOptions, type Fitted, fitTurns } from './fitTurns'
import type { Turn } from './model'

/** Turns are copied on their way in and out, so that no caller can change them. */
export class Context {
  private turns: Turn[]

  constructor(turns: readonly Turn[] = []) {
    this.turns = turns.map(copy)
  }

  add(turn: Turn): void {
    this.turns.push(copy(turn))
  }

  /** out: the turn that was the last, or undefined when there is none. */
  removeLast(): Turn | undefined {
    return this.turns.pop()
  }

  /** Keep the system's turns and the last n others. */
  keepLast(n: number): void {
    const others = this.turns.filter(({ role }) => role !== 'system')
    const kept = new Set(n > 0 ? others.slice(-n) : [])
    this.turns = this.turns.filter((turn) => turn.role === 'system' || kept.has(turn))
  }

  set(turns: readonly Turn[]): void {
    this.turns = turns.map(copy)
  }

  get(): Turn[] {
    return this.turns.map(copy)
  }

  clear(): void {
    this.turns = []
  }

  /** Make it fit. out: whether it does now, and how many tokens were left out. */
  fit(options: FitOptions): Omit<Fitted, 'turns'> {
    const { turns, ...said } = fitTurns(this.turns, options)
    this.turns = turns
    return said
  }
}

const copy = (turn: Turn): Turn => ({ ...turn, ...(turn.media ? { media: [...turn.media] } : {}) })
