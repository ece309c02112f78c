/** The records of the world: what the journal's entries add up to. */

export * from './agents'
export * from './files'
export * from './messages'
export * from './requests'
export * from './steps'
export * from './tasks'
export * from './templates'
export * from './values'
export * from './world'
