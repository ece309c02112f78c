/** A note that each node announces to the others: when what it says changes, and again when a node joins. */
import type { NodeNote, Nodes } from '.'

type AnnouncedParts<Note> = {
  /** Absent or null: there are no others. */
  nodes: Nodes | null | undefined
  own: () => Note
  /** The notes of other nodes changed. */
  onChange?: () => void
  /** Keep the note of a node that is unreachable. */
  keepsLeft?: boolean
}

/** out: tell: announce the own note; elsewhere: the newest notes of the other nodes, by node */
export function openAnnounced<Kind extends NodeNote['is'], Note extends Extract<NodeNote, { is: Kind }>>(
  kind: Kind,
  { nodes, own, onChange, keepsLeft }: AnnouncedParts<Note>,
) {
  const elsewhere = new Map<string, Note>()
  const isOfKind = (note: NodeNote): note is Note => note.is === kind
  const tell = (): void => nodes?.tell(own())
  nodes?.onJoined(tell)
  nodes?.onNote((note, from) => {
    if (!isOfKind(note)) return
    elsewhere.set(from, note)
    onChange?.()
  })
  nodes?.onLeft((left) => {
    if (keepsLeft) return
    for (const node of left === null ? [...elsewhere.keys()] : [left]) elsewhere.delete(node)
    onChange?.()
  })
  return { tell, elsewhere: elsewhere as ReadonlyMap<string, Note> }
}
