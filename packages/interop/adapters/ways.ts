/**
 * Open streams and sockets of peers, at all nodes: a message of ours is delivered by the node where it can be written to one.
 *
 * Each node tells the others what it holds, and all choose the same one.
 */
import type { ConversationId, PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { Nodes, PeerWay } from '@/server/nodes'
import { openAnnounced } from '@/server/nodes/announced'
import { openListeners } from '@/server/shared/listeners'

/** An agent of a peer, and the conversation of the message. */
export type WayTarget = { protocol: Protocol; peer: PeerId; to: string; conversation: ConversationId }

/** in: nodes: left out: there are no others; node: the name of this one */
export function openWays({ nodes, node }: { nodes?: Nodes; node: string }) {
  const here = new Set<() => PeerWay>()
  const changes = openListeners<[]>()

  const own = () => ({ is: 'peerWays' as const, ways: [...here].map((shown) => shown()) })
  const { tell, elsewhere } = openAnnounced('peerWays', { nodes, own, onChange: changes.tell })
  const all = (): [node: string, note: { ways: PeerWay[] }][] => [[node, own()], ...elsewhere]

  return {
    /** in: shown: the stream or socket as it is now. out: call `changed` when that is something else, `close` when it has closed */
    open(shown: () => PeerWay): { changed(): void; close(): void } {
      here.add(shown)
      tell()
      return {
        changed: tell,
        close() {
          here.delete(shown)
          tell()
        },
      }
    },
    /** The node that delivers to it; null: none holds a stream or socket for it. */
    nodeFor(target: WayTarget): string | null {
      const fits = all().map(([name, { ways }]) => ({
        name,
        fit: Math.max(0, ...ways.map((way) => fitOf(way, target))),
      }))
      const best = Math.max(...fits.map(({ fit }) => fit))
      if (best === 0) return null
      const [first] = fits.filter(({ fit }) => fit === best).sort((a, b) => (a.name < b.name ? -1 : 1))
      return first?.name ?? null
    },
    /** Does a socket of this agent exist anywhere? */
    isConnected: (protocol: Protocol, uri: string): boolean =>
      all().some(([, { ways }]) =>
        ways.some((way) => 'agents' in way && way.protocol === protocol && way.agents.includes(uri)),
      ),
    /** Called when the streams and sockets of other nodes changed. */
    onChange: changes.on,
  }
}

export type Ways = ReturnType<typeof openWays>

/** 0: it does not lead there; 1: the socket of the peer named no agents; 2: it is of that agent, or of that conversation. */
function fitOf(way: PeerWay, { protocol, peer, to, conversation }: WayTarget): 0 | 1 | 2 {
  if ('conversation' in way) return way.conversation === conversation ? 2 : 0
  if (way.protocol !== protocol || way.peer !== peer) return 0
  return way.agents.includes(to) ? 2 : way.agents.length === 0 ? 1 : 0
}
