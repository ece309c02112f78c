/** Open connections of strangers, counted by the address of their client. */
import type { IncomingMessage } from 'node:http'

/** Releases the slot of a holder. */
const releases = new WeakMap<object, () => void>()

/** in  most: slots of one client at the same time */
export function openSlots(most: number) {
  const counts = new Map<string, number>()
  return {
    /** Takes a slot for `holder`. out: false: this client holds as many as it may. */
    take(key: string, holder: object): boolean {
      const count = counts.get(key) ?? 0
      if (count >= most) return false
      counts.set(key, count + 1)
      releases.set(holder, () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      })
      return true
    },
    /** Free the slot, at its end. */
    free,
    /** Slots that are held now. */
    held: (): number => [...counts.values()].reduce((sum, count) => sum + count, 0),
  }
}

function free(holder: object): void {
  releases.get(holder)?.()
  releases.delete(holder)
}

/** The request showed a session or a peer's key: its connection is a stranger's no more, and takes no slot. */
export function showedWhoItIs(request: IncomingMessage): void {
  free(request.socket)
  free(request)
}
