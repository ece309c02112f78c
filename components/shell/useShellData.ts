/** Live data of the frame: counts, what needs me. The connection is not in it: it changes each second, and with it all that is drawn. */
import { useMe } from '@/client/account/session'
import { useSendPresence } from '@/client/connection/presence'
import { useConnect, useRows, useTotals } from '@/client/hooks'
import { isOpenRow, rowHref } from '@/components/inbox/rows'

export type Counts = {
  /** Null while unknown. */
  needsMe: number | null
  urgentUnacknowledged: number
  /** Waits that only an operator can end; 0 for those who do not see all waits. */
  blockedWaits: number
  /** Unread messages to me, of all conversations with members. */
  unreadDirect: number
}

export function useShellData(isSignedIn: boolean) {
  useConnect(isSignedIn)
  useSendPresence(isSignedIn)
  const view = isSignedIn ? 'me' : null
  const totals = useTotals(view)
  const rows = useRows(view)
  const direct = useTotals(isSignedIn ? 'direct' : null)
  const access = useMe()?.person.access
  const waits = useTotals(isSignedIn && (access === 'operator' || access === 'developer') ? 'waits' : null)
  const needs = rows.filter(isOpenRow).map(rowHref)
  return {
    counts: {
      needsMe: totals?.needsMe ?? null,
      urgentUnacknowledged: totals?.urgentUnacknowledged ?? 0,
      blockedWaits: waits?.blocked ?? 0,
      unreadDirect: direct?.unread ?? 0,
    },
    /** Addresses of what needs me, most urgent first, for the key `n`. */
    needs,
  }
}

export type ShellData = ReturnType<typeof useShellData>
