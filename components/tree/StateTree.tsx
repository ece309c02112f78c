/** The treegrid “State tree”: windowed lines, one of them with the focus, following what moves. */
// biome-ignore-all lint/a11y/useSemanticElements: lines that are placed one by one in a window cannot be rows of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows take the focus, their cells do not.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Check, CircleX, Hourglass } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { setSearch, useSearchParam } from '@/client/nav'
import { isPageKey, useKey } from '@/components/shell/keyboard'
import { announce } from '@/components/ui/announce'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { hiddenErrors, type Jump, newestLive, nextHit } from './jumps'
import { useRowName } from './rowWords'
import { TreeFilters } from './TreeFilters'
import { COLUMNS, COST, TOKENS, TreeLine } from './TreeLine'
import type { TreeFilter } from './treeFilter'
import { actOf, findByName, type TreeAct } from './treeKeys'
import { ancestorsOf, lineCount, nodeOfStateId, stateIdOf } from './treeModel'
import type { TreeData } from './useTreeData'

const TYPING_MS = 700

/** Beside the filters, where the inspector takes the room, an icon says it; the list and a phone have the filters elsewhere. */
/** Ctrl with an arrow goes from cell to cell of the line, back before the first to the line itself. Says whether it was that. */
function goByCell({ key, target }: KeyboardEvent): boolean {
  if ((key !== 'ArrowRight' && key !== 'ArrowLeft') || !(target instanceof Element)) return false
  const row = target.closest<HTMLElement>('[role=row]')
  if (row === null) return false
  // What gives way at this width is no cell.
  const cells = [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].filter((cell) => cell.offsetParent !== null)
  const at = cells.findIndex((cell) => cell.contains(target))
  const next = cells[Math.min(at + (key === 'ArrowRight' ? 1 : -1), cells.length - 1)]
  ;(next ?? row).focus()
  return true
}

const BESIDE_FILTERS = '@min-[481px]/tree:@max-[50rem]/tree:sr-only'

