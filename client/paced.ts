/** A value that changes often, passed on at most once in a while: for what is fetched again when it changes. */

/**
 * in      everyMs: from one value that is shown to the next; show: gets the newest one
 * out     put: shows a value at once when the last was shown long enough ago, else the newest of them at the end of that time
 */
export function createPacer<T>(everyMs: number, show: (value: T) => void) {
  let next: { value: T } | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const pass = (): void => {
    timer = null
    if (next === null) return
    const { value } = next
    next = null
    timer = setTimeout(pass, everyMs)
    show(value)
  }
  return {
    put: (value: T): void => {
      next = { value }
      if (timer === null) pass()
    },
    stop: (): void => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      next = null
    },
  }
}
