/** One plain sentence for what keeps Convene from starting and its user can fix; no stack. */
import { UnknownEventError } from '@/lib/mas/decode'
import { UnreadableEntryError } from '@/lib/mas/reduce/reduceAll'
import { errorCode } from '@/server/shared/errors'
import { StoreBrokenError, StoreDamagedError } from './store'

/** Their messages name the place in the journal and what to do. */
const SAID = [StoreDamagedError, UnknownEventError, UnreadableEntryError]

/** in: what was thrown, and where the journal is: a folder or a database. out: the sentence; null: a defect, which needs its stack */
export function startTrouble(error: unknown, place: string): string | null {
  if (SAID.some((kind) => error instanceof kind) && error instanceof Error) return error.message
  if (error instanceof StoreBrokenError) return storeTrouble(error, place)
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : place
  return sentenceOf(errorCode(error), path)
}

function storeTrouble({ cause, message }: StoreBrokenError, place: string): string {
  return (
    sentenceOf(errorCode(cause), place) ?? `${place} cannot be used: ${message}. If a copy of it exists, put it back.`
  )
}

function sentenceOf(code: string, path: string): string | null {
  switch (code.replace(/^(SQLITE_(?:IOERR|READONLY|CANTOPEN|FULL|BUSY|PERM))_.*$/, '$1')) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
    case 'SQLITE_FULL':
      return `There is no space left on the disk of ${path}. Make room there and start again.`
    case 'EROFS':
    case 'SQLITE_READONLY':
      return `${path} is on a file system that can only be read. Mount it for writing, or set CONVENE_DATA and CONVENE_WORKSPACE to folders elsewhere.`
    case 'EACCES':
    case 'EPERM':
    case 'SQLITE_PERM':
    case 'SQLITE_CANTOPEN':
      return `This user may not write to ${path}. Look at whom it belongs to and at its rights.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `${path} is a file, or lies below one, where a folder is needed. Move that file away, or set CONVENE_DATA and CONVENE_WORKSPACE to folders elsewhere.`
    case 'EISDIR':
      return `${path} is a folder where a file is needed. Move it away.`
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open on this machine for one more. Raise the limit (ulimit -n) and start again.'
    case 'EIO':
    case 'SQLITE_IOERR':
      return `The disk of ${path} does not answer as it should (${code}). Look at the disk.`
    case 'SQLITE_BUSY':
      return `Another program keeps ${path} locked. End it and start again.`
    default:
      return null
  }
}
