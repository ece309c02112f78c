/**
 * What the frame shows of the live world: connection, counts, what needs me.
 *
 * Owns: bringing the wire's hooks into the frame's props; the only file of the shell that joins a view.
 */
import { useMemo } from 'react'
import type { ConnectionState } from '@/client/connection'
import { useConnect, useConnection, useRows, useTotals } from '@/client/hooks'
import { INBOX_GROUPS } from '@/lib/wire/rows'

export type Counts = {
  /** Null while not known. */
  needsMe: number | null
  urgentUnacknowledged: number
}

export type ShellData = {
  connection: ConnectionState
  counts: Counts
  /** Addresses of what needs me, most pressing first, for `n`. */
  needs: readonly string[]
}

const OPEN_GROUPS: readonly string[] = INBOX_GROUPS

export function useShellData(isSignedIn: boolean): ShellData {
  useConnect(isSignedIn)
  const view = isSignedIn ? 'me' : null
  const totals = useTotals(view)
  const rows = useRows(view)
  const connection = useConnection()
  const needs = useMemo(
    () =>
      rows
        .filter((row) => OPEN_GROUPS.includes(row.group))
        .map((row) =>
          row.kind === 'request'
            ? `/requests/${row.request.id}`
            : row.kind === 'message'
              ? `/tasks/${row.message.task}/messages/${row.message.id}`
              : null,
        )
        .filter((href) => href !== null),
    [rows],
  )
  return {
    connection,
    counts: { needsMe: totals?.needsMe ?? null, urgentUnacknowledged: totals?.urgentUnacknowledged ?? 0 },
    needs,
  }
}
