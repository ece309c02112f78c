/** Runs a terminal program: an error that its user can fix is printed as one sentence, with exit code 1. */
import { readFileSync } from 'node:fs'
import { UnknownEventError } from '@/lib/mas/decode'
import { UnreadableEntryError } from '@/lib/mas/reduce/reduceAll'
import { BackupError } from '@/server/backup'
import { type Config, ConfigError, loadConfig } from '@/server/config'
import {
  DatabaseUnfitError,
  JournalUnfitError,
  StoreBrokenError,
  StoreDamagedError,
  StoreLockedError,
  StoreTooNewError,
} from '@/server/store'
import { printTrouble } from '@/server/terminal'

export { print, printTrouble } from '@/server/terminal'

const MENDABLE = [
  BackupError,
  ConfigError,
  DatabaseUnfitError,
  JournalUnfitError,
  StoreBrokenError,
  StoreDamagedError,
  StoreLockedError,
  StoreTooNewError,
  UnknownEventError,
  UnreadableEntryError,
]

/** System errors that are clear by themselves: no space, no permission, read-only. */
const SYSTEM_CODES = new Set(['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EDQUOT'])

type ErrorClass = new (...args: never[]) => Error

/** mendable: errors of this program that its user can fix */
export function inWords(work: () => Promise<void>, ...mendable: ErrorClass[]): void {
  work().catch((error: unknown) => {
    printTrouble(sentence(error, [...MENDABLE, ...mendable]))
    process.exit(1)
  })
}

/** The configuration of the current folder. Throws ConfigError. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config =>
  loadConfig(environment, (path) => readFileSync(path, 'utf8'), { folder: process.cwd() })

/** Arguments with exactly one folder. Throws BackupError with the usage. missing: the sentence when the folder is not named */
export function readArguments<Read extends { positionals: string[] }>(
  usage: string,
  missing: string,
  parse: () => Read,
): Read {
  try {
    const read = parse()
    if (read.positionals.length === 1) return read
  } catch (error) {
    throw new BackupError(`${error instanceof Error ? error.message : String(error)}\n  ${usage}`)
  }
  throw new BackupError(`${missing}\n  ${usage}`)
}

function sentence(error: unknown, mendable: readonly ErrorClass[]): string {
  if (!(error instanceof Error)) return String(error)
  const isMendable =
    mendable.some((kind) => error instanceof kind) ||
    ('code' in error && typeof error.code === 'string' && SYSTEM_CODES.has(error.code))
  return isMendable ? error.message : (error.stack ?? error.message)
}
