/** One chart as a picture. What it shows stands as words and as a table beside it (ChartCard). */
import { useLayoutEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useThemeColours } from '@/components/ui/hooks/useThemeColours'
import { useWidth } from '@/components/ui/hooks/useWidth'
import type { Chart, ChartColour } from './charts'

type BarChartProps = {
  chart: Pick<Chart, 'labels' | 'series'>
  /** Bars of a place stand side by side; else on top of each other. */
  isSideBySide: boolean
  /** The words at an axis. */
  formatValue: (value: number) => string
  formatLabel: (label: string) => string
  /** The place under the pointer; null: none. */
  onPoint: (place: number | null) => void
}

type ChartColours = Record<ChartColour | 'grid' | 'text', string> & { font: string }
const NAMES = ['accent', 'done', 'failed', 'waiting', 'idle', 'running', 'action'] as const satisfies ChartColour[]

const HEIGHT_PX = 160
const AXIS_PX = 56
const LABELS_PX = 26
/** Room for the widest label. */
const LABEL_PX = 64
const TEXT_PX = 12
/** Part of a place that its bars fill, and the most px of one. */
const BAR_PART = 0.7
const BAR_PX = 36
/** Places between two labels. */
const STEPS = [1, 2, 3, 7, 14, 30, 60, 90]

export function BarChart({ chart, isSideBySide, formatValue, formatLabel, onPoint }: BarChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const probe = useRef<HTMLSpanElement>(null)
  const colours = useThemeColours(probe, readChartColours)
  const width = useWidth(place)
  const words = useRef({ formatValue, formatLabel, onPoint })
  words.current = { formatValue, formatLabel, onPoint }
  // Joins the canvas: a picture is drawn anew when what it shows changes.
  useLayoutEffect(() => {
    if (place.current === null || colours === null || width === 0) return
    const { options, data } = pictureOf(chart, { isSideBySide, width, colours, words })
    const drawn = new uPlot(options, data, place.current)
    return () => drawn.destroy()
  }, [chart, isSideBySide, width, colours])
  return (
    <>
      <span ref={probe} aria-hidden className="invisible absolute" />
      <div ref={place} aria-hidden className="w-full overflow-hidden" style={{ height: HEIGHT_PX }} />
    </>
  )
}

function readChartColours(probe: HTMLElement): ChartColours {
  const computed = (name: string): string => {
    probe.style.color = `var(--color-${name})`
    return getComputedStyle(probe).color
  }
  const series = Object.fromEntries(NAMES.map((name) => [name, computed(name)])) as Record<ChartColour, string>
  return { ...series, grid: computed('line'), text: computed('t2'), font: getComputedStyle(probe).fontFamily }
}

type PictureParts = {
  isSideBySide: boolean
  width: number
  colours: ChartColours
  words: { readonly current: Pick<BarChartProps, 'formatValue' | 'formatLabel' | 'onPoint'> }
}

function pictureOf(
  { labels, series }: BarChartProps['chart'],
  { isSideBySide, width, colours, words }: PictureParts,
): { options: uPlot.Options; data: uPlot.AlignedData } {
  const bars = isSideBySide ? series.map(({ values }) => values) : stacked(series.map(({ values }) => values))
  const most = Math.max(0, ...bars.flat())
  const part = isSideBySide ? BAR_PART / series.length : BAR_PART
  const drawn = series.map(
    ({ colour }, n): uPlot.Series => ({
      fill: colours[colour],
      width: 0,
      points: { show: false },
      paths: uPlot.paths.bars?.({ size: [part, BAR_PX], align: isSideBySide ? (n === 0 ? -1 : 1) : 0 }),
    }),
  )
  // The highest of a stack first: the lower ones are drawn over it.
  const order = isSideBySide ? series.map((_, n) => n) : series.map((_, n) => series.length - 1 - n)
  const axis = { font: `${TEXT_PX}px ${colours.font}`, stroke: colours.text, ticks: { show: false } }
  return {
    data: [labels.map((_, n) => n), ...order.map((n) => bars[n] ?? [])],
    options: {
      width,
      height: HEIGHT_PX,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { time: false, range: () => [-0.5, labels.length - 0.5] },
        y: { range: () => [0, most === 0 ? 1 : most * 1.05] },
      },
      axes: [
        {
          ...axis,
          size: LABELS_PX,
          grid: { show: false },
          incrs: STEPS,
          space: LABEL_PX,
          values: (_, places) => places.map((n) => words.current.formatLabel(labels[n] ?? '')),
        },
        {
          ...axis,
          size: AXIS_PX,
          grid: { stroke: colours.grid, width: 1 },
          values: (_, values) =>
            values.map((value) => (most === 0 && value > 0 ? '' : words.current.formatValue(value))),
        },
      ],
      series: [{}, ...order.flatMap((n) => drawn[n] ?? [])],
      hooks: { setCursor: [(shown) => words.current.onPoint(shown.cursor.idx ?? null)] },
    },
  }
}

/** Each on top of those before it. */
function stacked(all: readonly number[][]): number[][] {
  const sums: number[][] = []
  for (const values of all) sums.push(values.map((value, n) => value + (sums.at(-1)?.[n] ?? 0)))
  return sums
}
