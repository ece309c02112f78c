/** The records of the world, which is reduced from the journal's entries. */

export * from './abilities'
export * from './agents'
export * from './files'
export * from './messages'
export * from './requests'
export * from './steps'
export * from './tasks'
export * from './templates'
export * from './values'
export * from './world'
