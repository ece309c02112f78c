/** The window's title: what is open, with a mark before it while something urgent waits. */
import { useEffect } from 'react'

const PRODUCT = 'Convene'
let base: string = PRODUCT
let mark = ''
/** Shown in place of the title. */
let override: string | null = null

function write(): void {
  const words = override ?? base
  document.title = mark === '' ? words : `${mark} ${words}`
}

/** Set the title: ['Price page', 'Chat'] becomes "Price page · Chat · Convene". */
export function setTitle(parts: readonly string[]): void {
  base = [...parts.filter((part) => part !== ''), PRODUCT].join(' · ')
  write()
}

/** A mark before the title ("🚨", "(3)"); '' takes it away. words: shown in place of the title. */
export function setTitleMark(next: string, words: string | null = null): void {
  mark = next
  override = words
  write()
}

export function useTitle(...parts: string[]): void {
  const words = parts.join('\u0000')
  // Joins document.title: the browser's, so it is written after render.
  useEffect(() => setTitle(words.split('\u0000')), [words])
}
