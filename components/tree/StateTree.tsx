// biome-ignore-all lint/a11y/useSemanticElements: lines that are placed one by one in a window cannot be rows of a table.
import { useCallback, useContext, useEffect, useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { MomentTimeContext } from '@/client/momentTime'
import { cx } from '@/components/ui/cx'
import { EarlierLine } from './EarlierLine'
import { firstStart } from './model/axis'
import { slotsOf } from './model/slots'
import type { TreeFilter } from './model/treeFilter'
import { lineCount, TASK_NODE, wholeCount } from './model/treeModel'
import type { Room } from './room'
import { AxisFrom, useAxisLength } from './TreeBar'
import { TreeLine } from './TreeLine'
import { TreeStrip } from './TreeStrip'
import { JumpButtons, TreeToolbar } from './TreeToolbar'
import { COLUMN_COUNT, TreeHead, treegridStyle } from './treeColumns'
import { useLineSize } from './useLineSize'
import { useRowPlaces } from './usePlaces'
import type { TreeData } from './useTreeData'
import { type TreeFocus, useTreeFocus } from './useTreeFocus'
import { useTreeInspect } from './useTreeInspect'
import { useTreeJumps } from './useTreeJumps'
import { useTreeKeyDown } from './useTreeKeyDown'

type StateTreeProps = { taskId: string; data: TreeData; filter: TreeFilter; isCompact: boolean }

export function StateTree({ taskId, data, filter, isCompact }: StateTreeProps) {
  const t = useTranslations('tree')
  const { tree, lines } = data
  const { probe, height, room } = useLineSize()
  const focus = useTreeFocus(data, height)
  const { isInspecting, selected, press } = useTreeInspect(taskId, data, focus)
  const task = tree.nodes.get(TASK_NODE)
  const count = useMemo(() => wholeCount(tree), [tree])
  const isRunning = task === undefined ? null : task.endedAt === null
  // At a moment there is no line of the task: its axis ends with the moment.
  const momentTime = useContext(MomentTimeContext)
  const axisFrom = task?.startedAt ?? (momentTime === null ? null : firstStart(tree.children.get('') ?? []))
  const grid = useRef<HTMLDivElement>(null)
  useAxisLength(grid, axisFrom, momentTime ?? task?.endedAt ?? null)
  const jumps = useTreeJumps(data, focus, isInspecting ? false : isRunning, !isCompact)
  const stopFollowing = (): void => jumps.setFollowing(false)
  const onKeyDown = useTreeKeyDown(data, focus, height, press, stopFollowing)
  return (
    <div className="@container/tree relative flex min-h-0 min-w-0 grow flex-col">
      {isCompact ? null : <TreeToolbar {...jumps} members={data.members} count={count} filter={filter} />}
      <div
        ref={probe}
        aria-hidden
        className={cx('invisible absolute h-7 w-0 touch:h-11', !isCompact && '@max-[480px]/tree:h-11')}
      />
      {isCompact ? null : <EarlierLine earlier={data.earlier} />}
      <div
        ref={grid}
        role="treegrid"
        aria-label={t('name')}
        aria-rowcount={lineCount(tree)}
        aria-colcount={isCompact ? 2 : COLUMN_COUNT}
        onKeyDown={onKeyDown}
        style={treegridStyle(room, isCompact)}
        className="flex min-h-0 grow flex-col"
      >
        {isCompact ? null : <TreeHead room={room} />}
        <div
          ref={focus.lineWindow.scroller}
          role="presentation"
          onWheel={({ deltaY }) => deltaY < 0 && stopFollowing()}
          onTouchMove={stopFollowing}
          className={cx('page-scroll', !isCompact && '[scrollbar-gutter:stable]')}
        >
          {isCompact ? null : <TreeStrip data={data} lineWindow={focus.lineWindow} height={height} />}
          {lines.length === 0 ? (
            <p role="status" className="px-5 py-6 text-t2">
              {t('nothingFits')}
            </p>
          ) : null}
          <AxisFrom value={axisFrom}>
            <TreeRows
              data={data}
              focus={focus}
              selected={selected}
              press={press}
              height={height}
              room={room}
              isCompact={isCompact}
            />
          </AxisFrom>
        </div>
      </div>
      {isCompact ? (
        <div className="flex h-11 [anchor-name:--tree-foot] shrink-0 items-center justify-between border-t border-line px-2">
          <JumpButtons jump={jumps.jump} />
        </div>
      ) : null}
    </div>
  )
}

type TreeRowsProps = Pick<StateTreeProps, 'data' | 'isCompact'> & {
  focus: TreeFocus
  /** The line of what the inspector shows, or null. */
  selected: string | null
  press: (id: string) => void
  /** Of a line, in pixels. */
  height: number
  room: Room
}

/** The lines in the window, in the elements of those that were there before. */
function TreeRows({ data, focus, selected, press, height, room, isCompact }: TreeRowsProps) {
  const { lines, turn } = data
  const { drawn, pinned, setCurrent, tabPlace } = focus
  const onTurn = useCallback((id: string, isOpen: boolean) => turn([id], isOpen), [turn])
  const group = useRef<HTMLDivElement>(null)
  const slots = useRef<ReadonlyMap<string, number>>(new Map())
  slots.current = slotsOf(
    slots.current,
    drawn.map((place) => lines[place]?.node.id ?? ''),
  )
  useRowPlaces(group, lines, focus, height)
  const { seen } = data.earlier
  // Joins the pages of earlier steps: those in the window are kept.
  useEffect(() => seen(drawn.flatMap((place) => lines[place]?.node.id ?? [])), [seen, drawn, lines])
  return (
    <div ref={group} role="rowgroup" className="relative isolate" style={{ height: focus.lineWindow.total }}>
      {drawn.map((place) => {
        const line = lines[place]
        if (!line) return null
        const { node } = line
        const at = pinned.indexOf(place)
        return (
          <TreeLine
            key={slots.current.get(node.id)}
            id={focus.elementId(node.id)}
            node={node}
            level={line.level}
            isOpen={line.isOpen}
            isCurrent={place === tabPlace}
            isSelected={node.id === selected}
            isCompact={isCompact}
            pinned={at < 0 ? null : at}
            height={height}
            room={room}
            onPress={press}
            onTurn={onTurn}
            onFocus={setCurrent}
          />
        )
      })}
    </div>
  )
}
