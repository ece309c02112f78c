/** A ZIP file, made and given piece by piece: what it holds is never whole in memory. */
import { Zip, ZipDeflate } from 'fflate'
import { takingTurns } from './pieces'

/** content: in pieces of any size. */
export type ZipEntry = { name: string; content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }

const PIECE_BYTES = 64 * 1024

/** in: at: epoch ms, the time of all entries */
export async function* zipPieces(entries: AsyncIterable<ZipEntry>, at: number): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const failures: Error[] = []
  const zip = new Zip((error, piece) => {
    if (error) failures.push(error)
    else made.push(piece)
  })
  const taken = (): Uint8Array[] => {
    const [failure] = failures
    if (failure) throw failure
    return made.splice(0)
  }
  const turn = takingTurns()
  for await (const { name, content } of entries) {
    const file = new ZipDeflate(name, { level: 6 })
    file.mtime = at
    zip.add(file)
    for await (const whole of content) {
      for (let from = 0; from < whole.length; from += PIECE_BYTES) {
        file.push(whole.subarray(from, from + PIECE_BYTES))
        yield* taken()
        await turn()
      }
    }
    file.push(new Uint8Array(), true)
    yield* taken()
  }
  zip.end()
  yield* taken()
}
