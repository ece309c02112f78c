/** JSON as a tree that opens and closes, or raw. A lazy file of JsonView.tsx. */

import { ChevronDown, ChevronRight, Copy, Route } from 'lucide-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../Button'
import { copyText } from '../copyText'
import { cx } from '../cx'
import { TextField } from '../fields/TextField'
import { Segmented } from '../Tabs'
import { type JsonRow, jsonRows, pathsWith } from './jsonRows'
import { LongText } from './LongText'
import { Scrolled } from './Scrolled'

const COLOURS: Record<JsonRow['kind'], string> = {
  object: 'text-t3',
  list: 'text-t3',
  rest: 'text-t3',
  string: 'text-accent',
  number: 'text-running',
  boolean: 'text-action',
  null: 'text-t3',
}
const INDENTS = ['pl-1', 'pl-5', 'pl-9', 'pl-13', 'pl-17', 'pl-21', 'pl-25', 'pl-29', 'pl-33']

function RowValue({ row }: { row: JsonRow }) {
  const t = useTranslations('json')
  switch (row.kind) {
    case 'object':
    case 'list':
      return (
        <span className="text-t3">
          {row.kind === 'list' ? '[ ]' : '{ }'} {t('items', { count: row.size })}
        </span>
      )
    case 'string':
      return (
        <LongText text={JSON.stringify(row.value)} className={cx(COLOURS.string, 'break-words whitespace-pre-wrap')} />
      )
    case 'rest':
      return null
    default:
      return <span className={COLOURS[row.kind]}>{String(row.value)}</span>
  }
}

function Tree({ value, name, query }: { value: unknown; name: string; query: string }) {
  const t = useTranslations()
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState('')
  // The first two levels are open at first; `turned` holds the exceptions.
  const rows = useMemo(() => {
    const found = pathsWith(value, query)
    if (found !== null)
      return jsonRows(
        value,
        () => true,
        () => true,
      ).filter(({ path }) => found.has(path))
    return jsonRows(
      value,
      (path, depth) => depth < 2 !== turned.has(path),
      (path) => whole.has(path),
    )
  }, [value, turned, whole, query])
  // A search may have left out the row that had the focus; Tab still reaches the tree.
  const tabStop = rows.some(({ path }) => path === current) ? current : rows[0]?.path
  const turn = (path: string): void => {
    const next = new Set(turned)
    if (!next.delete(path)) next.add(path)
    setTurned(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = rows.findIndex((row) => row.path === current)
    const row = rows[at]
    const go = (to: number): void => {
      const target = rows[Math.max(0, Math.min(rows.length - 1, to))]
      if (!target) return
      setCurrent(target.path)
      event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')[rows.indexOf(target)]?.focus()
    }
    // biome-ignore-start lint/correctness/noComponentHookFactories: names of keys, not of components.
    const acts: Record<string, (() => void) | undefined> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (row && row.size > 0 && !row.isOpen && row.kind !== 'rest' ? turn(row.path) : go(at + 1)),
      ArrowLeft: () =>
        row?.isOpen
          ? turn(row.path)
          : go(rows.findLastIndex((one, index) => index < at && one.depth < (row?.depth ?? 0))),
      Enter: () => {
        if (row && row.kind !== 'rest' && row.size > 0) turn(row.path)
      },
    }
    // biome-ignore-end lint/correctness/noComponentHookFactories: see above.
    const act = acts[event.key]
    if (!act || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    act()
  }
  return (
    <div
      role="tree"
      aria-label={t('json.of', { name })}
      onKeyDown={onKeyDown}
      className="overflow-x-auto rounded-control bg-s3 py-2 font-mono text-table"
    >
      {rows.map((row) =>
        row.kind === 'rest' ? (
          <div key={row.path} role="none" className={INDENTS[Math.min(row.depth, INDENTS.length - 1)]}>
            <Button look="quiet" className="h-6!" onClick={() => setWhole(new Set([...whole, String(row.value)]))}>
              {t('common.showAll')} <span className="text-t3">{t('json.items', { count: row.size })}</span>
            </Button>
          </div>
        ) : (
          <TreeItem
            key={row.path}
            row={row}
            isCurrent={row.path === tabStop}
            onFocus={() => setCurrent(row.path)}
            onTurn={() => turn(row.path)}
          />
        ),
      )}
    </div>
  )
}

type TreeItemProps = { row: JsonRow; isCurrent: boolean; onFocus: () => void; onTurn: () => void }

function TreeItem({ row, isCurrent, onFocus, onTurn }: TreeItemProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys.
    <div
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.size > 0 ? row.isOpen : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      onClick={() => {
        if (row.size > 0 && window.getSelection()?.isCollapsed !== false) onTurn()
      }}
      className={cx(
        'flex min-h-6 items-start gap-1 pr-2 hover:bg-hover',
        INDENTS[Math.min(row.depth, INDENTS.length - 1)],
      )}
    >
      <span aria-hidden className="mt-0.5 grid size-4 shrink-0 place-items-center text-t3">
        {row.size > 0 ? (
          row.isOpen ? (
            <ChevronDown className="size-3.5" />
          ) : (
            <ChevronRight className="size-3.5" />
          )
        ) : null}
      </span>
      <span className="min-w-0">
        {row.name === '' ? null : <span className="text-t2">{row.name}: </span>}
        <RowValue row={row} />
      </span>
      {isCurrent ? <RowCopies row={row} /> : null}
    </div>
  )
}

/** The value of the focused row, and its JSON pointer. */
function RowCopies({ row }: { row: JsonRow }) {
  const t = useTranslations()
  const text = typeof row.value === 'string' ? row.value : (JSON.stringify(row.value, null, 2) ?? '')
  const copies = [
    { label: t('json.copyValue'), icon: <Copy />, text },
    // The pointer of the root is empty.
    ...(row.path === '' ? [] : [{ label: t('json.copyPath'), icon: <Route />, text: row.path }]),
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
export default function JsonBody({ value, name }: { value: unknown; name: string }) {
  const t = useTranslations()
  const [view, setView] = useState<'tree' | 'raw'>('tree')
  const [query, setQuery] = useState('')
  const raw = useMemo(() => JSON.stringify(value, null, 2) ?? '', [value])
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
