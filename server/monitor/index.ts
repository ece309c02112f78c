/** The exports of the monitor: what browsers look at, kept true. */

export { compareMoments } from './compareMoments'
export { scopeOfMoment, worldOfMoment } from './moments'
export { type Monitor, openMonitor } from './monitor'
export { tryViews } from './placing'
export { requestsFor } from './rows/requestList'
export { rowsOfSteps, type TreeLane, treeLanesOf } from './rows/stepsOfTree'
export { waitsFor } from './rows/waitRows'
export { requestFor } from './scopes'
export type { MonitorConnection } from './subs'
