/** Steps that ran before those of the view: pages of them, where failures are among them, and those that fit the filter. */
import { useCallback, useMemo, useRef, useState } from 'react'
import { type CallRefused, call } from '@/client'
import { useMoment } from '@/client/moment'
import { type Paging, useApiPages, useApiQuery } from '@/client/queries'
import type { TreeRow } from '@/lib/wire'
import type { TreeFailure, TreeMatches, TreeRuler, TreeSteps } from '@/lib/wire/http'
import { gapOf, type LanePage, type StepGap, withPage } from './model/earlier'
import { isFilter, type TreeFilter } from './model/treeFilter'
import type { TreeNode } from './model/treeModel'

export type EarlierSteps = {
  pages: readonly LanePage[]
  /** Where failures are; null: not known yet. */
  ruler: TreeRuler | null
  /** Those that fit the filter. */
  matches: readonly TreeRow[]
  /** Looks further back for matches; null: all were looked through, or nothing is filtered. */
  more: (() => void) | null
  isSearching: boolean
  /** Why the last request failed. */
  fault: CallRefused | null
  /** Loads the last page of the missing steps, or the one that holds a place of them. */
  load: (gap: StepGap, place?: number) => Promise<void>
  /** Loads the page of the next failure. in: from: the line from which is gone on */
  loadFailure: (from: TreeNode | null, step: 1 | -1) => Promise<void>
  /** The rows in the window: their pages are kept. */
  seen: (ids: readonly string[]) => void
}

/** ms after the last key before the server is asked. */
const TYPING_MS = 250
const PAGING: Paging<TreeMatches> = {
  cursor: 'before',
  next: ({ next }) => next,
  append: (held, { rows, next }) => ({ rows: [...held.rows, ...rows], next }),
}
/** seq: of the moment, null: now */
type LoadedPages = { seq: number | null; pages: readonly LanePage[] }
const NO_PAGES: LoadedPages = { seq: null, pages: [] }
const NO_ROWS: readonly TreeRow[] = []

/** in: rows: of the view; version: another one asks again where failures are. At a moment all is of that moment. */
export function useEarlierSteps(
  taskId: string,
  rows: readonly TreeRow[],
  filter: TreeFilter,
  version: string,
): EarlierSteps {
  const seq = useMoment()?.seq ?? null
  const [loaded, setLoaded] = useState<LoadedPages>(NO_PAGES)
  // A page is of no use at another moment.
  const pages = loaded.seq === seq ? loaded.pages : NO_PAGES.pages
  const [fault, setFault] = useState<CallRefused | null>(null)
  const kept = useRef<ReadonlySet<string>>(new Set())
  const base = `/api/tasks/${taskId}/tree`
  const hasGaps = useMemo(() => rows.some((row) => gapOf(row) !== null), [rows])

  // While moments are played, each is shown too shortly to ask.
  const pauseMs = seq === null ? 0 : TYPING_MS
  const rulerPath = hasGaps ? `${base}/ruler${seq === null ? '' : `?moment=${seq}`}` : null
  const { data: ruler = null } = useApiQuery<TreeRuler>(rulerPath, { version, pauseMs })
  const query = hasGaps && isFilter(filter) ? withMoment(queryOf(filter), seq) : null
  const found = useApiPages(query === null ? null : `${base}/matches?${query}`, PAGING, { pauseMs: TYPING_MS })

  const ask = useCallback(async <T>(path: string, take: (value: T) => void): Promise<void> => {
    const answer = await call<T>('GET', path)
    setFault(answer.ok ? null : answer.fault)
    if (answer.ok) take(answer.value)
  }, [])
  const put = useCallback(
    (page: LanePage) =>
      setLoaded((before) => ({
        seq,
        pages: withPage(before.seq === seq ? before.pages : [], page, kept.current),
      })),
    [seq],
  )
  const load = useCallback(
    ({ lane, stage, agent, to }: StepGap, place?: number) => {
      const params = new URLSearchParams(place === undefined ? { before: String(to) } : { at: String(place) })
      params.set('agent', agent)
      if (stage !== null) params.set('stage', stage)
      return ask<TreeSteps>(`${base}/steps?${withMoment(params, seq)}`, (page) => put({ lane, ...page }))
    },
    [ask, base, put, seq],
  )
  const loadFailure = useCallback(
    (from: TreeNode | null, step: 1 | -1) =>
      ask<TreeFailure>(`${base}/failure?${withMoment(failureQuery(from, step), seq)}`, ({ page }) => {
        const [first] = page?.rows ?? []
        if (page && first) put({ lane: `${first.stage ?? '-'}/${first.agent ?? ''}`, ...page })
      }),
    [ask, base, put, seq],
  )
  const seen = useCallback((ids: readonly string[]) => {
    kept.current = new Set(ids)
  }, [])
  return {
    pages,
    ruler,
    matches: query === null ? NO_ROWS : (found.data?.rows ?? NO_ROWS),
    more: query === null ? null : found.more,
    isSearching: query !== null && found.isFetching,
    fault: fault ?? found.error,
    load,
    loadFailure,
    seen,
  }
}

function withMoment<Params extends URLSearchParams | null>(params: Params, seq: number | null): Params {
  if (seq !== null) params?.set('moment', String(seq))
  return params
}

/** null: what is looked for is in the world alone. */
function queryOf({ text, state, agent }: TreeFilter): URLSearchParams | null {
  if (state !== null && state !== 'failed' && state !== 'done') return null
  return new URLSearchParams({
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(state === null ? {} : { state }),
    ...(agent === null ? {} : { agent }),
  })
}

function failureQuery(from: TreeNode | null, step: 1 | -1): URLSearchParams {
  const params = new URLSearchParams(step === 1 ? {} : { back: 'yes' })
  if (from?.kind === 'step') params.set('from', from.id)
  else if (from?.agent) {
    if (from.stage !== null) params.set('stage', from.stage)
    params.set('agent', from.agent)
  }
  return params
}
