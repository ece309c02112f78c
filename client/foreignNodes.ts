/**
 * Keeps React working in a page whose nodes others move: page translators, and extensions that mark or correct texts.
 *
 * React removes and inserts nodes where it put them. Where somebody has replaced or wrapped one, the browser throws
 * NotFoundError, and React takes the whole section away (facebook/react#11538).
 */

/** What is used of Node. */
type NodeLike<N> = { readonly parentNode: N | null }
type NodePrototype<N> = {
  removeChild(this: N, child: N): N
  insertBefore(this: N, node: N, before: N | null | undefined): N
}

/** Replace the two functions of a prototype by ones that accept nodes that were moved or removed. */
export function acceptMovedNodes<N extends NodeLike<N>>(prototype: NodePrototype<N>): void {
  const { removeChild, insertBefore } = prototype
  prototype.removeChild = function (child) {
    if (child.parentNode === this) return removeChild.call(this, child)
    return child.parentNode === null ? child : removeChild.call(child.parentNode, child)
  }
  prototype.insertBefore = function (node, before) {
    // Undefined is null to the browser: a library that draws passes it.
    if (before == null || before.parentNode === this) return insertBefore.call(this, node, before)
    return insertBefore.call(this, node, childWith(this, before))
  }
}

/** The child of a node that holds this one; null: it is elsewhere. */
function childWith<N extends NodeLike<N>>(parent: N, inner: N): N | null {
  let at: N | null = inner
  while (at !== null && at.parentNode !== parent) at = at.parentNode
  return at
}
