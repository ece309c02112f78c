/**
 * Hooks of screens: rows, one row, totals, a part of a log, the connection, streaming text, who is drafting.
 *
 * Each subscribes to its view while mounted.
 */

import { useEffect } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { emptyWorld, type World } from '@/lib/mas/records'
import type {
  AgentRow,
  AgentsTotals,
  AnyRow,
  DirectRow,
  DirectTotals,
  MeRow,
  MeTotals,
  OthersTalkRow,
  OverviewRow,
  OverviewTotals,
  RowId,
  TimelineBar,
  TimelineLane,
  TimelineTotals,
  TreeRow,
  TreeTotals,
  WaitRow,
  WaitsTotals,
} from '@/lib/wire/rows'
import type { ClosedReason, PresenceState, RecordView, RowView, View } from '@/lib/wire/views'
import { useMe } from './account/session'
import type { ConnectionState } from './connection'
import { useFixtures } from './fixtures'
import { useIsThen, useMoment } from './moment'
import { getPageClient } from './pageClient'
import type { Drafter, StepDoes, StepText } from './views/live'
import { loadingView, type ViewState } from './views/viewState'

/** Rows and totals of the views that one name has. */
type Contents = {
  me: [Exclude<MeRow, MeTotals>, MeTotals]
  overview: [OverviewRow, OverviewTotals]
  agents: [AgentRow, AgentsTotals]
  waits: [WaitRow, WaitsTotals]
  direct: [DirectRow | OthersTalkRow, DirectTotals]
}
type ContentOf<V extends RowView> = V extends keyof Contents
  ? Contents[V]
  : V extends `timeline:${string}`
    ? [TimelineLane | TimelineBar, TimelineTotals]
    : [TreeRow, TreeTotals]
export type RowsOf<V extends RowView> = ContentOf<V>[0]
export type TotalsOf<V extends RowView> = ContentOf<V>[1]

export type ViewStatus = { status: ViewState['status']; reason: ClosedReason | null }

const NO_VIEW: StoreApi<ViewState> = createStore<ViewState>()(() => loadingView('me'))
const NO_ROWS: readonly AnyRow[] = []
const OPEN_STATUS: ViewStatus = { status: 'open', reason: null }

/** Subscribe to a view while mounted; null: to none. */
function useView(wanted: View | null): StoreApi<ViewState> {
  const view = useFixtures() === null ? wanted : null
  const isThen = useIsThen(view)
  useEffect(() => {
    // Joins the socket: the server sends the view while it is subscribed to.
    if (view === null) return
    return getPageClient().views.open(view, isThen)
  }, [view, isThen])
  return view === null ? NO_VIEW : getPageClient().views.store(view, isThen)
}

export function useViewStatus(view: View | null): ViewStatus {
  const fixtures = useFixtures()
  const live = useStore(
    useView(view),
    useShallow(({ status, reason }: ViewState) => ({ status, reason })),
  )
  return fixtures !== null && view !== null && view in fixtures.rows ? OPEN_STATUS : live
}

/** The last entry that a view holds; null: 0. It changes with each frame, and its reader is drawn as often. */
export const useLastEntry = (view: View | null): number => useStore(useView(view), ({ have }) => have)

/** All rows of a row view in order, without the totals; unchanged rows keep their identity. */
export function useRows<V extends RowView>(view: V | null): readonly RowsOf<V>[] {
  const fixtures = useFixtures()
  const live = useStore(useView(view), ({ content }) => content?.list ?? NO_ROWS)
  return (fixtures !== null && view !== null ? (fixtures.rows[view] ?? NO_ROWS) : live) as readonly RowsOf<V>[]
}

/** The rows of a view by id, with the totals as `$`; undefined while loading. */
export const useRowsById = (view: RowView | null): ReadonlyMap<RowId, AnyRow> | undefined =>
  useStore(useView(view), ({ content }) => content?.rows)

/** null also for the line of a task among all tasks while the task is shown as it was: that line is of now. */
export function useRow<V extends RowView>(view: V | null, id: RowId | null): RowsOf<V> | null {
  const moment = useMoment()
  const isOfNow = view === 'overview' && moment !== null && moment.task === id
  return useStore(useView(view), ({ content }) =>
    id !== null && id !== '$' && !isOfNow ? (content?.rows.get(id) ?? null) : null,
  ) as RowsOf<V> | null
}

/** The row `$` of a row view; null while loading. */
export function useTotals<V extends RowView>(view: V | null): TotalsOf<V> | null {
  return useStore(useView(view), ({ content }) => content?.rows.get('$') ?? null) as TotalsOf<V> | null
}

/**
 * A part of the world of a view of records; the empty world while loading or closed. The selector may return a new list or object each
 * time: results are compared by their items.
 */
export function useRecords<T>(view: RecordView | null, selector: (world: World) => T): T {
  return useStore(
    useView(view),
    useShallow(({ content }: ViewState) => selector(content?.world ?? emptyWorld)),
  )
}

/** Keep the connection open while mounted; counted. Every live screen is inside a component that calls it. */
export function useConnect(isSignedIn: boolean): void {
  const person = useMe()?.person.agent_id ?? null
  // While rendering, since drafts are read while rendering.
  if (person !== null) getPageClient().setPerson(person)
  useEffect(() => {
    // Joins the socket of this page.
    if (!isSignedIn || person === null) return
    return getPageClient().socket.connect()
  }, [isSignedIn, person])
}

export function useConnection(): ConnectionState {
  const fixtures = useFixtures()
  const live = useStore(getPageClient().socket.connection)
  return fixtures?.connection ?? live
}

/** Follow a running step while mounted. out: the step; null in the gallery, and at a moment */
function useFollowed(wanted: string | null): string | null {
  const [moment, fixtures] = [useMoment(), useFixtures()]
  const step = moment === null && fixtures === null ? wanted : null
  useEffect(() => {
    // Joins the notes of this step.
    if (step === null) return
    return getPageClient().live.follow(step)
  }, [step])
  return step
}

/** The text that a running step has streamed so far; null when it streams none. */
export function useStepText(wanted: string | null): StepText | null {
  const step = useFollowed(wanted)
  return useStore(getPageClient().live.texts, (texts) => (step === null ? null : (texts[step] ?? null)))
}

/** What a running step does now; null while it is not known. Followed while mounted, as its text is. */
export function useStepDoing(wanted: string | null): StepDoes | null {
  const step = useFollowed(wanted)
  return useStore(getPageClient().live.doings, (doings) => (step === null ? null : (doings[step] ?? null)))
}

const NO_DRAFTERS: readonly Drafter[] = []
/** null: offline or unknown */
export function usePresence(person: string | null): PresenceState | null {
  return useStore(getPageClient().live.presence, (all) => (person === null ? null : (all[person] ?? null)))
}

/** Of everyone who is present or has do-not-disturb on. */
export const usePresences = (): Readonly<Record<string, PresenceState>> => useStore(getPageClient().live.presence)

/** Who else is writing an answer to this request, or a message at this place (`task:<id>`, `direct:<agent>`). */
export function useDrafting(request: string | null): readonly Drafter[] {
  const fixtures = useFixtures()
  const isThen = useMoment() !== null
  const live = useStore(getPageClient().live.drafting, (all) =>
    request === null || isThen ? NO_DRAFTERS : (all[request] ?? NO_DRAFTERS),
  )
  return fixtures === null || request === null ? live : (fixtures.drafting[request] ?? NO_DRAFTERS)
}
