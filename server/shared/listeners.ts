/** Listeners of one event. */
export function openListeners<Args extends unknown[]>() {
  const all = new Set<(...args: Args) => void>()
  return {
    /** out: remove it */
    on(listener: (...args: Args) => void): () => void {
      all.add(listener)
      return () => all.delete(listener)
    },
    tell(...args: Args): void {
      for (const listener of all) listener(...args)
    },
  }
}
