import { type FitOptions, type Fitted, fitTurns } from './fitTurns'
import type { Turn } from './model'

/** The turns of a conversation. They are copied on the way in and out, so that callers cannot change them. */
export class Context {
  private turns: Turn[]

  constructor(turns: readonly Turn[] = []) {
    this.turns = turns.map(copy)
  }

  add(turn: Turn): void {
    this.turns.push(copy(turn))
  }

  /** out: the removed turn; undefined: there was none */
  removeLast(): Turn | undefined {
    return this.turns.pop()
  }

  /** Keep system turns and the last n others. */
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

  /** Fit into a token budget. out: whether it fits now, and how many tokens were left out */
  fit(options: FitOptions): Omit<Fitted, 'turns'> {
    const { turns, ...said } = fitTurns(this.turns, options)
    this.turns = turns
    return said
  }
}

const copy = (turn: Turn): Turn => ({ ...turn, ...(turn.media ? { media: [...turn.media] } : {}) })
