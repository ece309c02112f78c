/** The records of the world, which is reduced from the journal's entries. */

export * from '../asks/records'
export * from '../files/records'
export * from '../messages/records'
export * from '../steps/records'
export * from '../steps/toolRuleRecords'
export * from '../tasks/records'
export * from '../tasks/templateRecords'
export * from '../team/abilities'
export * from '../team/records'
export * from './values'
export * from './world'
