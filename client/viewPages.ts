/**
 * Looks at any number of row views at once: the older pages of a list, of which more are asked for as one goes back.
 */
import { useEffect, useMemo, useState } from 'react'
import type { RowView } from '@/lib/wire/views'
import type { RowsOf, TotalsOf } from './hooks'
import { getPageClient } from './pageClient'

/** totals: the row `$`; null: it has none. */
export type ViewPage<V extends RowView> = { rows: readonly RowsOf<V>[]; totals: TotalsOf<V> | null }

/**
 * in      names of views; those that stay keep their place on the wire
 * out     one page each, in the order given; null: it is on its way
 */
export function useViewPages<V extends RowView>(views: readonly V[]): readonly (ViewPage<V> | null)[] {
  const names = views.join(' ')
  const [pages, setPages] = useState<ReadonlyMap<string, ViewPage<V>>>(new Map())
  useEffect(() => {
    // Joins the views: one place on the wire for each while it is looked at.
    const ends = (names === '' ? [] : (names.split(' ') as V[])).map((view) => {
      const store = getPageClient().views.store(view)
      const read = (): void => {
        const { held } = store.getState()
        if (held?.kind !== 'rows') return
        // A view's name says which rows it has.
        const rows = held.list as readonly RowsOf<V>[]
        const totals = (held.rows.get('$') ?? null) as TotalsOf<V> | null
        setPages((before) => new Map(before).set(view, { rows, totals }))
      }
      const leave = getPageClient().views.open(view)
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
  return useMemo(() => (names === '' ? [] : names.split(' ').map((view) => pages.get(view) ?? null)), [names, pages])
}
