/** Runs a terminal program: an error that its user can fix is printed as one sentence, with exit code 1. */
import { BackupError } from '@/server/backup'
import { ConfigError } from '@/server/config'
import {
  DatabaseUnfitError,
  StoreBrokenError,
  StoreDamagedError,
  StoreLockedError,
  StoreTooNewError,
} from '@/server/store'

const MENDABLE = [
  BackupError,
  ConfigError,
  DatabaseUnfitError,
  StoreBrokenError,
  StoreDamagedError,
  StoreLockedError,
  StoreTooNewError,
]

/** System errors that are clear by themselves: no space, no permission, read-only. */
const SYSTEM_CODES = new Set(['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EDQUOT'])

export function inWords(work: (print: (line: string) => void) => Promise<void>): void {
  work((line) => process.stdout.write(`${line}\n`)).catch((error: unknown) => {
    process.stderr.write(`${sentence(error)}\n`)
    process.exit(1)
  })
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isMendable =
    MENDABLE.some((kind) => error instanceof kind) ||
    ('code' in error && typeof error.code === 'string' && SYSTEM_CODES.has(error.code))
  return isMendable ? error.message : (error.stack ?? error.message)
}
