/** Events of the nodes that serve one journal. */

export type NodeEvents = {
  'node.started': { node: string; epoch: number }
  'node.left': { node: string }
  /** Replaces an entry that was lost by damage: one for each of the entries first..last. */
  'sequencer.took': { epoch: number; node: string }
}
