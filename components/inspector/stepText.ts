/** What people read of a step's text. Pure. */

/** out: the path that was not found; null: another reason */
export const missingFile = (reason: string): string | null =>
  /ENOENT: no such file or directory, \w+ '([^']+)'/u.exec(reason)?.[1] ?? null
