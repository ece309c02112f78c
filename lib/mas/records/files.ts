import type { AgentId, StepId, TaskId, ThreadId } from '../ids'

/** sha: null when the file was too large to be read; kept: whether its content is in the store. */
export type FileState = { sha: string | null; bytes: number; kept: boolean }

/**
 * What became of one file while a call ran.
 *
 * path    under the workspace, with slashes
 * before  null: it did not exist, or is not known; its `sha` is null when nobody had read it
 * now     null: it was removed
 * shared  other calls ran at the same time, and one of them may have done it
 */
export type FileChange = {
  path: string
  change: 'made' | 'changed' | 'removed'
  before: FileState | null
  now: FileState | null
  shared: boolean
}

/** One version of a file. seq, at: of the entry that recorded it; agent: whose step it was, also a person who ran a tool by hand. */
export type FileVersion = Omit<FileChange, 'path'> & {
  seq: number
  at: number
  task: TaskId
  agent: AgentId
  step: StepId
  thread: ThreadId | null
}
