/** A backup or a restore that cannot be made; the sentence says why and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
