/**
 * What the JSX runtime draws of an element's texts.
 *
 * Every text that a component draws passes here, so no screen can forget that a name, a path or an argument may hold
 * characters that nobody sees (lib/format/hiddenSigns.ts). Texts that people type into fields, and values that are
 * copied, do not pass: they stay as they are.
 */
import { createElement, Fragment, type ReactNode } from 'react'
import { isPlain, shownText } from '@/lib/format/hiddenSigns'
import { ForeignText } from './foreignText'

export type Props = Readonly<Record<string, unknown>>

/** Attributes that are read to people. */
const READ = ['aria-label', 'title', 'alt', 'placeholder', 'aria-description', 'aria-valuetext', 'aria-roledescription']
/** These hold text only. */
const TEXT_ONLY: ReadonlySet<unknown> = new Set(['option', 'title', 'desc', 'text', 'tspan'])
/** Their text is code of the page, or what somebody types. */
const UNSHOWN: ReadonlySet<unknown> = new Set(['script', 'style', 'textarea'])
/** Read to the letter. */
const LITERAL: ReadonlySet<unknown> = new Set(['code', 'pre', 'samp', 'kbd'])
/** Parts of a paragraph, which has the direction. */
const IN_FLOW: ReadonlySet<unknown> = new Set(['em', 'strong', 'del', 'sup', 'sub'])

/**
 * in      type, props: of an element. data-literal: its text is read to the letter. dir, data-flow: its direction is
 *         that of its paragraph
 * out     the props to create it with; the same object if nothing in them has to be shown in another way
 */
export function shownProps(type: unknown, props: Props): Props {
  if (UNSHOWN.has(type)) return props
  const isHost = typeof type === 'string'
  const children = shownChildren(type, props, isHost || type === Fragment)
  let shown = children === props.children ? props : { ...props, children }
  if (!isHost) return shown
  for (const name of READ) {
    const text = props[name]
    if (typeof text === 'string' && !isPlain(text)) shown = { ...shown, [name]: shownText(text) }
  }
  return shown
}

/** canJoin: nobody else looks at the children. */
function shownChildren(type: unknown, props: Props, canJoin: boolean): unknown {
  const { children } = props
  if (typeof children === 'string') return shownOf(children, type, props)
  if (!Array.isArray(children)) return children
  const joined = canJoin ? joinedText(children) : null
  if (joined !== null) return shownOf(joined, type, props)
  return shownList(children, type, props)
}

function shownList(list: readonly unknown[], type: unknown, props: Props): readonly unknown[] {
  let shown: unknown[] | null = null
  for (const [at, child] of list.entries()) {
    const drawn =
      typeof child === 'string'
        ? shownOf(child, type, props, at)
        : Array.isArray(child)
          ? shownList(child, type, props)
          : child
    if (drawn === child) continue
    shown ??= [...list]
    shown[at] = drawn
  }
  return shown ?? list
}

/**
 * Texts and numbers that stand side by side, as one text: the element then has one text node, which React replaces as a
 * whole. Of several nodes a page translator would leave those that it replaced as they were.
 */
function joinedText(children: readonly unknown[]): string | null {
  let text = ''
  for (const child of children) {
    if (typeof child === 'string' || typeof child === 'number') text += child
    else if (child !== null && child !== undefined && typeof child !== 'boolean') return null
  }
  return text
}

function shownOf(text: string, type: unknown, props: Props, key?: number): ReactNode {
  const isLiteral = LITERAL.has(type) || 'data-literal' in props
  if (isPlain(text, isLiteral)) return text
  if (TEXT_ONLY.has(type)) return shownText(text, isLiteral)
  const isInFlow = IN_FLOW.has(type) || props.dir !== undefined || 'data-flow' in props
  return createElement(ForeignText, { text, isLiteral, isInFlow, key: key === undefined ? undefined : `text-${key}` })
}
