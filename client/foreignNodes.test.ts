/** Nodes that a page translator or an extension has moved do not break the page. */
import { expect, it } from 'vitest'
import { acceptMovedNodes } from './foreignNodes'

/** As a browser does it: a node that is not a child is an error. */
class FakeNode {
  parentNode: FakeNode | null = null
  children: FakeNode[] = []
  constructor(readonly name = '') {}

  insertBefore(node: FakeNode, before: FakeNode | null): FakeNode {
    if (before !== null && before.parentNode !== this) throw new Error('NotFoundError')
    node.parentNode?.removeChild(node)
    this.children.splice(before === null ? this.children.length : this.children.indexOf(before), 0, node)
    node.parentNode = this
    return node
  }

  removeChild(node: FakeNode): FakeNode {
    if (node.parentNode !== this) throw new Error('NotFoundError')
    this.children.splice(this.children.indexOf(node), 1)
    node.parentNode = null
    return node
  }
}
const names = (node: FakeNode): string => `${node.name}(${node.children.map(names).join('')})`

it('[R388] a node that was moved or replaced by others is removed and inserted beside without an error', () => {
  acceptMovedNodes<FakeNode>(FakeNode.prototype)
  const [parent, text, font, next] = ['p', 't', 'f', 'n'].map((name) => new FakeNode(name))
  if (!parent || !text || !font || !next) throw new Error('no nodes')
  parent.insertBefore(text, null)
  parent.insertBefore(next, null)

  // Wrapped: `font` stands where `text` was.
  parent.insertBefore(font, text)
  font.insertBefore(text, null)
  parent.insertBefore(new FakeNode('a'), text)
  expect(names(parent)).toBe('p(a()f(t())n())')
  expect(parent.removeChild(text)).toBe(text)
  expect(names(parent)).toBe('p(a()f()n())')

  // Gone: what is inserted before it comes to the end.
  expect(parent.removeChild(text)).toBe(text)
  parent.insertBefore(new FakeNode('b'), text)
  expect(names(parent)).toBe('p(a()f()n()b())')

  parent.removeChild(next)
  parent.insertBefore(next, font)
  expect(names(parent)).toBe('p(a()n()f()b())')
})
