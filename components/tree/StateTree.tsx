/** The treegrid “State tree”: windowed lines, one of them with the focus, following what moves. */
// biome-ignore-all lint/a11y/useSemanticElements: lines that are placed one by one in a window cannot be rows of a table.
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { cx } from '@/components/ui/cx'
import { TreeLine } from './TreeLine'
import { JumpButtons, TreeToolbar } from './TreeToolbar'
import { COLUMN_COUNT, TreeHead } from './treeColumns'
import type { TreeFilter } from './treeFilter'
import { lineCount, stateIdOf } from './treeModel'
import type { TreeData } from './useTreeData'
import { useTreeFocus } from './useTreeFocus'
import { useTreeInspect } from './useTreeInspect'
import { useTreeJumps } from './useTreeJumps'
import { useTreeKeyDown } from './useTreeKeyDown'

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
  const { tree, lines, turn } = data
  const { probe, height } = useLineHeight()
  const focus = useTreeFocus(data, height)
  const { scroller, virtualizer, current, setCurrent, tabPlace } = focus
  const { inspected, press } = useTreeInspect(taskId, data, focus)
  const jumps = useTreeJumps(data, focus, inspected === null, !isCompact)
  const stopFollowing = (): void => jumps.setFollowing(false)
  const onKeyDown = useTreeKeyDown(data, focus, height, press, stopFollowing)
  const onTurn = useCallback((id: string, isOpen: boolean) => turn([id], isOpen), [turn])
  return (
    <div className="@container/tree relative flex min-h-0 min-w-0 grow flex-col">
      {isCompact ? null : <TreeToolbar data={data} filter={filter} jumps={jumps} />}
      <div
        ref={probe}
        aria-hidden
        className={cx('invisible absolute h-7 w-0 touch:h-11', !isCompact && '@max-[480px]/tree:h-11')}
      />
      <div
        role="treegrid"
        aria-label={t('name')}
        aria-rowcount={lineCount(tree)}
        aria-colcount={isCompact ? 2 : COLUMN_COUNT}
        onKeyDown={onKeyDown}
        className="flex min-h-0 grow flex-col"
      >
        {isCompact ? null : <TreeHead />}
        <div
          ref={scroller}
          role="presentation"
          onWheel={({ deltaY }) => deltaY < 0 && stopFollowing()}
          onTouchMove={stopFollowing}
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
              // An agent has a line in each stage: the one with the focus is the selected.
              const isThisLine = node.kind !== 'agent' || node.id === (current ?? node.id)
              return (
                <TreeLine
                  key={item.key}
                  id={focus.elementId(node.id)}
                  line={line}
                  index={item.index + 1}
                  isCurrent={item.index === tabPlace}
                  isSelected={inspected !== null && stateIdOf(node, taskId) === inspected && isThisLine}
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
        <div className="flex h-11 shrink-0 items-center justify-between border-t border-line px-2">
          <JumpButtons jump={jumps.jump} />
        </div>
      ) : null}
    </div>
  )
}
