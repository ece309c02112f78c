/**
 * Looks at the pages of steps that the tree leaves out.
 *
 * Owns: joining any number of row views at once. Not here: which pages (older.ts).
 */
import { useEffect, useMemo, useState } from 'react'
import { thePage } from '@/client'
import type { TreeRow } from '@/lib/wire'

type View = `tree:${string}`

/** The rows of each page in the order given; an empty list while a page is on its way. */
export function useOlderPages(views: readonly View[]): readonly (readonly TreeRow[])[] {
  const names = views.join(' ')
  const [pages, setPages] = useState<ReadonlyMap<string, readonly TreeRow[]>>(new Map())
  // Joins the views of this page: one place on the wire per page of steps while it is looked at.
  useEffect(() => {
    const wanted = names === '' ? [] : (names.split(' ') as View[])
    const ends = wanted.map((view) => {
      const store = thePage().views.store(view)
      const read = (): void => {
        const { held } = store.getState()
        if (held?.kind !== 'rows') return
        const rows = held.list.filter((row): row is TreeRow => row.id !== '$' && 'level' in row)
        setPages((before) => new Map(before).set(view, rows))
      }
      const leave = thePage().views.open(view)
      const stop = store.subscribe(read)
      read()
      return () => {
        stop()
        leave()
      }
    })
    return () => {
      for (const end of ends) end()
    }
  }, [names])
  return useMemo(() => (names === '' ? [] : names.split(' ').map((view) => pages.get(view) ?? [])), [names, pages])
}
