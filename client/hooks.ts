/**
 * What screens read: rows, one row, totals, a piece of a log, the connection, streaming text, who is drafting.
 *
 * Each joins its view while mounted and leaves it after.
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
  OverviewRow,
  OverviewTotals,
  RowId,
  TalkRow,
  TalkTotals,
  TreeRow,
  TreeTotals,
  WaitRow,
  WaitsTotals,
} from '@/lib/wire/rows'
import type { ClosedReason, LogView, PresenceState, RowView, View } from '@/lib/wire/views'
import { useMe } from './account/session'
import type { ConnectionState } from './connection'
import { useFixtures } from './fixtures'
import type { Drafter, StepText } from './live'
import { getPageClient } from './pageClient'
import { loadingView, type ViewState } from './viewState'

/** The rows of a view, by its name. */
export type RowsOf<V extends RowView> = V extends 'me'
  ? Exclude<MeRow, MeTotals>
  : V extends 'overview'
    ? OverviewRow
    : V extends 'agents'
      ? AgentRow
      : V extends 'waits'
        ? WaitRow
        : V extends 'direct'
          ? DirectRow
          : V extends `direct:${string}`
            ? TalkRow
            : TreeRow
export type TotalsOf<V extends RowView> = V extends 'me'
  ? MeTotals
  : V extends 'overview'
    ? OverviewTotals
    : V extends 'agents'
      ? AgentsTotals
      : V extends 'waits'
        ? WaitsTotals
        : V extends 'direct'
          ? DirectTotals
          : V extends `direct:${string}`
            ? TalkTotals
            : TreeTotals

export type ViewStatus = { status: ViewState['status']; reason: ClosedReason | null; have: number }

const NOTHING: StoreApi<ViewState> = createStore<ViewState>()(() => loadingView('me'))
const NO_ROWS: readonly AnyRow[] = []
const OPEN: ViewStatus = { status: 'open', reason: null, have: 0 }
const serverSide = typeof window === 'undefined'

/** Join a view while mounted. null: look at nothing. */
function useView(wanted: View | null): StoreApi<ViewState> {
  const view = useFixtures() === null ? wanted : null
  useEffect(() => {
    // Joins the socket: the view is sent while somebody looks at it.
    if (view === null) return
    return getPageClient().views.open(view)
  }, [view])
  return view === null || serverSide ? NOTHING : getPageClient().views.store(view)
}

/** loading, open or closed (and why), and the last entry it holds. */
export function useViewStatus(view: View | null): ViewStatus {
  const still = useFixtures()
  const live = useStore(
    useView(view),
    useShallow(({ status, reason, have }: ViewState) => ({ status, reason, have })),
  )
  return still !== null && view !== null && view in still.rows ? OPEN : live
}

/** All rows of a row view in their order, without the totals; rows that did not change keep their identity. */
export function useRows<V extends RowView>(view: V | null): readonly RowsOf<V>[] {
  const still = useFixtures()
  const live = useStore(useView(view), ({ held }) => (held?.kind === 'rows' ? held.list : NO_ROWS))
  return (still !== null && view !== null ? (still.rows[view] ?? NO_ROWS) : live) as readonly RowsOf<V>[]
}

/** One row by its id; null while there is none. */
export function useRow<V extends RowView>(view: V | null, id: RowId | null): RowsOf<V> | null {
  return useStore(useView(view), ({ held }) =>
    held?.kind === 'rows' && id !== null && id !== '$' ? (held.rows.get(id) ?? null) : null,
  ) as RowsOf<V> | null
}

/** The row `$` of a row view; null while loading. */
export function useTotals<V extends RowView>(view: V | null): TotalsOf<V> | null {
  return useStore(useView(view), ({ held }) =>
    held?.kind === 'rows' ? (held.rows.get('$') ?? null) : null,
  ) as TotalsOf<V> | null
}

/**
 * A piece of a log view's world. The selector may make a list or an object anew each time: it is compared by its items.
 * While loading (or closed) it gets the empty world.
 */
export function useLog<T>(view: LogView | null, selector: (world: World) => T): T {
  return useStore(
    useView(view),
    useShallow(({ held }: ViewState) => selector(held?.kind === 'log' ? held.world : emptyWorld)),
  )
}

/** Join the server while mounted; every screen that shows live things stands inside one of these. Counted, so twice is once. */
export function useConnect(isSignedIn: boolean): void {
  const person = useMe()?.person.agent_id ?? null
  // Before anything is drawn with it: drafts are read while rendering.
  if (person !== null && !serverSide) getPageClient().become(person)
  useEffect(() => {
    // Joins the socket of this page.
    if (!isSignedIn || person === null) return
    return getPageClient().socket.connect()
  }, [isSignedIn, person])
}

const OFFLINE: StoreApi<ConnectionState> = createStore<ConnectionState>()(() => ({
  word: 'offline',
  seq: 0,
  lastBeatAt: null,
  node: null,
  since: 0,
  liveTo: 0,
  missed: null,
}))

export function useConnection(): ConnectionState {
  const still = useFixtures()
  const live = useStore(serverSide ? OFFLINE : getPageClient().socket.connection)
  return still?.connection ?? live
}

const NO_TEXT: StoreApi<Record<string, StepText>> = createStore<Record<string, StepText>>()(() => ({}))

/** The text that a running step streams, as far as it has come; null when nothing streams. */
export function useStepText(wanted: string | null): StepText | null {
  const step = useFixtures() === null ? wanted : null
  useEffect(() => {
    // Joins the streaming text of this step.
    if (step === null) return
    return getPageClient().live.follow(step)
  }, [step])
  return useStore(serverSide ? NO_TEXT : getPageClient().live.texts, (texts) =>
    step === null ? null : (texts[step] ?? null),
  )
}

const NO_DRAFTERS: readonly Drafter[] = []
const NO_DRAFTING: StoreApi<Record<string, readonly Drafter[]>> = createStore<Record<string, readonly Drafter[]>>()(
  () => ({}),
)

const NO_PRESENCE: StoreApi<Record<string, PresenceState>> = createStore<Record<string, PresenceState>>()(() => ({}))

/** Is this person there? null: no, or nothing is known. */
export function usePresence(person: string | null): PresenceState | null {
  return useStore(serverSide ? NO_PRESENCE : getPageClient().live.presence, (all) =>
    person === null ? null : (all[person] ?? null),
  )
}

/** Of everyone who is there, or rests. */
export const usePresences = (): Readonly<Record<string, PresenceState>> =>
  useStore(serverSide ? NO_PRESENCE : getPageClient().live.presence)

/** Who else is writing just now: an answer to this request, or a message (`task:<id>`, `direct:<agent>`). */
export function useDrafting(request: string | null): readonly Drafter[] {
  const still = useFixtures()
  const live = useStore(serverSide ? NO_DRAFTING : getPageClient().live.drafting, (all) =>
    request === null ? NO_DRAFTERS : (all[request] ?? NO_DRAFTERS),
  )
  return still === null || request === null ? live : (still.drafting[request] ?? NO_DRAFTERS)
}
