/** Sound as a WAV file of one channel, 16 bits a sample. */

const HEADER_BYTES = 44
const SAMPLE_BYTES = 2
const LARGEST_SAMPLE = 0x7fff

/**
 * in      channels of the same length, with samples from -1 to 1; samples beyond are limited to that
 * out     the file; its one channel is the mean of them
 * units   rate: samples per second
 */
export function monoWav(channels: readonly Float32Array[], rate: number): Uint8Array<ArrayBuffer> {
  const count = channels[0]?.length ?? 0
  const file = new DataView(new ArrayBuffer(HEADER_BYTES + count * SAMPLE_BYTES))
  writeHeader(file, rate)
  for (let at = 0; at < count; at++) {
    let sum = 0
    for (const channel of channels) sum += channel[at] ?? 0
    const limited = Math.max(-1, Math.min(1, sum / channels.length))
    file.setInt16(HEADER_BYTES + at * SAMPLE_BYTES, Math.round(limited * LARGEST_SAMPLE), true)
  }
  return new Uint8Array(file.buffer)
}

/** The chunks RIFF, fmt and data; all numbers are little-endian. */
function writeHeader(file: DataView, rate: number): void {
  const word = (at: number, letters: string): void => {
    for (const [index, letter] of [...letters].entries()) file.setUint8(at + index, letter.charCodeAt(0))
  }
  word(0, 'RIFF')
  file.setUint32(4, file.byteLength - 8, true)
  word(8, 'WAVEfmt ')
  file.setUint32(16, 16, true)
  // PCM, one channel.
  file.setUint16(20, 1, true)
  file.setUint16(22, 1, true)
  file.setUint32(24, rate, true)
  file.setUint32(28, rate * SAMPLE_BYTES, true)
  file.setUint16(32, SAMPLE_BYTES, true)
  file.setUint16(34, SAMPLE_BYTES * 8, true)
  word(36, 'data')
  file.setUint32(40, file.byteLength - HEADER_BYTES, true)
}
