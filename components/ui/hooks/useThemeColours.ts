import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/**
 * The colours that a canvas draws with, as computed for the theme.
 *
 * in      probe: an element of the page that is not seen; read: the same at every render
 * out     null before the first picture; another value at a change of theme, and a new render on a screen with other pixels
 */
export function useThemeColours<Colours>(
  probe: RefObject<HTMLElement | null>,
  read: (probe: HTMLElement) => Colours,
): Colours | null {
  const [colours, setColours] = useState<Colours | null>(null)
  // Joins the theme: the page's, and the contrast that the system asks for.
  useLayoutEffect(() => {
    const look = (): void => {
      if (probe.current) setColours(read(probe.current))
    }
    look()
    const observer = new MutationObserver(look)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const queries = ['(prefers-contrast: more)', '(forced-colors: active)', '(prefers-color-scheme: dark)'].map(
      (query) => window.matchMedia(query),
    )
    for (const query of queries) query.addEventListener('change', look)
    return () => {
      observer.disconnect()
      for (const query of queries) query.removeEventListener('change', look)
    }
  }, [probe, read])
  // Joins the screen: moved to another one, the page has other pixels.
  const [, draw] = useState(0)
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
    const redraw = (): void => draw((times) => times + 1)
    query.addEventListener('change', redraw)
    return () => query.removeEventListener('change', redraw)
  })
  return colours
}
