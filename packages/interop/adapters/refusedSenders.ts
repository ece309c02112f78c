/** Refusals of senders without a known key since the start, counted over all nodes. */
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { Nodes } from '@/server/nodes'
import { openAnnounced } from '@/server/nodes/announced'
import type { AdapterParts } from '@/server/otherSystems'

/** Other nodes are told at most that often, ms: anybody can be refused as often as they like. */
export const TELL_MS = 1_000

type RefusedCount = { protocol: Protocol; code: string; count: number }

type RefusedSendersParts = Pick<AdapterParts, 'schedule'> & {
  /** Left out: there are no others. */
  nodes?: Nodes
}

/** out: counts the refusals of this node, and lists those of all */
export function openRefusedSenders({ nodes, schedule }: RefusedSendersParts) {
  const own = new Map<string, RefusedCount>()
  const here = () => ({ is: 'refusedSenders' as const, counts: [...own.values()] })
  const { tell, elsewhere } = openAnnounced('refusedSenders', {
    nodes,
    own: here,
    // A count never falls.
    keepsLeft: true,
  })
  let isPlanned = false

  return {
    add(protocol: Protocol, code: string): void {
      addTo(own, { protocol, code, count: 1 })
      if (nodes === undefined || isPlanned) return
      isPlanned = true
      schedule(() => {
        isPlanned = false
        tell()
      }, TELL_MS)
    },
    list(): RefusedCount[] {
      const all = new Map<string, RefusedCount>()
      for (const { counts } of [here(), ...elsewhere.values()]) for (const count of counts) addTo(all, count)
      return [...all.values()]
    },
  }
}

function addTo(counts: Map<string, RefusedCount>, { protocol, code, count }: RefusedCount): void {
  const key = `${protocol} ${code}`
  counts.set(key, { protocol, code, count: count + (counts.get(key)?.count ?? 0) })
}
