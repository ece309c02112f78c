import { LONGEST_TIMER_MS } from '../limits'

type DeadlineOptions = {
  limitMs: number
  /** Upper bound for all renewals; time in which people were asked does not count. */
  longestMs: number
  onOver: () => void
}

/**
 * The clock of one call.
 *
 * touch   progress was reported: restarts the limit, up to the bound
 * pause   a person is asked for the call: time stops until the returned function is called; pauses may overlap
 * end     the call has ended
 */
export class Deadline {
  private timer: NodeJS.Timeout | undefined
  private dueAt: number
  private lastAt: number
  private pausedAt = 0
  private pauses = 0
  private isOver = false
  constructor(private readonly options: DeadlineOptions) {
    this.lastAt = performance.now() + Math.max(options.longestMs, options.limitMs)
    this.dueAt = performance.now() + options.limitMs
    this.arm()
  }

  touch(): void {
    if (this.isOver) return
    const from = this.pauses > 0 ? this.pausedAt : performance.now()
    this.dueAt = Math.min(from + this.options.limitMs, this.lastAt)
    this.arm()
  }

  pause(): () => void {
    if (this.pauses === 0) this.pausedAt = performance.now()
    this.pauses += 1
    this.arm()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.pauses -= 1
      if (this.pauses > 0) return
      const passed = performance.now() - this.pausedAt
      this.dueAt += passed
      this.lastAt += passed
      this.arm()
    }
  }

  end(): void {
    this.isOver = true
    clearTimeout(this.timer)
  }

  private arm(): void {
    clearTimeout(this.timer)
    if (this.isOver || this.pauses > 0) return
    this.timer = setTimeout(
      () => {
        this.isOver = true
        this.options.onOver()
      },
      Math.min(Math.max(0, this.dueAt - performance.now()), LONGEST_TIMER_MS),
    )
  }
}
