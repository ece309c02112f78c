/** JSON as a tree that opens and closes, or raw. */

import { ChevronDown, ChevronRight, Copy, Route } from 'lucide-react'
import { type Dispatch, type KeyboardEvent, type SetStateAction, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../Button'
import { copyText } from '../copyText'
import { cx } from '../cx'
import { TextField } from '../fields/TextField'
import { Segmented } from '../Tabs'
import { LongText } from './LongText'
import { Scrolled } from './Scrolled'
import { readWrittenJson, type ShownJson, Written } from './writtenJson'

const INDENTS = ['pl-1', 'pl-5', 'pl-9', 'pl-13', 'pl-17', 'pl-21', 'pl-25', 'pl-29', 'pl-33']
const indentOf = (depth: number): string | undefined => INDENTS[Math.min(depth, INDENTS.length - 1)]

/** Entries of one object or list shown before "Show all". */
const SHOWN_ENTRIES = 200

const entriesOf = (value: unknown): [string, unknown][] =>
  value instanceof Written ? value.entries : typeof value === 'object' && value !== null ? Object.entries(value) : []

const isNumber = (value: unknown): boolean =>
  value instanceof Written ? value.kind === 'number' : typeof value === 'number'

const isList = (value: unknown): boolean => (value instanceof Written ? value.kind === 'list' : Array.isArray(value))

/** A value as JSON. */
const textOf = (value: unknown): string =>
  value instanceof Written ? value.text : (JSON.stringify(value, null, 2) ?? '')

/** A JSON pointer. */
const pointer = (parent: string, name: string): string =>
  `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The paths whose name or value holds a text, and their ancestors; null for no text: everything. */
export function pathsWith(value: unknown, text: string): ReadonlySet<string> | null {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return null
  const found = new Set<string>()
  const visit = (name: string, path: string, node: unknown): boolean => {
    const entries = entriesOf(node)
    const isPlain = typeof node !== 'object' || isNumber(node)
    const said = isPlain ? `${name} ${typeof node === 'string' ? node : textOf(node)}` : name
    const inside = entries.map(([key, child]) => visit(key, pointer(path, key), child))
    const fits = inside.includes(true) || said.toLocaleLowerCase().includes(wanted)
    if (fits) found.add(path)
    return fits
  }
  visit('', '', value)
  return found
}

type Paths = ReadonlySet<string>

type TreeState = {
  /** What a search leaves; null: all. */
  found: Paths | null
  /** The item that Tab reaches. */
  current: string
  setCurrent: Dispatch<SetStateAction<string>>
  /** Open where items of their level are closed at first, or closed where they are open. */
  turned: Paths
  turn: (path: string) => void
  /** Shown with all their entries. */
  whole: Paths
  showWhole: (path: string) => void
}

function Tree({ value, name, query }: { value: unknown; name: string; query: string }) {
  const t = useTranslations('json')
  const [current, setCurrent] = useState('')
  const [turned, setTurned] = useState<Paths>(new Set())
  const [whole, setWhole] = useState<Paths>(new Set())
  const found = useMemo(() => pathsWith(value, query), [value, query])
  const turn = (path: string): void => {
    const next = new Set(turned)
    if (!next.delete(path)) next.add(path)
    setTurned(next)
  }
  const showWhole = (path: string): void => setWhole(new Set([...whole, path]))
  const tree: TreeState = { found, current, setCurrent, turned, turn, whole, showWhole }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.defaultPrevented || event.target instanceof HTMLButtonElement) return
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
    const at = items.findIndex((item) => item.contains(document.activeElement))
    const levelOf = (item: HTMLElement | undefined): number => Number(item?.getAttribute('aria-level'))
    const parent = items.findLastIndex((item, index) => index < at && levelOf(item) < levelOf(items[at]))
    const end = items.length - 1
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: parent, Home: 0, End: end }
    const to = (moves as Partial<Record<string, number>>)[event.key]
    if (to === undefined) return
    event.preventDefault()
    items[Math.max(0, Math.min(end, to))]?.focus()
  }
  return (
    <div
      role="tree"
      aria-label={t('of', { name })}
      onKeyDown={onKeyDown}
      className="overflow-x-auto rounded-control bg-s3 py-2 font-mono text-table"
    >
      {found?.has('') === false ? null : <TreeItem name="" path="" depth={0} value={value} tree={tree} />}
    </div>
  )
}

type TreeItemProps = { name: string; path: string; depth: number; value: unknown; tree: TreeState }

/** A value, and below it what is in it. The first two levels are open at first; all that a search leaves is. */
function TreeItem({ name, path, depth, value, tree }: TreeItemProps) {
  const t = useTranslations()
  const { found, current, setCurrent } = tree
  const turn = (): void => tree.turn(path)
  // Joins the focus: what is removed while Tab reached it leaves that to the root.
  useEffect(() => () => setCurrent((now) => (now === path ? '' : now)), [path, setCurrent])
  const entries = entriesOf(value)
  const isOpen = entries.length > 0 && (found !== null || depth < 2 !== tree.turned.has(path))
  // A name may come twice in a text.
  const inside = entries.map(([key, child], at) => ({ key, child, path: pointer(path, key), id: `${at}/${key}` }))
  const shown = found
    ? inside.filter((one) => found.has(one.path))
    : inside.slice(0, tree.whole.has(path) ? inside.length : SHOWN_ENTRIES)
  const left = found ? 0 : inside.length - shown.length
  const Arrow = isOpen ? ChevronDown : ChevronRight
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || entries.length === 0) return
    if (event.key !== 'Enter' && event.key !== (isOpen ? 'ArrowLeft' : 'ArrowRight')) return
    event.preventDefault()
    turn()
  }
  return (
    <>
      <div
        role="treeitem"
        aria-level={depth + 1}
        aria-expanded={entries.length > 0 ? isOpen : undefined}
        tabIndex={path === current ? 0 : -1}
        onFocus={() => setCurrent(path)}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (entries.length > 0 && window.getSelection()?.isCollapsed !== false) turn()
        }}
        className={cx('flex min-h-6 items-start gap-1 pr-2 hover:bg-hover', indentOf(depth))}
      >
        <span aria-hidden className="mt-0.5 grid size-4 shrink-0 place-items-center text-t3">
          {entries.length > 0 ? <Arrow className="size-3.5" /> : null}
        </span>
        <span className="min-w-0">
          {name === '' ? null : (
            <span data-literal className="text-t2">
              {name}:{' '}
            </span>
          )}
          <Value value={value} />
        </span>
        {path === current ? <Copies value={value} path={path} /> : null}
      </div>
      {isOpen
        ? shown.map(({ key, child, path, id }) => (
            <TreeItem key={id} name={key} path={path} depth={depth + 1} value={child} tree={tree} />
          ))
        : null}
      {isOpen && left > 0 ? (
        <div role="none" className={indentOf(depth + 1)}>
          <Button look="quiet" className="h-6!" onClick={() => tree.showWhole(path)}>
            {t('common.showAll')} <span className="text-t3">{t('json.items', { count: left })}</span>
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Value({ value }: { value: unknown }) {
  const t = useTranslations('json')
  if (typeof value === 'string')
    return <LongText isLiteral text={JSON.stringify(value)} className="text-accent break-words whitespace-pre-wrap" />
  if (typeof value === 'object' && value !== null && !isNumber(value))
    return (
      <span className="text-t3">
        {isList(value) ? '[ ]' : '{ }'} {t('items', { count: entriesOf(value).length })}
      </span>
    )
  const look = isNumber(value) ? 'text-running' : typeof value === 'boolean' ? 'text-action' : 'text-t3'
  return <span className={look}>{textOf(value)}</span>
}

/** The value of the focused row, and its JSON pointer. */
function Copies({ value, path }: { value: unknown; path: string }) {
  const t = useTranslations()
  const text = typeof value === 'string' ? value : textOf(value)
  const copies = [
    { label: t('json.copyValue'), icon: <Copy />, text },
    // The pointer of the root is empty.
    ...(path === '' ? [] : [{ label: t('json.copyPath'), icon: <Route />, text: path }]),
  ]
  return (
    <span className="sticky right-0 ml-auto flex shrink-0 font-sans">
      {copies.map((copy) => (
        <IconButton
          key={copy.label}
          className="h-6!"
          icon={copy.icon}
          label={copy.label}
          onClick={(event) => {
            event.stopPropagation()
            copyText(copy.text, t('common.copied'))
          }}
        />
      ))}
    </span>
  )
}

/** From this many characters on there is a search field. */
const SEARCHED_FROM = 2_000

/** JSON with a switch Tree / Raw and "Copy". `name` completes "JSON of …". */
export default function JsonView({ name, ...shown }: ShownJson & { name: string }) {
  const t = useTranslations()
  const text = 'text' in shown ? shown.text : null
  const given = 'text' in shown ? null : shown.value
  // Of a text that is no JSON the tree is the text itself.
  const value = useMemo(() => (text === null ? given : (readWrittenJson(text) ?? text)), [text, given])
  const [view, setView] = useState<'tree' | 'raw'>('tree')
  const [query, setQuery] = useState('')
  const raw = useMemo(() => text ?? textOf(given), [text, given])
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <Segmented
          label={t('json.view')}
          value={view}
          onChange={setView}
          segments={{ tree: t('json.tree'), raw: t('json.raw') }}
        />
        {view === 'tree' && raw.length >= SEARCHED_FROM ? (
          <TextField
            label={t('json.search')}
            isLabelHidden
            placeholder={t('json.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        ) : null}
        <IconButton icon={<Copy />} label={t('common.copy')} onClick={() => copyText(raw, t('common.copied'))} />
      </div>
      {view === 'tree' ? (
        <Tree value={value} name={name} query={query} />
      ) : (
        <Scrolled label={t('json.of', { name })} className="overflow-x-auto rounded-control bg-s3 px-3 py-2">
          <pre className="font-mono text-table">
            <LongText text={raw} />
          </pre>
        </Scrolled>
      )}
    </div>
  )
}