/** How high a line is: 28 px, 44 for fingers; measured, since text size and the pane's width change it. */
function useLineHeight() {
  const probe = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(28)
  // Joins the drawn size of the probe.
  useLayoutEffect(() => {
    const element = probe.current
    if (!element) return
    const observer = new ResizeObserver(() => setHeight(element.getBoundingClientRect().height || 28))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { probe, height }
}

export type StateTreeProps = { taskId: string; data: TreeData; filter: TreeFilter; isCompact: boolean }

export function StateTree({ taskId, data, filter, isCompact }: StateTreeProps) {
  const t = useTranslations('tree')
  const { tree, lines, isFetching, turn, showMore } = data
  const base = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { probe, height } = useLineHeight()
  const inspected = useSearchParam('inspect')
  const [current, setCurrent] = useState<string | null>(null)
  const [isFollowing, setFollowing] = useState(inspected === null)
  const typed = useRef({ text: '', at: 0 })
  /** A jump to an error that waits for older steps to come. */
  const later = useRef<1 | -1 | null>(null)
  /** The line that gets the focus as soon as it is drawn. */
  const wanted = useRef<string | null>(null)

  const placeOf = (id: string | null): number => (id === null ? -1 : lines.findIndex((line) => line.node.id === id))
  const currentPlace = placeOf(current)
  const tabPlace = Math.max(currentPlace, 0)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => lines[index]?.node.id ?? index,
    // The line with the focus stays mounted when it scrolls away, or the focus would fall to the page.
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return shown.includes(tabPlace) || tabPlace >= lines.length ? shown : [...shown, tabPlace].sort((a, b) => a - b)
    },
  })
  // Joins the virtualiser: it keeps measured sizes until told.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is another layout.
  useLayoutEffect(() => virtualizer.measure(), [height])

  const lineId = (id: string): string => `${base}-${id}`

  /** Open what hides a line, scroll to it, and give it the focus. */
  const reveal = useCallback(
    (id: string, isFocused: boolean) => {
      const above = ancestorsOf(tree, id)
      if (above.length > 0) turn(above, true)
      setCurrent(id)
      wanted.current = isFocused ? id : null
      const at = lines.findIndex((line) => line.node.id === id)
      if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' })
    },
    [tree, lines, turn, virtualizer],
  )

  // Joins the browser's focus: a line that was hidden or far away can take it only after it is drawn.
  useLayoutEffect(() => {
    const id = wanted.current
    if (id === null) return
    const at = lines.findIndex((line) => line.node.id === id)
    if (at < 0) return
    const element = document.getElementById(`${base}-${id}`)
    if (!element) {
      virtualizer.scrollToIndex(at, { align: 'auto' })
      return
    }
    wanted.current = null
    element.focus({ preventScroll: true })
    virtualizer.scrollToIndex(at, { align: 'auto' })
  })

  const shownFor = useRef<string | null>(null)
  // Joins the address: what it names is shown once its line is there.
  useEffect(() => {
    if (inspected === null) {
      shownFor.current = null
      return
    }
    if (shownFor.current === inspected) return
    const id = nodeOfStateId(tree, taskId, inspected, current)
    if (id === null) return
    shownFor.current = inspected
    if (id !== current || placeOfLine(lines, id) < 0) reveal(id, false)
  }, [inspected, tree, taskId, current, lines, reveal])

  const newest = isFollowing ? newestLive(tree) : null
  // Joins the scroll position: while following, what moved last is kept in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another newest step moves the view.
  useEffect(() => {
    const at = newest ? placeOf(newest.id) : -1
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' })
  }, [newest?.id, newest?.seq])

  const inspect = useCallback(
    (id: string) => {
      const node = tree.nodes.get(id)
      const stateId = node ? stateIdOf(node, taskId) : null
      setCurrent(id)
      if (stateId === null) return
      shownFor.current = stateId
      setSearch({ inspect: stateId })
    },
    [tree, taskId],
  )
  const press = useCallback(
    (id: string) => {
      const node = tree.nodes.get(id)
      if (node?.kind === 'older') {
        // The row goes away: the focus waits on the one beside it.
        const at = lines.findIndex((line) => line.node.id === id)
        const beside = lines[at + (id.endsWith('/earlier') ? 1 : -1)]
        if (beside) {
          setCurrent(beside.node.id)
          wanted.current = beside.node.id
        }
        showMore(id)
      } else if (node && stateIdOf(node, taskId) === null)
        turn([id], !(lines.find((line) => line.node.id === id)?.isOpen ?? true))
      else inspect(id)
    },
    [tree, lines, taskId, showMore, inspect, turn],
  )
  const onTurn = useCallback((id: string, isOpen: boolean) => turn([id], isOpen), [turn])

  const nameOf = useRowName()
  const jump = (kind: Jump, step: 1 | -1): void => {
    const hit = nextHit(tree, current, kind, step)
    // Failed steps may lie further back than what the tree holds: fetch a page more, and go there once it is here.
    const hidden = kind === 'error' ? hiddenErrors(tree) : []
    for (const id of hidden) showMore(id)
    const isLater = !hit && (hidden.length > 0 || isFetching)
    later.current = isLater ? step : null
    if (isLater) return
    if (!hit) {
      announce(t(kind === 'error' ? 'noErrors' : 'noWaits'))
      return
    }
    setFollowing(false)
    reveal(hit.id, true)
    announce(nameOf(hit, Date.now()))
  }
  // Joins the pages on their way: the jump that found nothing yet is made when they come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another tree can hold what was looked for.
  useEffect(() => {
    if (later.current !== null && !isFetching) jump('error', later.current)
  }, [tree, isFetching])
  useKey('e', t('nextError'), isCompact ? null : () => jump('error', 1))
  useKey('Shift+e', t('previousError'), isCompact ? null : () => jump('error', -1))
  useKey('w', t('nextWait'), isCompact ? null : () => jump('wait', 1))
  useKey('Shift+w', t('previousWait'), isCompact ? null : () => jump('wait', -1))
  useKey('f', t('followLive'), isCompact ? null : () => setFollowing(!isFollowing))

  const run = (act: TreeAct): void => {
    switch (act.do) {
      case 'focus':
        setFollowing(false)
        reveal(act.id, true)
        break
      case 'open':
        turn(act.ids, true)
        break
      case 'close':
        turn([act.id], false)
        break
      case 'inspect':
        press(act.id)
        break
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey && !event.metaKey && !event.altKey && goByCell(event)) event.preventDefault()
    if (event.metaKey || event.altKey || event.ctrlKey) return
    const here = current ?? lines[0]?.node.id ?? null
    const pageSize = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 280) / height) - 1)
    const act = actOf(lines, here, event.key, pageSize)
    if (act) {
      event.preventDefault()
      run(act)
      return
    }
    // Typing a name: letters that are no key of the page, and any letter once a name has begun.
    const isGoingOn = event.timeStamp - typed.current.at < TYPING_MS && typed.current.text !== ''
    if (event.key.length !== 1 || event.key === ' ' || (!isGoingOn && isPageKey(event.nativeEvent))) return
    typed.current = { text: (isGoingOn ? typed.current.text : '') + event.key, at: event.timeStamp }
    const found = findByName(lines, here, typed.current.text)
    event.preventDefault()
    if (found) run({ do: 'focus', id: found })
  }

  const buttons = (
    <>
      <Button look="quiet" icon={<CircleX aria-hidden />} title={t('nextError')} onClick={() => jump('error', 1)}>
        <span className={BESIDE_FILTERS}>{t('nextError')}</span>
      </Button>
      <Button look="quiet" icon={<Hourglass aria-hidden />} title={t('nextWait')} onClick={() => jump('wait', 1)}>
        <span className={BESIDE_FILTERS}>{t('nextWait')}</span>
      </Button>
    </>
  )
  return (
    <div className="@container/tree relative flex min-h-0 min-w-0 grow flex-col">
      {isCompact ? null : (
        <div
          role="toolbar"
          aria-label={t('tools')}
          className="flex shrink-0 flex-wrap items-center justify-end gap-x-1 py-1 px-5 @max-[480px]/tree:justify-between @max-[480px]/tree:gap-x-0 @max-[480px]/tree:pr-4 @max-[480px]/tree:pl-1 @max-[480px]/tree:[&>button]:px-1.5"
        >
          <TreeFilters filter={filter} members={data.members} />
          <span className="grow pl-2 text-meta text-t3 @max-[900px]/tree:hidden">
            {t('rows', { count: lineCount(tree) })}
          </span>
          {buttons}
          <Button
            look="quiet"
            aria-pressed={isFollowing}
            icon={
              <span
                aria-hidden
                className={cx(
                  'grid size-4 place-items-center rounded-control border',
                  isFollowing ? 'border-accent bg-accent text-on-accent' : 'border-line-strong bg-s2',
                )}
              >
                {isFollowing ? <Check className="size-3 stroke-3" /> : null}
              </span>
            }
            onClick={() => setFollowing(!isFollowing)}
          >
            {t('followLive')}
          </Button>
        </div>
      )}
      <div
        ref={probe}
        aria-hidden
        className={cx('invisible absolute h-7 w-0 touch:h-11', !isCompact && '@max-[480px]/tree:h-11')}
      />
      <div
        role="treegrid"
        aria-label={t('name')}
        aria-rowcount={lineCount(tree)}
        aria-colcount={isCompact ? 2 : 5}
        onKeyDown={onKeyDown}
        className="flex min-h-0 grow flex-col"
      >
        {isCompact ? null : (
          <div
            role="row"
            className={cx(
              COLUMNS,
              'h-7 shrink-0 overflow-hidden border-b border-line pr-5 pl-3 text-meta text-t3 [scrollbar-gutter:stable] @max-[480px]/tree:hidden',
            )}
          >
            <span role="columnheader" className="pl-5">
              {t('nameColumn')}
            </span>
            <span role="columnheader">{t('state')}</span>
            <span role="columnheader" className="text-right">
              {t('time')}
            </span>
            <span role="columnheader" className={cx('text-right', TOKENS)}>
              {t('tokens')}
            </span>
            <span role="columnheader" className={cx('text-right', COST)}>
              {t('cost')}
            </span>
          </div>
        )}
        <div
          ref={scroller}
          role="presentation"
          onWheel={(event) => {
            if (event.deltaY < 0) setFollowing(false)
          }}
          onTouchMove={() => setFollowing(false)}
          className={cx(
            'relative min-h-0 grow overflow-x-hidden overflow-y-auto',
            !isCompact && '[scrollbar-gutter:stable]',
          )}
        >
          {lines.length === 0 ? (
            <p role="status" className="px-5 py-6 text-t2">
              {t('nothingFits')}
            </p>
          ) : null}
          <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map((item) => {
              const line = lines[item.index]
              if (!line) return null
              const { node } = line
              const stateId = stateIdOf(node, taskId)
              return (
                <TreeLine
                  key={item.key}
                  id={lineId(node.id)}
                  line={line}
                  index={item.index + 1}
                  isCurrent={item.index === tabPlace}
                  isSelected={
                    inspected !== null &&
                    stateId === inspected &&
                    (node.kind !== 'agent' || node.id === (current ?? node.id))
                  }
                  isCompact={isCompact}
                  style={{ height: item.size, transform: `translateY(${item.start}px)` }}
                  onPress={press}
                  onTurn={onTurn}
                  onFocus={setCurrent}
                />
              )
            })}
          </div>
        </div>
      </div>
      {isCompact ? (
        <div className="flex h-11 shrink-0 items-center justify-between border-t border-line px-2">{buttons}</div>
      ) : null}
    </div>
  )
}

const placeOfLine = (lines: TreeData['lines'], id: string): number => lines.findIndex((line) => line.node.id === id)
