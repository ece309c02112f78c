/** Large answers as JSON, made and written piece by piece: the event loop turns in between, and a slow reader holds one piece. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** JSON text, in order. */
export type JsonPieces = AsyncGenerator<string, void, undefined>

const PIECE_LENGTH = 64 * 1024
const LONGEST_WORK_MS = 10

/** Yields to the event loop after 10 ms of work. clock: monotonic ms. out: to be awaited after each portion. */
export function takingTurns(clock = () => performance.now()): () => Promise<void> | undefined {
  let since = clock()
  return () => {
    if (clock() - since < LONGEST_WORK_MS) return undefined
    return nextTurn().then(() => {
      since = clock()
    })
  }
}

/** `[one,two]` between `open` and `close`: `open` and `close` are JSON text too. */
export async function* listPieces(items: AsyncIterable<unknown>, open = '[', close = ']'): JsonPieces {
  async function* texts(): AsyncGenerator<string> {
    for await (const item of items) yield JSON.stringify(item)
  }
  yield* joined(texts(), open, close)
}

/** `{"name":value,…}`; the names are different ones. */
export async function* fieldPieces(fields: AsyncIterable<readonly [string, unknown]>): JsonPieces {
  async function* texts(): AsyncGenerator<string> {
    for await (const [name, value] of fields) yield `${JSON.stringify(name)}:${JSON.stringify(value)}`
  }
  yield* joined(texts(), '{', '}')
}

async function* joined(texts: AsyncIterable<string>, open: string, close: string): JsonPieces {
  const turn = takingTurns()
  let piece = open
  let isFirst = true
  for await (const text of texts) {
    piece += isFirst ? text : `,${text}`
    isFirst = false
    if (piece.length >= PIECE_LENGTH) {
      yield piece
      piece = ''
    }
    await turn()
  }
  yield piece + close
}

/** Writes all pieces and ends the response; headers are set already. Rejects when the reader went away. */
export async function writePieces(response: ServerResponse, pieces: JsonPieces): Promise<void> {
  await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), response)
}

/** The same as the body of a Response. */
export function streamOf(pieces: JsonPieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) yield encoder.encode(piece)
  }
  return streamOfBytes(bytes())
}

/** Bytes as the body of a Response. onEnd: called once, at the end, when it broke off, or when the reader went away. */
export function streamOfBytes(
  pieces: AsyncGenerator<Uint8Array>,
  onEnd: () => void = () => {},
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await pieces.next()
          if (!next.done) return controller.enqueue(next.value)
          controller.close()
        } catch (error) {
          onEnd()
          throw error
        }
        onEnd()
      },
      cancel: async () => {
        onEnd()
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
