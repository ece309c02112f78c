/** The title of an approval: what the call would do, in words. */
import { oneLine } from '@/lib/format/plainText'
import { beginningOf } from '@/lib/mas/bodies'
import type { Json } from '@/lib/mas/records'
import { type Said, said } from '@/lib/mas/said'
import { aboutOf } from '@/lib/mas/steps/callWords'
import { writtenFile } from '@/lib/mas/steps/writtenFile'
import type { ToolInfo } from '../../tools'

/** Characters of a tool's own title, and of a path, which keeps its end. */
const LONGEST_TITLE = 80
const LONGEST_PATH = 120

/** in: a path as a call names it. out: its place in the workspace and its size in bytes, null: no such file; null: not known */
export type FindFile = (path: string) => Promise<{ path: string; bytes: number | null } | null>

/**
 * in      args: as they would be sent
 * out     of a tool that writes a file whole: which, and its size; of another one: its title and its most
 *         telling argument; null: it has no title
 */
export async function callTitle(
  info: Pick<ToolInfo, 'title' | 'idempotent'>,
  args: Record<string, Json>,
  findFile: FindFile,
): Promise<Said | null> {
  // With other arguments it may write elsewhere, and a tool that is not idempotent adds to the file.
  const written = info.idempotent && Object.keys(args).length === 2 ? writtenFile(args) : null
  const found = written && (await findFile(written.path))
  if (written && found) {
    const path = found.path.length > LONGEST_PATH ? `…${found.path.slice(1 - LONGEST_PATH)}` : found.path
    const bytes = Buffer.byteLength(written.text)
    return found.bytes === null
      ? said('writesNew', { path, bytes })
      : said('writesChanged', { path, bytes, was: found.bytes })
  }
  const tool = beginningOf(oneLine(info.title ?? ''), LONGEST_TITLE)
  return tool === '' ? null : said('usesTool', { tool, about: aboutOf(args) })
}
