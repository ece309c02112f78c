/** How times, lengths of time, numbers, money and sizes read, in every language. Pure: clock and zone come in. */
export { formatDuration, formatElapsed, speakElapsed } from './duration'
export { initialsOf } from './initials'
export { formatBytes, formatCost, formatCount, formatTokens } from './number'
export { formatClock, formatDay, formatFull, formatSeconds, formatTime, type TimeContext, type TimeStyle } from './time'
export { UNKNOWN } from './units'
