/**
 * The window's title: what is open, and a mark before it while something urgent waits.
 *
 * Nobody else writes it.
 */
import { useEffect } from 'react'

const PRODUCT = 'Convene'
let base: string = PRODUCT
let mark = ''
/** Said in place of what is open, for a moment. */
let instead: string | null = null

function write(): void {
  const words = instead ?? base
  document.title = mark === '' ? words : `${mark} ${words}`
}

/** Name the page: ['Price page', 'Chat'] becomes "Price page · Chat · Convene". */
export function setTitle(parts: readonly string[]): void {
  base = [...parts.filter((part) => part !== ''), PRODUCT].join(' · ')
  write()
}

/** A mark before the title ("🚨", "(3)"); '' takes it away. `words` stand behind it in place of what is open. */
export function setTitleMark(next: string, words: string | null = null): void {
  mark = next
  instead = words
  write()
}

/** Keep the title while a part is shown. */
export function useTitle(...parts: string[]): void {
  const words = parts.join('\u0000')
  // Joins document.title: the browser's, so it is written after render.
  useEffect(() => setTitle(words.split('\u0000')), [words])
}
