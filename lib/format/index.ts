/** Formats times, durations, numbers, money and sizes in every language. Pure: clock and zone are parameters. */
export { formatDuration, formatElapsed, speakElapsed } from './duration'
export { initialsOf } from './initials'
export { joinList, joinParts } from './list'
export { formatBytes, formatCost, formatCount, formatTokens } from './number'
export {
  dayIn,
  formatClock,
  formatDay,
  formatFull,
  formatSeconds,
  formatShortDay,
  formatTime,
  minutesOfDay,
  startOfDay,
  type TimeContext,
  type TimeStyle,
} from './time'
export { UNKNOWN } from './units'
