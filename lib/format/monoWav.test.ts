import { expect, it } from 'vitest'
import { monoWav } from './monoWav'

const read = (file: Uint8Array<ArrayBuffer>) => {
  const view = new DataView(file.buffer)
  const word = (at: number) => String.fromCharCode(...file.subarray(at, at + 4))
  const samples = Array.from({ length: (file.length - 44) / 2 }, (_, at) => view.getInt16(44 + at * 2, true))
  return { view, word, samples }
}

it('[R188] a sound is written as a WAV file of one channel, 16 bits a sample, at its rate', () => {
  const { view, word, samples } = read(monoWav([Float32Array.of(0, 0.5, -0.5, 1, -1)], 16_000))
  expect([0, 8, 12, 36].map(word)).toEqual(['RIFF', 'WAVE', 'fmt ', 'data'])
  // What follows each size: the rest of the file, the 16 bytes of the format, the samples.
  expect([4, 16, 40].map((at) => view.getUint32(at, true))).toEqual([46, 16, 10])
  // PCM, one channel, bytes and bits of a sample.
  expect([20, 22, 32, 34].map((at) => view.getUint16(at, true))).toEqual([1, 1, 2, 16])
  expect([24, 28].map((at) => view.getUint32(at, true))).toEqual([16_000, 32_000])
  expect(samples).toEqual([0, 16_384, -16_383, 32_767, -32_767])
})

it('[R188] several channels become their mean, and samples beyond the range are limited to it', () => {
  const channels = [Float32Array.of(1, 0.25, 3), Float32Array.of(0, -0.25, 1)]
  expect(read(monoWav(channels, 8_000)).samples).toEqual([16_384, 0, 32_767])
  expect(read(monoWav([], 8_000)).samples).toEqual([])
})
