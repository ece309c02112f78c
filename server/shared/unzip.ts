/** A ZIP file of somebody else: its contents are listed before anything is inflated, and inflated one by one, within a size. */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

/** The file is no ZIP file, or is not whole. part: the file inside it; null: the ZIP file itself */
export class ZipError extends Error {
  override readonly name = 'ZipError'
  constructor(readonly part: string | null) {
    super(part === null ? 'this is not a ZIP file' : `${part} cannot be read`)
  }
}

/** bytes: its size as the ZIP file states it, which may be wrong. */
export type ZippedFile = {
  name: string
  bytes: number
  /** Its content, at most `most` bytes. Throws ZipError. */
  read(most: number): Promise<Buffer>
}

const inflating = promisify(inflateRaw)

const END = { mark: 0x06054b50, bytes: 22, longestComment: 0xffff }
const LISTED = { mark: 0x02014b50, bytes: 46 }
const LOCAL = { mark: 0x04034b50, bytes: 30 }
const [STORED, DEFLATED] = [0, 8]
const ENCRYPTED = 1

/**
 * The files in a ZIP file, in its order; none is read yet.
 *
 * in      most: so many files
 * out     null: it has more
 * faults  ZipError. Encrypted files, other methods than deflate, and files of 4 GiB are errors of their own part
 */
export function filesOfZip(zip: Buffer, most: number): ZippedFile[] | null {
  const end = endOf(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > most) return null
  const files: ZippedFile[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let n = 0; n < count; n++) {
    if (at + LISTED.bytes > end || zip.readUInt32LE(at) !== LISTED.mark) throw new ZipError(null)
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const next = at + LISTED.bytes + nameBytes + extra + comment
    if (next > end) throw new ZipError(null)
    const name = zip.toString('utf8', at + LISTED.bytes, at + LISTED.bytes + nameBytes)
    files.push(listedAt(zip, at, name))
    at = next
  }
  return files
}

/** Its end has a comment of any length, so it is searched from behind. */
function endOf(zip: Buffer): number {
  const first = Math.max(0, zip.length - END.bytes - END.longestComment)
  for (let at = zip.length - END.bytes; at >= first; at--) if (zip.readUInt32LE(at) === END.mark) return at
  throw new ZipError(null)
}

function listedAt(zip: Buffer, at: number, name: string): ZippedFile {
  const isEncrypted = (zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0
  const method = zip.readUInt16LE(at + 10)
  const [packed, bytes, local] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 42)]
  const content = (): Buffer => {
    if (local + LOCAL.bytes > zip.length || zip.readUInt32LE(local) !== LOCAL.mark) throw new ZipError(name)
    const from = local + LOCAL.bytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    if (isEncrypted || from + packed > zip.length) throw new ZipError(name)
    return zip.subarray(from, from + packed)
  }
  return {
    name,
    bytes,
    async read(most) {
      const packedContent = content()
      if (method === STORED && packed <= most) return packedContent
      if (method !== DEFLATED || most === 0) {
        if (method === DEFLATED && bytes === 0) return Buffer.alloc(0)
        throw new ZipError(name)
      }
      try {
        return await inflating(packedContent, { maxOutputLength: most })
      } catch {
        throw new ZipError(name)
      }
    },
  }
}
