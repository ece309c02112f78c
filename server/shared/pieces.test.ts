/** Large answers: the same JSON as in one go, the loop turning meanwhile, and an end to the work when nobody reads. */
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { fieldPieces, type JsonPieces, listPieces, streamOf, writePieces } from './pieces'

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
async function textOf(pieces: JsonPieces): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

it('[R74] the pieces are, to the letter, what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), async (list, record) => {
      expect(await textOf(listPieces(each(list)))).toBe(JSON.stringify(list))
      expect(await textOf(listPieces(each(list), '{"messages":[', ']}'))).toBe(JSON.stringify({ messages: list }))
      expect(await textOf(fieldPieces(each(Object.entries(record))))).toBe(JSON.stringify(record))
      expect(await new Response(streamOf(listPieces(each(list)))).text()).toBe(JSON.stringify(list))
    }),
  )
})

it('[R74] a long answer is written in pieces of bounded size while the loop turns', async () => {
  const count = process.env.CONVENE_ALL ? 2_000 : 300
  const items = Array.from({ length: count }, (_, at) => ({ at, text: 'é"\n'.repeat(20_000) }))
  let longest = 0
  const { blockMs, turns } = await longestBlock(async () => {
    for await (const piece of listPieces(each(items))) longest = Math.max(longest, piece.length)
  })
  expect(longest).toBeLessThan(JSON.stringify(items[0]).length + 64 * 1024 + 100)
  expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  expect(turns).toBeGreaterThan(1)
})

/** A server that writes an endless list, and what came of it. */
async function endless() {
  const state = { made: 0, isOver: false, failed: null as unknown }
  async function* items() {
    try {
      for (;;) {
        state.made += 1
        yield 'x'.repeat(100_000)
      }
    } finally {
      state.isOver = true
    }
  }
  const server = createServer((_, response) => {
    writePieces(response, listPieces(items())).catch((error: unknown) => {
      state.failed = error
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const reading = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve))
  reading.on('error', () => {})
  return { state, reading }
}

it('[R74] a reader that stops reading stops the making, and one that goes away ends it', async () => {
  const { state, reading } = await endless()
  await vi.waitUntil(() => state.made > 0)
  // What is made lies in the buffers of both sockets, some 10 MB; then nothing more is made.
  let before = -1
  await vi.waitUntil(
    () => {
      const isStill = state.made === before
      before = state.made
      return isStill
    },
    { interval: 200 },
  )
  expect(state.made).toBeLessThan(1_000)
  expect(state.isOver).toBe(false)
  reading.destroy()
  await vi.waitUntil(() => state.isOver && state.failed !== null)
})
