/** Listeners of one event. in: onTrouble: a listener threw, and the others are told nevertheless; absent: the fault is passed on */
export function openListeners<Args extends unknown[]>(onTrouble?: (error: unknown) => void) {
  const all = new Set<(...args: Args) => void>()
  return {
    /** out: remove it */
    on(listener: (...args: Args) => void): () => void {
      all.add(listener)
      return () => all.delete(listener)
    },
    tell(...args: Args): void {
      for (const listener of all) {
        try {
          listener(...args)
        } catch (error) {
          if (onTrouble === undefined) throw error
          onTrouble(error)
        }
      }
    },
  }
}

export type Listeners<Args extends unknown[]> = ReturnType<typeof openListeners<Args>>
