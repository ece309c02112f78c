/**
 * The HTTP interface: every body as a schema, its type inferred from it. The gateway checks requests with the schemas
 * and writes the OpenAPI document from them; everything else imports their types only, so that no browser loads zod for
 * them.
 */
export * from './account'
export * from './channels'
export * from './common'
export * from './directory'
export * from './files'
export * from './messages'
export * from './requests'
export * from './setup'
export * from './states'
export * from './steps'
export * from './system'
export * from './tasks'
export * from './tools'
