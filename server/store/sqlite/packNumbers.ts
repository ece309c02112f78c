/** What the forms of a decision's row share: numbers as bytes, and what ends their header. */

/** After the header, which is JSON on one line. */
export const NEWLINE = 0x0a

/** A whole number, seven bits a byte, the lowest first; the high bit says that more follow. */
export function numberBytes(number: number): number[] {
  const bytes: number[] = []
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}

/** faults: Error when the bytes end within it */
export function readNumber(blob: Uint8Array, from: number): { number: number; next: number } {
  let number = 0
  for (let at = from, unit = 1; ; at += 1, unit *= 128) {
    const byte = blob[at]
    if (byte === undefined) throw new Error('a row ends within its first number')
    number += (byte % 128) * unit
    if (byte < 128) return { number, next: at + 1 }
  }
}
