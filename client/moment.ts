/** The moment of a task that a part of the page shows, and which views it shows at it. */
import { useContext, useEffect, useLayoutEffect, useMemo } from 'react'
import { type PagePlace, placeQuery } from '@/lib/format/pagePlace'
import type { TaskId } from '@/lib/mas/ids'
import { asMomentView, parseView, type TaskMoment, UUID, type View } from '@/lib/wire/views'
import { MomentContext, pathTo, withSearch } from './nav'
import { getPageClient } from './pageClient'

/** Gives its children the moment of `useMomentOf`. */
export const MomentProvider = MomentContext.Provider

/** null: what is now. */
export const useMoment = (): TaskMoment | null => useContext(MomentContext)

/** Is this view shown as it was? */
export function useIsThen(view: View | null): boolean {
  const task = useMoment()?.task ?? null
  return useMemo(() => {
    const parsed = view === null || task === null ? null : parseView(view)
    return parsed !== null && task !== null && asMomentView(parsed, task) !== null
  }, [view, task])
}

/**
 * The moment that an address names; the views at it follow it while mounted.
 *
 * in      at: `?at=` of an address of that task
 */
export function useMomentOf(task: string | undefined, at: string | null): TaskMoment | null {
  const seq = at !== null && /^[1-9]\d{0,14}$/.test(at) ? Number(at) : null
  const moment = useMemo(
    (): TaskMoment | null =>
      // The address was matched by its pattern.
      seq === null || task === undefined || !UUID.test(task) ? null : { task: task as TaskId, seq },
    [task, seq],
  )
  // Joins the views, before what is inside asks for them.
  useLayoutEffect(() => getPageClient().views.seek(moment), [moment])
  useEffect(() => () => getPageClient().views.seek(null), [])
  return moment
}

/** The address of a file of the workspace; at a moment: as it was left last before. */
export function useFileHref(): (path: string, place?: PagePlace | null) => string {
  const seq = useMoment()?.seq ?? null
  return (path, place = null) =>
    withSearch(
      { at: seq === null ? null : String(seq), ...(place === null ? {} : placeQuery(place)) },
      { pathname: pathTo('file', { path }) },
    )
}
