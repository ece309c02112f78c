/** Subscribes to any number of row views at once: the older pages of a list. */
import { useEffect, useMemo, useState } from 'react'
import type { RowsOf, TotalsOf } from '@/client/hooks'
import { useIsThen } from '@/client/moment'
import { getPageClient } from '@/client/pageClient'
import type { AnyRow, RowId } from '@/lib/wire/rows'
import type { RowView } from '@/lib/wire/views'

/** rows: without records; totals: the row `$`; null: none; byId: all of them */
type ViewPage<V extends RowView> = {
  rows: readonly RowsOf<V>[]
  totals: TotalsOf<V> | null
  byId: ReadonlyMap<RowId, AnyRow>
}

/**
 * in      names of views; those that stay in the list keep their subscription
 * out     one page each, in the same order; null: it is loading
 */
export function useViewPages<V extends RowView>(views: readonly V[]): readonly (ViewPage<V> | null)[] {
  const names = views.join(' ')
  // Pages of one list are of one task, or of none.
  const isThen = useIsThen(views[0] ?? null)
  const [pages, setPages] = useState<ReadonlyMap<string, ViewPage<V>>>(new Map())
  useEffect(() => {
    // Joins the views: one subscription each.
    const stops = (names === '' ? [] : (names.split(' ') as V[])).map((view) => {
      const store = getPageClient().views.store(view, isThen)
      const read = (): void => {
        const { content } = store.getState()
        if (content === null) return
        // The type of rows follows from the view's name.
        const rows = content.list as readonly RowsOf<V>[]
        const totals = (content.rows.get('$') ?? null) as TotalsOf<V> | null
        setPages((before) => new Map(before).set(view, { rows, totals, byId: content.rows }))
      }
      const leave = getPageClient().views.open(view, isThen)
      const stop = store.subscribe(read)
      read()
      return () => {
        stop()
        leave()
      }
    })
    return () => {
      for (const end of stops) end()
    }
  }, [names, isThen])
  return useMemo(() => (names === '' ? [] : names.split(' ').map((view) => pages.get(view) ?? null)), [names, pages])
}
