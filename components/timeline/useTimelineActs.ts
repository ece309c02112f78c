/** What presses and keys do, and showing the bar that the address names. */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { gridKey } from '@/client/actions/keyboard'
import { navigate, pathTo, setSearch, useSearchParam } from '@/client/nav'
import { stateIdOfAgent } from '@/components/inspector/stateIds'
import { goByCell } from '@/components/tree/useTreeKeyDown'
import { useStable } from '@/components/ui/useStable'
import { spanOf } from './model/barTimes'
import { type TimelineAction, timelineKey } from './model/keys'
import { indexOf, type LoadedBars, placeOfBar, rowAt } from './model/rows'
import type { TimelineData } from './useTimelineData'
import type { TimelineFocus } from './useTimelineFocus'
import type { TimeView } from './useTimeView'

const STEP = 'StepState_'

/** The step that the address names; null: none. */
export function useSelectedStep(): string | null {
  const inspected = useSearchParam('inspect')
  return inspected?.startsWith(STEP) ? inspected.slice(STEP.length) : null
}

/** in: selected: the step that the address names. out: press: what a click on a row does */
export function useTimelineActs(
  { rows, turn }: TimelineData,
  pages: readonly LoadedBars[],
  { current, reveal, rowWindow }: TimelineFocus,
  { zoomStep, showAll, showTime }: TimeView,
  height: number,
  selected: string | null,
): { press: (index: number) => void; onKeyDown: (event: KeyboardEvent) => void } {
  const shown = useRef<string | null>(null)
  // Joins the address: what it names is shown once its bar is there.
  useEffect(() => {
    if (selected === null || shown.current === selected) return
    const place = placeOfBar(rows, pages, selected)
    if (place === null) return
    if (rows.lanes.some(({ lane, isOpen }) => lane.agent === place.agent && !isOpen)) {
      turn(place.agent, true)
      return
    }
    shown.current = selected
    const index = indexOf(rows, place)
    if (index !== current) reveal(index, false)
  }, [selected, rows, pages, current, reveal, turn])

  const press = useStable((index: number): void => {
    const row = rowAt(rows, pages, index)
    if (row === null) return
    reveal(index, false)
    if (row.kind === 'lane') {
      const { kind, id } = row.lane.who
      if (kind !== 'system') setSearch({ inspect: stateIdOfAgent(kind, id), stage: null })
    } else if (row.bar?.request) navigate(pathTo('request', { requestId: row.bar.request }))
    else if (row.bar?.step) {
      shown.current = row.bar.step
      setSearch({ inspect: `${STEP}${row.bar.step}`, stage: null })
    }
  })
  const run = (action: TimelineAction): void => {
    switch (action.do) {
      case 'focus': {
        const row = rowAt(rows, pages, action.index)
        const span = row?.kind === 'bar' && row.bar ? spanOf(row.bar) : null
        if (span) showTime(span.from)
        reveal(action.index, true)
        return
      }
      case 'turn':
        reveal(action.index, true)
        turn(action.agent, action.isOpen)
        return
      case 'inspect':
        press(action.index)
        return
      case 'zoom':
        zoomStep(action.step)
        return
      case 'fit':
        showAll()
        return
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey && !event.metaKey && !event.altKey && goByCell(event)) event.preventDefault()
    if (event.metaKey || event.altKey || event.ctrlKey) return
    const pageSize = Math.max(1, Math.floor(rowWindow.room / height) - 1)
    const action = timelineKey(gridKey(event), { rows, pages }, current, pageSize)
    if (action === null) return
    event.preventDefault()
    run(action)
  }
  return { press, onKeyDown }
}
