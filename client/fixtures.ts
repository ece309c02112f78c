/**
 * Fixed values in place of clock, server and browser storage: the gallery renders every part in every state with them.
 *
 * The hooks of this folder read them first; without them (null) everything is live.
 */
import { createContext, useContext } from 'react'
import type { AnyRow, Me, RowView } from '@/lib/wire'
import type { ConnectionState } from './connection'
import type { Drafter } from './views/live'

export type Fixtures = {
  now: number
  me: Me
  /** Draft texts by place: `task:<id>`, `request:<id>`. */
  drafts: Readonly<Record<string, string>>
  /** Who else is drafting, by request. */
  drafting: Readonly<Record<string, readonly Drafter[]>>
  connection: ConnectionState
  rows: Readonly<Partial<Record<RowView, readonly AnyRow[]>>>
  answers: Readonly<Record<string, unknown>>
  /** Rows as on a phone, or not, at any width of the window. */
  isNarrow?: boolean
}

export const FixturesContext = createContext<Fixtures | null>(null)

export const useFixtures = (): Fixtures | null => useContext(FixturesContext)
