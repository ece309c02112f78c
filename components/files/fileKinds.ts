/** How the page shows a file, by the end of its name. Pure. */

type FileKind = 'markdown' | 'table' | 'json' | 'picture' | 'sound' | 'pdf' | 'text'

const MIB = 1024 * 1024

const KINDS: readonly { kind: Exclude<FileKind, 'text'>; ends: RegExp; mime?: (end: string) => string }[] = [
  { kind: 'markdown', ends: /\.(md|markdown)$/i },
  { kind: 'table', ends: /\.(csv|tsv)$/i },
  { kind: 'json', ends: /\.(json|jsonl)$/i },
  { kind: 'picture', ends: /\.(png|jpe?g|gif|webp|avif)$/i, mime: (end) => `image/${end === 'jpg' ? 'jpeg' : end}` },
  { kind: 'sound', ends: /\.(mp3|wav|ogg|m4a|flac)$/i, mime: (end) => `audio/${end === 'mp3' ? 'mpeg' : end}` },
  { kind: 'pdf', ends: /\.pdf$/i },
]

/** A larger file is offered as a download only. */
const MOST_BYTES: Record<FileKind, number> = {
  markdown: MIB,
  table: 4 * MIB,
  json: 4 * MIB,
  text: MIB,
  picture: 25 * MIB,
  sound: 25 * MIB,
  pdf: 25 * MIB,
}

/** mime: for the browser's own memory; null: it is read as text. */
export type FileShape = { kind: FileKind; mime: string | null; mostBytes: number }

export function shapeOf(path: string): FileShape {
  const found = KINDS.find(({ ends }) => ends.test(path))
  const end = /\.([^.]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const kind = found?.kind ?? 'text'
  return { kind, mime: found?.mime?.(end) ?? null, mostBytes: MOST_BYTES[kind] }
}

/** A text, or null where the bytes are none: no UTF-8, or a zero byte, as in pictures, archives and programs. */
export function fileText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
