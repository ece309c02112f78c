import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { decodeLines } from './lines'

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

it('lines are the same however the bytes are cut', async () => {
  const sign = fc.constantFrom('a', 'é', '🍎', '\n', '\r', '\r\n', ' ')
  await fc.assert(
    fc.asyncProperty(fc.array(sign), fc.integer({ min: 1, max: 7 }), async (signs, size) => {
      const text = signs.join('')
      const lines: string[] = []
      for await (const line of decodeLines(piecesOf(Buffer.from(text), size))) lines.push(line)
      const wanted = text.split(/\r\n|\r|\n/)
      if (wanted.at(-1) === '') wanted.pop()
      expect(lines).toEqual(wanted)
    }),
  )
})

it('[R75] the loop turns while a line without an end comes, which ends at 4 MiB, and while very many lines come at once', async () => {
  const count = async (bytes: Uint8Array) => {
    let lines = 0
    for await (const _ of decodeLines(piecesOf(bytes, 16 * 1024))) lines += 1
    return lines
  }
  const endless = await longestBlock(() => count(Buffer.alloc(16 * 1024 * 1024, 'x')).catch(String))
  expect(endless.outcome).toContain('a line without an end')
  expect(endless.blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  const many = await longestBlock(() => count(Buffer.alloc(2 * 1024 * 1024, 'x\n')))
  expect(many.outcome).toBe(1024 * 1024)
  expect(many.blockMs).toBeLessThan(LONGEST_BLOCK_MS)
})

it('a line of 4 MiB is whole, one sign more is too much', async () => {
  const read = async (length: number) => {
    for await (const line of decodeLines(piecesOf(Buffer.alloc(length, 'x'), 100_000))) return line.length
    return 0
  }
  expect(await read(4_194_304)).toBe(4_194_304)
  await expect(read(4_194_305)).rejects.toThrow('a line without an end')
})
