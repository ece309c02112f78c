import type { AgentId, StepId, TaskId, ThreadId } from '../ids'

/** sha: null if the file was too large to be read; kept: whether its content is stored. */
export type FileState = { sha: string | null; bytes: number; kept: boolean }

/**
 * The change of one file during a call.
 *
 * path    under the workspace, with slashes
 * before  null: it did not exist, or is unknown; its `sha` is null if it had not been read
 * now     null: removed
 * shared  a concurrent call may have made the change
 */
export type FileChange = {
  path: string
  change: 'made' | 'changed' | 'removed'
  before: FileState | null
  now: FileState | null
  shared: boolean
}

/** One version of a file. seq, at: of its entry; agent: the owner of the step, also a person who ran a tool by hand. */
export type FileVersion = Omit<FileChange, 'path'> & {
  seq: number
  at: number
  task: TaskId
  agent: AgentId
  step: StepId
  thread: ThreadId | null
}
