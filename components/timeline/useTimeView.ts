/** Which part of the time is shown: zoom, following what is new. */
import { useMemo, useState } from 'react'
import { useStable } from '@/components/ui/useStable'
import { isGrowing } from './model/barTimes'
import { PAD } from './model/drawing'
import { activityOf, gapsUntil } from './model/idle'
import type { TimelineRows } from './model/rows'
import type { TimeScale } from './model/timeScale'
import { following, movedBy, scaleOf, type TimeChoice, withTime, ZOOM_STEP, zoomedAt, zoomedTo } from './model/zoom'
import { useGrowingNow } from './useGrowingNow'

export type TimeView = {
  scale: TimeScale
  /** Of what goes on, epoch ms. */
  now: number
  /** The axis ends now. */
  isOpenEnded: boolean
  isFollowing: boolean
  setFollowing: (isFollowing: boolean) => void
  isFit: boolean
  showAll: () => void
  /** factor: above 1 is nearer; x: the place that stays, null: the middle */
  zoom: (factor: number, x: number | null) => void
  zoomStep: (step: 1 | -1) => void
  move: (px: number) => void
  brush: (one: number, other: number) => void
  showTime: (time: number) => void
}

type Times = { from: number; to: number | null; columnMs: number }

/** A change of less than this on the screen is not drawn, px. */
const STEP_PX = 1
/** Beside the largest zoom a frame is enough. */
const FRAME_MS = 16
/** An axis has a length. */
const LEAST_MS = 1_000

/** in: width: of the part of the grid with the time, px */
export function useTimeView(
  rows: TimelineRows,
  { from, to, columnMs }: Times,
  width: number,
  isSqueezed: boolean,
): TimeView {
  const [choice, setChoice] = useState<TimeChoice>(null)
  const [isFollowing, setFollows] = useState(to === null)
  const isOpenEnded = to === null
  const [pxPerMs, setPxPerMs] = useState(1)
  const stepMs = Math.max(FRAME_MS, STEP_PX / pxPerMs)
  const now = useGrowingNow(isOpenEnded && rows.lanes.some(({ lane }) => isGrowing(lane)), stepMs)
  const activity = useMemo(() => activityOf(rows, { from, columnMs }), [rows, from, columnMs])
  const lastDone = activity.last ?? now
  const end = Math.max(from + LEAST_MS, to ?? Math.max(now, lastDone))
  const axis = { from, to: end, gaps: isSqueezed ? gapsUntil(activity, end) : [] }
  const room = Math.max(1, width - PAD.start - PAD.end)
  const scale = scaleOf(axis, room, isFollowing ? following(scaleOf(axis, room, choice), choice) : choice)
  if (Math.abs(scale.pxPerMs - pxPerMs) > pxPerMs * 0.1) setPxPerMs(scale.pxPerMs)

  /** keepsFollowing: the reader did not turn away from what is new */
  const choose = (next: TimeChoice, keepsFollowing: boolean): void => {
    setChoice(next)
    if (!keepsFollowing) setFollows(false)
  }
  const zoom = useStable((factor: number, x: number | null) => {
    const isAtEnd = x === null && isFollowing
    choose(zoomedAt(axis, scale, factor, isAtEnd ? scale.width : (x ?? scale.width / 2)), isAtEnd)
  })
  return {
    scale,
    // The clock of a page at rest is up to 15 s behind what was done.
    now: Math.min(Math.max(now, lastDone), end),
    isOpenEnded,
    isFollowing,
    setFollowing: useStable((isOn: boolean) => {
      // What is shown stays: following only moves it from now on.
      if (!isOn && choice !== null) setChoice(movedBy(axis, scale, 0))
      setFollows(isOn)
    }),
    isFit: choice === null,
    showAll: useStable(() => choose(null, true)),
    zoom,
    zoomStep: (step) => zoom(ZOOM_STEP ** step, null),
    move: useStable((px: number) => {
      if (choice !== null) choose(movedBy(axis, scale, px), false)
    }),
    brush: useStable((one: number, other: number) => choose(zoomedTo(axis, scale, one, other), false)),
    showTime: useStable((time: number) => {
      const next = withTime(axis, scale, choice, time)
      if (next !== choice) choose(next, false)
    }),
  }
}
