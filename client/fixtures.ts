/**
 * A page that stands still: what its parts would otherwise ask the clock, the server and this browser for is given.
 *
 * The gallery draws every part in every state with it; the hooks of this folder look here first. Without one (null)
 * everything is live.
 */
import { createContext, useContext } from 'react'
import type { AnyRow, Me, RowView } from '@/lib/wire'
import type { ConnectionState } from './connection'
import type { Drafter } from './live'

export type Fixtures = {
  /** Epoch ms. */
  now: number
  /** Who looks. */
  me: Me
  /** Texts by their place: `task:<id>`, `request:<id>`. */
  drafts: Readonly<Record<string, string>>
  /** Who else writes, by request. */
  drafting: Readonly<Record<string, readonly Drafter[]>>
  connection: ConnectionState
  /** Rows of the views that are looked at. */
  rows: Readonly<Partial<Record<RowView, readonly AnyRow[]>>>
  /** What the server would answer, by path. */
  answers: Readonly<Record<string, unknown>>
}

export const FixturesContext = createContext<Fixtures | null>(null)

export const useFixtures = (): Fixtures | null => useContext(FixturesContext)
