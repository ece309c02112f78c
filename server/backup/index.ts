/** The front door of server/backup. */
export { BackupError } from './BackupError'
export { type BackUpOptions, backUp } from './backUp'
export { checkRestored } from './checkRestored'
export type { Manifest } from './manifest'
export { restore, verifyBackup } from './restore'
