/** Drawing shapes on a canvas in the colours of the theme. */
import { FILTER_STATES } from '@/components/tree/model/treeFilter'
import { BAR_PX, type Hue, type Shape, SUM_PX } from './model/drawing'

/** How wide the lines of an idle time are, and how far from each other. */
const HATCH_PX = 14
const HATCH_STEP_PX = 6

type Pair = { ink: string; fill: string }
export type Colours = Record<Hue, Pair> & {
  lane: string
  selected: string
  weak: string
  wait: string
  path: string
  grid: string
  gap: string
  now: string
}

/**
 * The colours as the browser computes them: a custom property by itself is only text. In forced colours they are the system's.
 *
 * in      probe: an element of the page that is not seen
 */
export function readColours(probe: HTMLElement): Colours {
  const computed = (ink: string, fill: string): Pair => {
    probe.style.color = `var(--color-${ink})`
    probe.style.backgroundColor = `var(--color-${fill})`
    const style = getComputedStyle(probe)
    return { ink: style.color, fill: style.backgroundColor }
  }
  const hues = Object.fromEntries(FILTER_STATES.map((hue) => [hue, computed(hue, `${hue}-b`)])) as Record<Hue, Pair>
  const { ink: wait, fill: lane } = computed('wait-line', 'bg')
  const { ink: path, fill: selected } = computed('t1', 'sel')
  const { ink: grid } = computed('line', 's1')
  const { ink: gap } = computed('line-strong', 's1')
  // Blocked is inverse ink: its edge is its fill.
  const blocked = { ...hues.blocked, ink: hues.blocked.fill }
  return {
    ...hues,
    blocked,
    lane,
    selected,
    weak: computed('t1', 's1').fill,
    wait,
    path,
    grid,
    gap,
    now: hues.running.ink,
  }
}

type Canvas = { width: number; height: number; ratio: number; row: number; start: number }

/** in: size of the canvas in px; ratio: pixels of the screen per px; row: height of a row; start: px left of the axis */
export function paint(
  context: CanvasRenderingContext2D,
  shapes: readonly Shape[],
  colours: Colours,
  { width, height, ratio, row, start }: Canvas,
): void {
  context.setTransform(ratio, 0, 0, ratio, start * ratio, 0)
  context.clearRect(-start, 0, width, height)
  for (const shape of shapes) drawShape(context, shape, colours, { left: -start, width, height, row })
}

function drawShape(
  context: CanvasRenderingContext2D,
  shape: Shape,
  colours: Colours,
  { left, width, height, row }: { left: number; width: number; height: number; row: number },
): void {
  switch (shape.is) {
    case 'row':
      context.fillStyle = shape.look === 'lane' ? colours.lane : colours.selected
      context.fillRect(left, shape.y, width, row)
      return
    case 'sum':
      context.fillStyle = colours[shape.hue].ink
      context.globalAlpha = 0.25 + 0.65 * shape.share
      context.fillRect(shape.x, shape.y, Math.max(1, shape.width), SUM_PX)
      context.globalAlpha = 1
      return
    case 'bar':
      context.fillStyle = colours[shape.hue].fill
      context.strokeStyle = colours[shape.hue].ink
      context.lineWidth = 1
      context.beginPath()
      context.roundRect(shape.x + 0.5, shape.y + 0.5, Math.max(1, shape.width - 1), BAR_PX - 1, 2)
      context.fill()
      context.stroke()
      return
    case 'call':
      context.fillStyle = colours.weak
      context.fillRect(shape.x + 1, shape.y + 1, Math.max(0, shape.width - 1), BAR_PX - 2)
      context.fillStyle = colours[shape.hue].ink
      context.globalAlpha = 0.5
      context.fillRect(shape.x + shape.width, shape.y + 1, 1, BAR_PX - 2)
      context.globalAlpha = 1
      return
    case 'failure':
      context.fillStyle = colours.failed.ink
      context.fillRect(shape.x - shape.width / 2, shape.y + 1, shape.width, BAR_PX - 2)
      return
    case 'wait':
      context.strokeStyle = colours.wait
      context.lineWidth = 2
      context.setLineDash([5, 4])
      context.beginPath()
      context.moveTo(shape.x, Math.round(shape.y))
      context.lineTo(shape.x + shape.width, Math.round(shape.y))
      context.stroke()
      context.setLineDash([])
      return
    case 'gap':
      drawHatch(context, shape.x, shape.width, height, colours.gap)
      return
    case 'grid':
      context.fillStyle = colours.grid
      context.fillRect(Math.round(shape.x), 0, 1, height)
      return
    case 'now':
      context.fillStyle = colours.now
      context.fillRect(Math.round(shape.x), 0, 2, height)
      return
    case 'path':
      context.fillStyle = colours.path
      context.fillRect(shape.x, shape.y, shape.width, 2)
      return
  }
}

/** Lines of an idle time, each as high as it is wide. */
function drawHatch(context: CanvasRenderingContext2D, x: number, width: number, height: number, colour: string): void {
  const shown = Math.min(width, HATCH_PX)
  const left = x + (width - shown) / 2
  context.save()
  context.beginPath()
  context.rect(left, 0, shown, height)
  context.clip()
  context.strokeStyle = colour
  context.globalAlpha = 0.45
  context.lineWidth = 1
  context.beginPath()
  for (let y = 0; y < height + shown; y += HATCH_STEP_PX) {
    context.moveTo(left, y)
    context.lineTo(left + shown, y - shown)
  }
  context.stroke()
  context.restore()
}
