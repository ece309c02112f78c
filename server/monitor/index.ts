/** Front door of the monitor: what browsers look at, kept true. */

export { locateStep, requestFor } from './classes'
export { type MonitorConnection, type Monitor, type MonitorParts, openMonitor } from './monitor'
export { leftTalkRows } from './rows/talk'
export { waitsFor } from './rows/waitRows'
export { whoOf } from './rows/who'
