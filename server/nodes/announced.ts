/** A list that each node announces to the others: when it changes, and again when a node joins. */
import type { NodeNote, Nodes } from '.'

type AnnouncedParts<Item> = {
  /** Absent or null: there are no others. */
  nodes: Pick<Nodes, 'tell' | 'onNote' | 'onJoined' | 'onLeft'> | null | undefined
  own: () => Item[]
  write: (own: Item[]) => NodeNote
  /** null: a note of another kind. */
  read: (note: NodeNote) => readonly Item[] | null
  /** The lists of other nodes changed. */
  onChange?: () => void
  /** Keep the list of a node that is unreachable. */
  keepsLeft?: boolean
}

/** out: tell: announce the own list; elsewhere: the lists of the other nodes, by node */
export function openAnnounced<Item>({ nodes, own, write, read, onChange, keepsLeft }: AnnouncedParts<Item>) {
  const elsewhere = new Map<string, readonly Item[]>()
  const tell = (): void => nodes?.tell(write(own()))
  nodes?.onJoined(tell)
  nodes?.onNote((note, from) => {
    const items = read(note)
    if (items === null) return
    elsewhere.set(from, items)
    onChange?.()
  })
  nodes?.onLeft((left) => {
    if (keepsLeft) return
    for (const node of left === null ? [...elsewhere.keys()] : [left]) elsewhere.delete(node)
    onChange?.()
  })
  return { tell, elsewhere: elsewhere as ReadonlyMap<string, readonly Item[]> }
}
