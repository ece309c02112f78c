import { LONGEST_TIMER_MS } from './limits'

type DeadlineOptions = {
  limitMs: number
  /** In all, whatever progress is reported; time in which people were asked does not count. */
  longestMs: number
  onOver: () => void
  now?: () => number
}

/**
 * One call's clock.
 *
 * touch   progress was reported: the limit begins anew, up to the bound
 * pause   a person is asked on its behalf: no time passes until the returned function is called; questions may overlap
 * end     the call is over
 */
export class Deadline {
  private timer: NodeJS.Timeout | undefined
  private dueAt: number
  private lastAt: number
  private pausedAt = 0
  private pauses = 0
  private isOver = false
  private readonly now: () => number

  constructor(private readonly options: DeadlineOptions) {
    this.now = options.now ?? (() => performance.now())
    this.lastAt = this.now() + Math.max(options.longestMs, options.limitMs)
    this.dueAt = this.now() + options.limitMs
    this.arm()
  }

  touch(): void {
    if (this.isOver) return
    const from = this.pauses > 0 ? this.pausedAt : this.now()
    this.dueAt = Math.min(from + this.options.limitMs, this.lastAt)
    this.arm()
  }

  pause(): () => void {
    if (this.pauses === 0) this.pausedAt = this.now()
    this.pauses += 1
    this.arm()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.pauses -= 1
      if (this.pauses > 0) return
      const passed = this.now() - this.pausedAt
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
      Math.min(Math.max(0, this.dueAt - this.now()), LONGEST_TIMER_MS),
    )
  }
}
