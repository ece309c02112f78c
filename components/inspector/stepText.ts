/** What people read of a step's text. Pure. */

/** Without the blocks in which the built-in model keeps its plan and its outcome; Prompt and JSON show them. */
const JOB = /<(job|job_result)>[\s\S]*?<\/\1>/gu

export const readableText = (text: string): string => text.replace(JOB, '').trim()

/** out: the path that was not found; null: another reason */
export const missingFile = (reason: string): string | null =>
  /ENOENT: no such file or directory, \w+ '([^']+)'/u.exec(reason)?.[1] ?? null
