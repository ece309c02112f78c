/** Times, idle spans and "now" above the bars. A drag selects the span that fills the width. */
import { type PointerEvent, type RefObject, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { formatClock, formatElapsed, formatSeconds } from '@/lib/format'
import { PAD } from './model/drawing'
import { type AxisMarks, gapsWithWords } from './model/ticks'
import { BRUSH_LEAST } from './model/zoom'
import type { TimeView } from './useTimeView'

/** px of the word for now. */
const NOW_PX = 44
/** Where the words of the end begin. */
export const wordsEnd = ({ scale, isOpenEnded, now }: TimeView): number =>
  isOpenEnded && scale.xOf(now) <= scale.width + 1 ? scale.xOf(now) - NOW_PX / 4 : scale.width + PAD.end

type TimeAxisProps = { head: RefObject<HTMLDivElement | null>; marks: AxisMarks; view: TimeView }

export function TimeAxis({ head, marks, view }: TimeAxisProps) {
  const t = useTranslations('timeline')
  const locale = useLocale()
  const wordsOf = useTickWords(marks)
  const { span, ...brush } = useBrush(view)
  const end = view.scale.xOf(view.now)
  return (
    <div
      ref={head}
      aria-hidden
      data-axis=""
      title={t('brush')}
      className="relative min-w-0 grow cursor-crosshair touch-none overflow-hidden select-none"
      {...brush}
    >
      {span === null ? null : (
        <span
          className="absolute inset-y-0 bg-sel"
          style={{ left: span.from + PAD.start, width: span.to - span.from }}
        />
      )}
      {marks.ticks.map(({ at, x }, index) => (
        <AxisWord key={at} x={x}>
          {wordsOf(index)}
        </AxisWord>
      ))}
      {gapsWithWords(marks.gaps, wordsEnd(view)).map(({ ms, from, to }) => (
        <AxisWord key={from} x={(from + to) / 2}>
          {t('idle', { time: formatElapsed(ms, locale) })}
        </AxisWord>
      ))}
      {view.isOpenEnded && end <= view.scale.width + 1 ? (
        <span
          className="absolute top-1.5 font-medium text-running"
          style={{
            right: `calc(100% - ${Math.min(end + PAD.start + PAD.end, view.scale.width + PAD.start + PAD.end - 2)}px)`,
          }}
        >
          {t('now')}
        </span>
      ) : null}
    </div>
  )
}

const AxisWord = ({ x, children }: { x: number; children: string }) => (
  <span className="absolute top-1.5 -translate-x-1/2 whitespace-nowrap" style={{ left: x + PAD.start }}>
    {children}
  </span>
)

/** The clock at a mark: with the day where it is another than at the mark before. */
function useTickWords({ ticks, step }: AxisMarks): (index: number) => string {
  const how = useTimeStyle()
  return (index) => {
    const at = ticks[index]?.at ?? 0
    const before = ticks[index - 1]?.at ?? at
    if (step >= 60_000) return formatClock(at, { ...how, now: before })
    const seconds = formatSeconds(at, how)
    return step >= 1_000 ? seconds : `${seconds}.${String(((at % 1_000) + 1_000) % 1_000).padStart(3, '0')}`
  }
}

/** out: handlers of the axis, and the span that is selected just now, px */
function useBrush({ brush }: TimeView) {
  const [drag, setDrag] = useState<{ start: number; x: number } | null>(null)
  const xOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number =>
    clientX - currentTarget.getBoundingClientRect().left - PAD.start
  const span = drag && { from: Math.min(drag.start, drag.x), to: Math.max(drag.start, drag.x) }
  return {
    span,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ start: xOf(event), x: xOf(event) })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const x = xOf(event)
      setDrag((before) => before && { ...before, x })
    },
    onPointerUp: () => {
      setDrag(null)
      if (span !== null && span.to - span.from >= BRUSH_LEAST) brush(span.from, span.to)
    },
    onPointerCancel: () => setDrag(null),
  }
}
