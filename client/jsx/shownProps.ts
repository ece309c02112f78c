/**
 * What the JSX runtime draws of an element's texts.
 *
 * Every text that a component draws passes here, so no screen can forget two things:
 * - A name, a path or an argument may hold characters that nobody sees (lib/format/hiddenSigns.ts). Texts that people
 *   type into fields, and values that are copied, do not pass: they stay as they are.
 * - A page translator may replace any text. React changes the text of an element that holds nothing else as a whole,
 *   but a text beside elements by its own node, which is no longer in the page then; so such a text gets an element.
 */
import { createElement, Fragment, type ReactNode } from 'react'
import { isPlain, shownText } from '@/lib/format/hiddenSigns'
import { ForeignText, TEXT_ELEMENT } from './foreignText'

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
 * in      type, props: of an element. data-literal: its text is read to the letter (every path, address, command, id and
 *         argument, where it stands in an element of its own). dir, data-flow: its direction is that of its paragraph
 * out     the props to create it with; the same object if nothing in them has to be shown in another way
 */
export function shownProps(type: unknown, props: Props): Props {
  if (UNSHOWN.has(type)) return props
  const children = shownChildren(type, props)
  let shown = children === props.children ? props : { ...props, children }
  if (typeof type !== 'string') return shown
  for (const name of READ) {
    const text = props[name]
    if (typeof text === 'string' && !isPlain(text)) shown = { ...shown, [name]: shownText(text) }
  }
  return shown
}

function shownChildren(type: unknown, props: Props): unknown {
  const { children } = props
  // What a component gets is drawn by the elements in it.
  const isDrawn = typeof type === 'string' || type === Fragment
  const joined = isDrawn ? joinedText(children) : null
  if (joined !== null) return type === Fragment ? elementOf(joined, type, props) : shownOf(joined, type, props)
  if (typeof children === 'string') return shownOf(children, type, props)
  return Array.isArray(children) ? shownList(children, type, props, isDrawn) : children
}

function shownList(list: readonly unknown[], type: unknown, props: Props, isDrawn: boolean): readonly unknown[] {
  let shown: unknown[] | null = null
  for (const [at, child] of list.entries()) {
    const drawn = shownChild(child, at)
    if (drawn === child) continue
    shown ??= [...list]
    shown[at] = drawn
  }
  return shown ?? list

  function shownChild(child: unknown, at: number): unknown {
    if (Array.isArray(child)) return shownList(child, type, props, isDrawn)
    if (isDrawn && isText(child)) return elementOf(String(child), type, props, at)
    return typeof child === 'string' ? shownOf(child, type, props, at) : child
  }
}

const isText = (child: unknown): child is string | number => typeof child === 'string' || typeof child === 'number'

/** Texts and numbers that stand side by side, as one text, so that the element has one text node; null: there is more. */
function joinedText(children: unknown): string | null {
  if (isText(children)) return String(children)
  if (!Array.isArray(children)) return null
  let text = ''
  for (const child of children) {
    if (isText(child)) text += child
    else if (child !== null && child !== undefined && typeof child !== 'boolean') return null
  }
  return text
}

/** The text as an element of its own. A blank stays a text: nobody translates it. */
function elementOf(text: string, type: unknown, props: Props, at?: number): ReactNode {
  const shown = shownOf(text, type, props, at)
  if (typeof shown !== 'string' || shown.trim() === '') return shown
  return createElement(TEXT_ELEMENT, { key: keyOf(at) }, shown)
}

function shownOf(text: string, type: unknown, props: Props, at?: number): ReactNode {
  const isLiteral = LITERAL.has(type) || LITERAL.has(props.as) || props['data-literal'] === true
  if (isPlain(text, isLiteral)) return text
  if (TEXT_ONLY.has(type)) return shownText(text, isLiteral)
  const isInFlow = IN_FLOW.has(type) || props.dir !== undefined || 'data-flow' in props
  return createElement(ForeignText, { text, isLiteral, isInFlow, key: keyOf(at) })
}

const keyOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : `text-${at}`)
