/** What some work writes to the terminal; none of it reaches that of the tests. */
import { vi } from 'vitest'

export function written(work: () => void): string {
  let text = ''
  const add = (piece: string | Uint8Array): boolean => {
    text += String(piece)
    return true
  }
  const ways = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
  for (const way of ways) way.mockImplementation(add)
  try {
    work()
  } finally {
    for (const way of ways) way.mockRestore()
  }
  return text
}
