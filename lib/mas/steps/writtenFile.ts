/** Which file a call would write, by its arguments. */
import { isJsonObject } from '@/lib/json'
import type { Json } from '../records'

/** Names of arguments that say which file a call writes, and which hold what it writes. */
const PATHS = ['path', 'file', 'filename', 'file_path', 'filepath']
const CONTENTS = ['content', 'contents', 'text', 'body', 'data']

/** The file that a call writes whole, and the argument that holds its new text; null: it writes none. */
export function writtenFile(args: Json): { path: string; field: string; text: string } | null {
  if (!isJsonObject(args)) return null
  const named = (names: readonly string[]): [string, string] | null => {
    for (const name of names) {
      const value = args[name]
      if (typeof value === 'string') return [name, value]
    }
    return null
  }
  const [path, content] = [named(PATHS), named(CONTENTS)]
  if (path === null || path[1].trim() === '' || content === null) return null
  return { path: path[1], field: content[0], text: content[1] }
}
