/**
 * Why a step failed, by what a person can do about it.
 *
 * format   no answer of its model could be taken
 * key      its model's server refuses the key, or has none
 * limit    a limit or the credit of its model's server is used up, or what was sent is too long for it
 * model    its model cannot be reached, refuses, or breaks off
 * tool     the tool, or the call of it
 * file     a file that it needs is not there
 * person   a person said no
 */
export const FAILURE_CAUSES = ['format', 'key', 'limit', 'model', 'tool', 'file', 'person'] as const
export type FailureCause = (typeof FAILURE_CAUSES)[number]

/** out: the path that a tool did not find, from its own words; null: another reason */
export const missingFile = (reason: string): string | null =>
  /ENOENT: no such file or directory, \w+ '([^']+)'/u.exec(reason)?.[1] ?? null
