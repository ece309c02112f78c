/** Files dropped beside a request: which can be sent, and under which name. Pure except for reading the files. */
import { fileText } from '@/components/files/fileKinds'

export const FILE_BYTES = 2_000_000
export const ALL_FILES_BYTES = 8_000_000
export const MOST_FILES = 20

/** sha: of an uploaded file, which the draft refers to; otherwise its text is held here. */
export type WorkFile = { name: string; bytes: number } & (
  | { text: string; sha?: undefined }
  | { sha: string; text?: undefined }
)
export type DroppedFile = { name: string; size: number; bytes: () => Promise<Uint8Array> }
export type RefusedFile = { name: string; why: 'large' | 'many' | 'all' | 'binary' | 'unreadable' }

/** A name that is not used yet: prices.csv, prices (2).csv. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${stem} (${number})${ending}`
  return free
}

/**
 * Read what was dropped.
 *
 * in      held: files that were added before
 * out     held and the new ones that can be sent; and each refused one with the reason
 */
export async function addFiles(
  held: readonly WorkFile[],
  dropped: readonly DroppedFile[],
): Promise<{ files: WorkFile[]; refused: RefusedFile[] }> {
  const files = [...held]
  const refused: RefusedFile[] = []
  for (const file of dropped) {
    const refuse = (why: RefusedFile['why']): number => refused.push({ name: file.name, why })
    const sum = files.reduce((all, one) => all + one.bytes, 0)
    if (files.length >= MOST_FILES) refuse('many')
    else if (file.size > FILE_BYTES) refuse('large')
    else if (sum + file.size > ALL_FILES_BYTES) refuse('all')
    else {
      const bytes = await file.bytes().catch(() => null)
      const text = bytes === null ? null : fileText(bytes)
      if (bytes === null) refuse('unreadable')
      else if (text === null) refuse('binary')
      else files.push({ name: freeName(file.name, new Set(files.map((one) => one.name))), text, bytes: bytes.length })
    }
  }
  return { files, refused }
}

/** Insert a path at the cursor, with a space on either side where needed. */
export function insertPath(text: string, path: string, at: number): { text: string; cursor: number } {
  const before = text.slice(0, at)
  const after = text.slice(at)
  const put = `${before === '' || /\s$/.test(before) ? '' : ' '}${path}${/^[\s,.;:!?]/.test(after) ? '' : ' '}`
  return { text: before + put + after, cursor: (before + put).length }
}
