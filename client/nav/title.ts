/** The window's title: what is open, with a mark before it while something urgent waits. */
import { useEffect } from 'react'
import { shownText } from '@/lib/format/hiddenSigns'

const PRODUCT = 'Convene'
let base: string = PRODUCT
let mark = ''
/** Shown in place of the title. */
let override: string | null = null

function write(): void {
  const words = override ?? base
  document.title = shownText(mark === '' ? words : `${mark} ${words}`)
}

/** A mark before the title ("🚨", "(3)"); '' takes it away. words: shown in place of the title. */
export function setTitleMark(next: string, words: string | null = null): void {
  mark = next
  override = words
  write()
}

/** Sets the title: ('Price page', 'Chat') becomes "Price page · Chat · Convene". */
export function useTitle(...parts: string[]): void {
  const title = [...parts.filter((part) => part !== ''), PRODUCT].join(' · ')
  // document.title is the browser's, so it is written after render.
  useEffect(() => {
    base = title
    write()
  }, [title])
}
