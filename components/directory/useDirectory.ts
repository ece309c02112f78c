/**
 * A list of the directory, fetched from the server again when the world changed or the page is looked at again.
 *
 * Peers are in no view of the socket: few people look at them, and the log of envelopes can be long.
 */
import { useEffect, useRef, useState } from 'react'
import { call, useConnection } from '@/client'
import type { DirectoryPage } from '@/lib/wire'
import { withFirst, withNext } from './pages'

export type Listed<Page> = {
  /** broken: nothing was ever loaded; else the last rows stay. */
  status: 'loading' | 'ready' | 'broken'
  why: string
  page: Page | null
  /** Loads the next page; null: there is none, or it is loading. */
  more: (() => void) | null
  retry: () => void
}

type Held<Page> = { path: string; page: Page | null; why: string | null }
const PER_PAGE = 50

/** in: path with its query, null fetches nothing; idOf: the identity of a row, the same function at every render */
export function useDirectory<Row, Page extends DirectoryPage<Row>>(
  path: string | null,
  idOf: (row: Row) => string,
): Listed<Page> {
  const { seq } = useConnection()
  const [held, setHeld] = useState<Held<Page> | null>(null)
  const [looks, setLooks] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const asked = useRef('')
  useEffect(() => {
    // Joins the window: on return the list is fetched again.
    const look = (): void => setLooks((count) => count + 1)
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  useEffect(() => {
    // Joins the server: one request at a time; a change meanwhile is fetched after its answer.
    const question = `${path} ${seq} ${looks}`
    if (path === null || isBusy || asked.current === question) return
    asked.current = question
    setBusy(true)
    void call<Page>('GET', withLimit(path)).then((came) => {
      setBusy(false)
      setHeld((before) => {
        const same = before?.path === path ? before.page : null
        if (came.ok) return { path, page: withFirst<Row, Page>(same, came.value, idOf), why: null }
        return { path, page: same, why: came.fault.message }
      })
    })
  }, [path, seq, looks, isBusy, idOf])

  const current = held !== null && held.path === path ? held : null
  const page = current?.page ?? null
  const next = page?.next ?? null
  const more = (): void => {
    if (path === null || next === null) return
    void call<Page>('GET', `${withLimit(path)}&after=${encodeURIComponent(next)}`).then((came) => {
      if (!came.ok) return
      // Meanwhile the path may have changed, or the page may have come twice.
      setHeld((now) =>
        now?.path === path && now.page?.next === next
          ? { ...now, page: withNext<Row, Page>(now.page, came.value, idOf) }
          : now,
      )
    })
  }
  return {
    status: page !== null ? 'ready' : current?.why ? 'broken' : 'loading',
    why: current?.why ?? '',
    page,
    more: next === null ? null : more,
    retry: () => {
      setHeld(null)
      setLooks(looks + 1)
    },
  }
}

const withLimit = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}limit=${PER_PAGE}`
