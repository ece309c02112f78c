import { shownFileName } from '@/lib/format/fileName'

const LONG_ENOUGH_MS = 10_000

/** Save a file. content: bytes, or text; it is never opened as a page. */
export function saveFile(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = shownFileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), LONG_ENOUGH_MS)
}
