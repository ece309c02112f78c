/** The exports of the wire: what page and server say to each other. Of the HTTP interface the types alone (./http). */
export * from './directory'
export * from './drafts'
export type * from './http'
export * from './levels'
export * from './rows'
export * from './search'
export * from './views'
