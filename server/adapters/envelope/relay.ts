/** Forwards a peer's broadcast events to its other connections, at all nodes. */
import type { PeerId } from '@/lib/mas/ids'
import { BROADCAST, type WireEnvelope } from '@/lib/protocols/envelope/envelope'
import { recentMap } from '../../shared/recentMap'
import type { AdapterContext } from '../adapter'
import type { PeerConnection, PeerConnections } from '../connections'

/** on: the connection that it arrived on; null: HTTP. text: the envelope as received. */
type SaidToAll = { peer: PeerId; on: PeerConnection | null; envelope: WireEnvelope; text: string }

/** Remembered ids, so that a repeat is not forwarded again. */
const MOST_RELAYED = 10_000

/** out: forwards a broadcast once per id; ignores other envelopes */
export function openRelay(
  { nodes }: Pick<AdapterContext, 'nodes'>,
  { of }: Pick<PeerConnections<WireEnvelope>, 'of'>,
): (said: SaidToAll) => void {
  nodes?.onNote((note) => {
    if (note.is === 'peerBroadcast') for (const one of of(note.peer)) one.send(note.text)
  })
  const relayed = recentMap<string, true>(MOST_RELAYED)
  return ({ peer, on, envelope: { message_type, receiver_id, message_id, sender_id }, text }) => {
    if (message_type !== 'event' || receiver_id !== BROADCAST) return
    const key = JSON.stringify([peer, sender_id, message_id])
    if (relayed.get(key) !== undefined) return
    relayed.set(key, true)
    for (const one of of(peer)) if (one !== on) one.send(text)
    nodes?.tell({ is: 'peerBroadcast', peer, text })
  }
}
