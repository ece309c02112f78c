/** Small bars of recent activity in a line of a table, with their sum as words. */
import { cx } from '../cx'

const WIDTH_PX = 72
const HEIGHT_PX = 18
/** A place with anything is at least this high. */
const LEAST_PX = 2

/** in: values: the oldest first; absent: there were none. label: what it says in words */
export function Sparkline({
  values = [],
  label,
  className,
}: {
  values?: readonly number[]
  label: string
  className?: string
}) {
  const most = Math.max(...values, 0)
  if (most === 0) return <span className={cx('text-t3', className)}>—</span>
  const step = WIDTH_PX / values.length
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`}
      className={cx('inline-block h-[1.125rem] w-18 align-middle text-accent', className)}
    >
      <title>{label}</title>
      {values.map((value, n) => {
        const height = value === 0 ? 0 : Math.max(LEAST_PX, (value / most) * HEIGHT_PX)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a place in time is its own identity.
            key={n}
            x={n * step}
            y={HEIGHT_PX - height}
            width={step - 1}
            height={height}
            fill="currentColor"
          />
        )
      })}
    </svg>
  )
}
