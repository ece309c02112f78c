/** Limits of texts, and the needs of each type of message. */
import { describe, expect, it } from 'vitest'
import { assertSize, assertText, MESSAGE_BYTES } from './commands'

const refused = (run: () => void): unknown => {
  try {
    run()
    return null
  } catch (fault) {
    return fault
  }
}

describe('a message', () => {
  it('a message has at most 64 KiB, counted in bytes, and is never empty', () => {
    expect(refused(() => assertText('x'.repeat(MESSAGE_BYTES)))).toBeNull()
    expect(refused(() => assertText('x'.repeat(MESSAGE_BYTES + 1)))).toMatchObject({ code: 'TOO_LARGE' })
    expect(refused(() => assertText('é'.repeat(MESSAGE_BYTES / 2)))).toBeNull()
    expect(refused(() => assertText('é'.repeat(MESSAGE_BYTES / 2 + 1)))).toMatchObject({ code: 'TOO_LARGE' })
    for (const empty of ['', ' \n\t']) expect(refused(() => assertText(empty))).toMatchObject({ code: 'EMPTY_TEXT' })
  })
})

describe('a limit of its own', () => {
  it('a refusal for size names the limit and the size that was sent', () => {
    expect(refused(() => assertSize(new Uint8Array(2_048), 'The file', 2_048))).toBeNull()
    expect(refused(() => assertSize(new Uint8Array(2_560), 'The file', 2_048))).toMatchObject({
      data: { what: 'The file', limit: '2 KiB', size: '2.5 KiB' },
    })
    expect(refused(() => assertSize('x'.repeat(1_024), 'It', 1_023))).toMatchObject({
      data: { limit: '1023 bytes', size: '1 KiB' },
    })
    const [mib, more] = [1024 * 1024, 1.5 * 1024 * 1024]
    expect(refused(() => assertSize(new Uint8Array(more), 'It', mib))).toMatchObject({
      data: { limit: '1 MiB', size: '1.5 MiB' },
    })
    expect(refused(() => assertSize(new Uint8Array(mib), 'It', mib - 1024))).toMatchObject({
      data: { limit: '1023 KiB', size: '1 MiB' },
    })
  })
})
