/** How the page shows a file, by the end of its name. Pure. */

import { decodeFileText } from '@/lib/format/decodeFileText'

type FileKind = 'markdown' | 'table' | 'json' | 'picture' | 'sound' | 'pdf' | 'document' | 'text'

const MIB = 1024 * 1024

const KINDS: readonly { kind: Exclude<FileKind, 'text'>; ends: RegExp; mime?: (end: string) => string }[] = [
  { kind: 'markdown', ends: /\.(md|markdown)$/i },
  { kind: 'table', ends: /\.(csv|tsv)$/i },
  { kind: 'json', ends: /\.(json|jsonl)$/i },
  { kind: 'picture', ends: /\.(png|jpe?g|gif|webp|avif)$/i, mime: (end) => `image/${end === 'jpg' ? 'jpeg' : end}` },
  { kind: 'sound', ends: /\.(mp3|wav|ogg|m4a|flac)$/i, mime: (end) => `audio/${end === 'mp3' ? 'mpeg' : end}` },
  { kind: 'pdf', ends: /\.pdf$/i },
  { kind: 'document', ends: /\.(xlsx|docx)$/i },
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
  document: 10 * MIB,
}

/** mime: for the browser's own memory; null: it is read as text. */
export type FileShape = { kind: FileKind; mime: string | null; mostBytes: number }

export function shapeOf(path: string): FileShape {
  const found = KINDS.find(({ ends }) => ends.test(path))
  const end = /\.([^.]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const kind = found?.kind ?? 'text'
  return { kind, mime: found?.mime?.(end) ?? null, mostBytes: MOST_BYTES[kind] }
}

/** A text in any encoding that can be told, or null where the bytes are none, as in pictures, archives and programs. */
export const fileText = (bytes: Uint8Array): string | null => decodeFileText(bytes)?.text ?? null

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
