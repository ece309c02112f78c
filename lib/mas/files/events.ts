/** Events of files in the workspace. */
import type { ThreadId } from '../ids'
import type { FileChange } from '../records'
import type { OfStep } from '../steps/events'

export type FileEvents = {
  /**
   * Files of the workspace that changed during a tool call. more: number of changes that are not listed; complete: false if the
   * workspace was too large and only files named in the call were compared; keep: number of versions of a file in the world
   */
  'files.changed': OfStep & {
    thread: ThreadId | null
    changes: FileChange[]
    more: number
    complete: boolean
    keep: number
  }
}
