/** The exports of server/backup. */
export { BackupError } from './BackupError'
export { type BackUpOptions, backUp } from './backUp'
export { checkRestored } from './checkRestored'
export type { Manifest } from './manifest'
export { moveStore } from './moveStore'
export { restore, verifyBackup } from './restore'
