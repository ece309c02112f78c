/** The moment of a task that a part of the page shows. Addresses within that task name it too: only “Back to live” leaves it. */
import { createContext, useCallback, useContext } from 'react'
import { matchPath } from '@/lib/wire/addresses'
import type { TaskMoment } from '@/lib/wire/views'

export const MomentContext = createContext<TaskMoment | null>(null)

/** in: href: an address of the console. out: the same, with the moment where it leads within its task and names none */
export function atMoment(href: string, moment: TaskMoment | null): string {
  if (moment === null || !href.startsWith('/')) return href
  const [, path = '', query = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/.exec(href) ?? []
  if (matchPath(path)?.params.taskId !== moment.task) return href
  const search = new URLSearchParams(query)
  if (search.has('at')) return href
  search.set('at', String(moment.seq))
  return `${path}?${search}${hash}`
}

/** Makes addresses of links in this part of the page. */
export function useHrefHere(): (href: string) => string {
  const moment = useContext(MomentContext)
  return useCallback((href) => atMoment(href, moment), [moment])
}
