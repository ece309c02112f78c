/** Front door of the wire: what page and server say to each other. */
export * from './directory'
export * from './drafts'
export * from './http'
export * from './rows'
export * from './views'
